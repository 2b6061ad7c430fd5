package dev.postern.app.wiring;

import dev.postern.app.config.ConfigFile;
import dev.postern.app.config.ConfigWatch;
import dev.postern.app.config.ConfiguredLimits;
import dev.postern.app.config.ConfiguredTls;
import dev.postern.app.control.ControlServer;
import dev.postern.app.control.Operation;
import dev.postern.app.operations.AgentOperations;
import dev.postern.app.operations.ApprovalOperations;
import dev.postern.app.operations.CommandOperations;
import dev.postern.app.operations.DefinitionOperations;
import dev.postern.app.operations.GatewayOperations;
import dev.postern.app.operations.KillOperations;
import dev.postern.app.operations.LedgerOperations;
import dev.postern.app.operations.LinkOperations;
import dev.postern.app.operations.LocalAgent;
import dev.postern.app.operations.LoginOperations;
import dev.postern.app.operations.PolicyOperations;
import dev.postern.app.operations.PortalOperations;
import dev.postern.app.operations.SecretOperations;
import dev.postern.app.operations.StdioOperation;
import dev.postern.app.operations.ToolOperations;
import dev.postern.app.operations.VaultOperations;
import dev.postern.app.webhook.Webhook;
import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.approval.ApprovalSettings;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.ConfirmStep;
import dev.postern.gate.call.RunningCalls;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.detect.ArgumentStep;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.detect.Screening;
import dev.postern.gate.flow.GovernedCall;
import dev.postern.gate.flow.LedgerBook;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.link.OneTimeLinks;
import dev.postern.gate.link.PersonalLinks;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.policy.PolicyStep;
import dev.postern.gate.policy.Quotas;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.scrub.RequestStates;
import dev.postern.gate.substitute.ReferenceStep;
import dev.postern.gate.substitute.SubstituteStep;
import dev.postern.gate.vault.ResolveStep;
import dev.postern.gate.vault.Vaults;
import dev.postern.mcp.catalog.OwnTool;
import dev.postern.mcp.catalog.OwnTools;
import dev.postern.mcp.catalog.SecretSearch;
import dev.postern.mcp.catalog.VaultList;
import dev.postern.mcp.catalog.VaultPresign;
import dev.postern.mcp.client.Dialer;
import dev.postern.mcp.http.AddressGuard;
import dev.postern.mcp.http.HttpRequestTool;
import dev.postern.mcp.login.Logins;
import dev.postern.mcp.oauth.JwtResourceServer;
import dev.postern.mcp.oauth.ResourceServerSettings;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.relay.RelaySettings;
import dev.postern.mcp.server.Bearer;
import dev.postern.mcp.server.McpHandler;
import dev.postern.mcp.server.McpServer;
import dev.postern.mcp.server.OriginGuard;
import dev.postern.reference.ReferenceLimits;
import dev.postern.scrub.RecentValues;
import dev.postern.store.Store;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.web.HealthHandler;
import dev.postern.web.api.Metrics;
import dev.postern.web.http.Route;
import dev.postern.web.link.LinkApi;
import dev.postern.web.link.MissLimit;
import dev.postern.web.link.Redemption;
import dev.postern.web.link.RelayedPresign;
import dev.postern.web.login.LoginApi;
import dev.postern.web.login.LoginCallback;
import dev.postern.web.portal.Portal;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A running gateway: every part, made in order and ended in reverse. */
public final class Gateway implements AutoCloseable {
    private static final String OPERATOR = "operator";
    private static final String FIRST_AGENT = "agent";

    /** On one node all agents belong to one user and share one memory of recent values (S9). */
    private static final String LOCAL_USER = "local";

    private final Closing closing;
    private final CountDownLatch stopping;
    private final String url;
    private final ConfiguredServers servers;
    private final AgentStore.@Nullable NewAgent firstAgent;
    private final @Nullable String signIn;
    private final boolean hasPassphrase;

    private Gateway(
            Closing closing,
            CountDownLatch stopping,
            String url,
            ConfiguredServers servers,
            AgentStore.@Nullable NewAgent firstAgent,
            @Nullable String signIn,
            boolean hasPassphrase) {
        this.closing = closing;
        this.stopping = stopping;
        this.url = url;
        this.servers = servers;
        this.firstAgent = firstAgent;
        this.signIn = signIn;
        this.hasPassphrase = hasPassphrase;
    }

    /** Starts one; what fails leaves nothing open behind it, and says so in one sentence. */
    public static Gateway start(GatewaySettings settings) throws IOException {
        Closing closing = new Closing();
        try {
            return start(settings, closing);
        } catch (IOException | RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    private static Gateway start(GatewaySettings settings, Closing closing) throws IOException {
        InstantSource clock = InstantSource.system();
        DataDirectory directory = closing.add(DataDirectory.open(settings.data()));
        McpServer http = closing.add(McpServer.bind(settings.host(), settings.port()));
        ConfigFile config = ConfigFile.read(settings.config());
        ConfiguredTls tls = config.tls(System::getenv);
        if (tls != null) {
            http.secure();
        }
        Store store = closing.add(Store.open(directory, KeySources.of(System::getenv)));

        URI portalAddress = config.portalAddress();
        String address = portalAddress == null ? http.url() : portalAddress.toString();
        Policies policies = new Policies(store.policy());
        GrantStore grants = store.grants();
        RunningCalls running = new RunningCalls();
        KillSwitch killSwitch = new KillSwitch(store.kills(), running, clock);
        RecentValues recent = closing.add(new RecentValues(clock));
        CapturedValues captured = closing.add(new CapturedValues(clock));
        ConfiguredDetection detection = new ConfiguredDetection();
        Screening screening = new Screening(detection, captured);
        ChokePoint chokePoint = new ChokePoint(
                recent, screening, () -> policies.current().resultScrubbingEnabled(), approvalStates(store, clock));
        Pins pins = new Pins(store.pins(), chokePoint, OwnTool.SERVER::equals, clock);
        closing.add(new LogScrubbing(text -> screening.masked(chokePoint.cleanLog(text, LOCAL_USER))));
        closing.add(new Housekeeping(chokePoint::wipeLapsed));
        closing.add(new LedgerChore(settings.config(), store.ledgerArchives(), clock));
        Approvals approvals = new Approvals(
                store.approvals(),
                grants,
                chokePoint,
                pins,
                new ApprovalSettings(
                        settings.approvalTimeout(),
                        ApprovalSettings.defaults(http.url()).heartbeat(),
                        ApprovalSettings.defaults(http.url()).maxPendingPerAgent(),
                        address),
                clock);
        Metrics metrics = new Metrics();
        approvals.listen(metrics::follow);
        approvals.endAbandoned();
        PolicyStep policy = new PolicyStep(policies, killSwitch);
        Vaults vaults = captured.over(store.vault());
        SettingResolver settingResolver = new SettingResolver(
                store.vault(),
                chokePoint,
                seen -> new Logins(store.logins(), URI.create(address + LoginCallback.PATH), seen, clock),
                clock);
        Logins logins = closing.add(settingResolver.logins());
        ConfiguredServers servers =
                new ConfiguredServers(settings.config(), System::getenv, settingResolver, detection);
        ResolveStep resolve = new ResolveStep(vaults, pins, servers::destinationArguments);
        GovernedCall governed = new GovernedCall(
                running,
                policy,
                closing.add(new Quotas(clock)),
                new ArgumentStep(screening),
                new ReferenceStep(ReferenceLimits.defaults()),
                resolve,
                new SubstituteStep(vaults),
                approvals,
                new ConfirmStep(policy, resolve, store.agents(), grants, pins, clock),
                chokePoint,
                new Cap(Cap.DEFAULT_MAX_CHARACTERS),
                new LedgerBook(metrics.counting(store.ledger()), chokePoint, screening, clock));

        OneTimeLinks links = new OneTimeLinks(
                store.links(),
                store.ledger(),
                recent::remember,
                agent -> killSwitch.stopping(agent, OwnTool.SERVER).isPresent(),
                address,
                clock);
        PersonalLinks personalLinks = new PersonalLinks(store.vault(), links);
        HttpRequestTool httpRequest = closing.add(
                new HttpRequestTool(new AddressGuard(http::port), servers::mayBePlain, chokePoint::hasValuesOut));
        Webhook webhook = closing.add(new Webhook(
                servers::webhook,
                configured -> settingResolver.resolve(
                        configured, host -> AddressGuard.isHere(host) || servers.mayBePlain(host)),
                address,
                clock));
        closing.add(approvals.listen(webhook::changed));
        ConfiguredLimits limits = config.limits();
        Relay relay = new Relay(
                governed,
                chokePoint,
                servers,
                closing.add(new Dialer(limits.servers())),
                new OwnTools(
                        List.of(new VaultList(vaults), new SecretSearch(vaults), new VaultPresign(links), httpRequest)),
                pins::seen,
                killSwitch,
                new RelaySettings(
                        settings.approvalHold(),
                        settings.approvalTimeout(),
                        RelaySettings.DEFAULTS.idleSession(),
                        RelaySettings.DEFAULTS.idleConnection(),
                        RelaySettings.DEFAULTS.clientAnswer()));
        List<Route> routes = new ArrayList<>(new Redemption(links, MissLimit.standard(clock)).routes());
        routes.addAll(new LinkApi(personalLinks, new RelayedPresign(relay), LOCAL_USER).routes());
        routes.add(new LoginCallback(logins).route());
        routes.addAll(new LoginApi(logins, servers::address).routes());
        closing.add(new ConfigWatch(settings.config(), servers::reload));

        OpenIdSignIn openId = OpenIdSignIn.of(config, settingResolver, address);
        if (openId != null) {
            closing.add(openId);
        }
        HealthHandler health = new HealthHandler();
        Portal.Parts portal = new Portal.Parts(
                approvals,
                policies,
                killSwitch,
                pins,
                store.vault(),
                store::vaultWriter,
                store.agents(),
                grants,
                personalLinks,
                relay,
                LOCAL_USER,
                () -> LedgerReader.open(settings.data()),
                settings.approvalTimeout(),
                clock);
        McpHandler mcp = new McpHandler(relay, bearer(config.oauth(http.url()), store), limits.agents());
        WebFront front = WebFront.of(new WebFront.Parts(
                directory.path(),
                store,
                approvals,
                policies,
                killSwitch,
                pins,
                relay,
                metrics,
                portal,
                routes,
                portalAddress,
                openId,
                clock));
        if (tls != null) {
            http.secure(settingResolver.keys(tls));
        }
        http.serve(
                handlers -> new OriginGuard(
                        handlers,
                        hostNames(settings, portalAddress),
                        portalAddress == null ? Set.of() : Set.of(address),
                        front.router()::refuseForeign),
                mcp,
                List.of(health, front.router()));
        closing.add(http);
        closing.add(front);

        CountDownLatch stopping = new CountDownLatch(1);
        LocalAgent local = new LocalAgent(relay, store.agents());
        Map<String, Operation> operations = new LinkedHashMap<>();
        new SecretOperations(store.vault(), store.vaultWriter(OPERATOR), LOCAL_USER).addTo(operations);
        new AgentOperations(store.agents(), clock, OPERATOR).addTo(operations);
        new ApprovalOperations(approvals, grants, OPERATOR).addTo(operations);
        new PolicyOperations(policies, OPERATOR).addTo(operations);
        new KillOperations(killSwitch, store.agents(), servers, OPERATOR).addTo(operations);
        new LinkOperations(personalLinks, OPERATOR, LOCAL_USER).addTo(operations);
        new VaultOperations(store.keys(), OPERATOR).addTo(operations);
        new LoginOperations(logins, servers, servers::address).addTo(operations);
        ToolOperations tools = new ToolOperations(local, approvals);
        tools.addTo(operations);
        new DefinitionOperations(pins, tools, OPERATOR).addTo(operations);
        new LedgerOperations(store.ledgerArchives(), OPERATOR).addTo(operations);
        new CommandOperations(store.ledger(), store.vault(), secret -> recent.remember(LOCAL_USER, secret))
                .addTo(operations);
        StdioOperation stdio =
                new StdioOperation(relay, store.agents(), limits.agents().maxOpenPerAgent());
        stdio.addTo(operations);
        KeysEnded ended = new KeysEnded(store.agents(), running, mcp, stdio, captured, grants, OPERATOR);
        closing.add(store.agents().onKeysEnded(ended));
        closing.add(new Housekeeping(ended::endExpired));
        new GatewayOperations(http.url(), servers, store.vault(), approvals, policies, killSwitch, stopping::countDown)
                .addTo(operations);
        PortalOperations portalOperations = new PortalOperations(front.people(), http.url());
        portalOperations.addTo(operations);
        closing.add(new ControlServer(directory.path(), operations, portalOperations::check));

        AgentStore.NewAgent first = local.isOnlyAgent() ? store.agents().add(FIRST_AGENT, Set.of()) : null;
        closing.add(new Drain(() -> health.ready(false), approvals, running, relay.answering(), settings.stopGrace()));
        health.ready(true);
        Thread.ofPlatform().daemon().name("detection-rules").start(screening::warmUp);
        String signIn = front.firstSignIn();
        return new Gateway(
                closing,
                stopping,
                http.url(),
                servers,
                first,
                signIn == null ? null : http.url() + signIn,
                front.people().operatorHasPassphrase());
    }

    /** Access tokens, and the library that checks them, are there only where the configuration wants them. */
    private static Bearer bearer(@Nullable ResourceServerSettings oauth, Store store) {
        return oauth == null
                ? new Bearer(store.agents())
                : new Bearer(store.agents(), new JwtResourceServer(oauth, store.agents()));
    }

    /** The names under which the gateway may be reached besides this machine's own. */
    private static Set<String> hostNames(GatewaySettings settings, @Nullable URI portalAddress) {
        return portalAddress == null
                ? Set.of(settings.host())
                : Stream.of(settings.host(), portalAddress.getHost()).collect(Collectors.toSet());
    }

    private static RequestStates approvalStates(Store store, InstantSource clock) {
        byte[] key = store.approvalStateKey();
        try {
            return new RequestStates(clock, key);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /** Such as {@code http://127.0.0.1:7437}. */
    public String url() {
        return url;
    }

    /** The configured servers, or the playground's name. */
    public List<String> serverNames() {
        return servers.names();
    }

    /** The agent that was made because there was none, with its key, which is known only now. */
    public AgentStore.@Nullable NewAgent firstAgent() {
        return firstAgent;
    }

    /** A link that signs the operator in once; null where they have signed in before. */
    public @Nullable String signIn() {
        return signIn;
    }

    /** Whether commands that decide ask for a passphrase. */
    public boolean hasPassphrase() {
        return hasPassphrase;
    }

    /** As {@code postern stop} does: {@link #awaitStop()} returns. */
    public void requestStop() {
        stopping.countDown();
    }

    /** Waits until someone asks the gateway to stop. */
    public void awaitStop() throws InterruptedException {
        stopping.await();
    }

    /** Ends everything, in reverse. Idempotent. */
    @Override
    public void close() {
        closing.close();
        stopping.countDown();
    }
}
