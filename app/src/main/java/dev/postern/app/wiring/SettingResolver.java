package dev.postern.app.wiring;

import static java.util.Objects.requireNonNull;

import dev.postern.app.config.ConfiguredServer;
import dev.postern.app.config.ConfiguredTls;
import dev.postern.app.config.ConfiguredWebhook;
import dev.postern.app.config.Setting;
import dev.postern.app.webhook.Webhook;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.mcp.client.ServerSpec;
import dev.postern.mcp.login.Logins;
import dev.postern.mcp.tls.TlsKeys;
import dev.postern.reference.Filters;
import dev.postern.reference.Reference;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.TextReferences;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * References in a server's configuration, resolved each time it starts (R10): no approval, because the operator wrote them;
 * tags and destination rules hold all the same (V5, P9). Every value that was ever put into a server's configuration is
 * looked for in all that server says until the gateway ends. Thread-safe.
 */
final class SettingResolver {
    private static final String WEBHOOK = "webhook";
    private static final String TLS = "tls";
    private static final String OPENID = "openid";

    private final Vault vault;
    private final ChokePoint chokePoint;
    private final Logins logins;
    private final InstantSource clock;
    private final Map<String, Map<String, LiveSecret>> known = new ConcurrentHashMap<>();
    private final Map<String, IssuedTokens> issued = new ConcurrentHashMap<>();
    /** Held while the choke point is told: what is told last has to be the newest. */
    private final ReentrantLock telling = new ReentrantLock();

    /** @param logins made with where each access token has to be told of before it is used */
    SettingResolver(Vault vault, ChokePoint chokePoint, Function<Logins.Seen, Logins> logins, InstantSource clock) {
        this.vault = vault;
        this.chokePoint = chokePoint;
        this.clock = clock;
        this.logins = logins.apply(this::issued);
    }

    Logins logins() {
        return logins;
    }

    /** A server's access token is looked for in what that server says, like the values of its configuration. */
    private void issued(String server, SecretValue token, @Nullable Instant end) {
        telling.lock();
        try {
            IssuedTokens tokens = issued.computeIfAbsent(server, IssuedTokens::new);
            if (tokens.add(token, end, clock.instant())) {
                List<SecretValue> ended = tokens.forgetEnded(clock.instant());
                tell(server);
                ended.forEach(SecretValue::close);
            }
        } finally {
            telling.unlock();
        }
    }

    /** Has all that is known of a server looked for in what it says. */
    private void tell(String server) {
        telling.lock();
        try {
            List<LiveSecret> all =
                    new ArrayList<>(known.getOrDefault(server, Map.of()).values());
            IssuedTokens tokens = issued.get(server);
            if (tokens != null) {
                all.addAll(tokens.live());
            }
            chokePoint.configure(server, all);
        } finally {
            telling.unlock();
        }
    }

    /** A server's address; null for one that is a command. */
    @Nullable
    URI endpoint(ConfiguredServer server) {
        return server.launch() instanceof ConfiguredServer.Url url ? endpoint(server, url.url()) : null;
    }

    /** Its own header is the operator's word; a server without one may have been signed in at. */
    private ServerSpec.Http http(ConfiguredServer server, ConfiguredServer.Url url) {
        URI endpoint = endpoint(server, url.url());
        boolean hasOwn = url.headers().keySet().stream().anyMatch("Authorization"::equalsIgnoreCase);
        return new ServerSpec.Http(
                endpoint, resolve(server, url.headers()), hasOwn ? null : logins.credential(server.name(), endpoint));
    }

    /**
     * A server ready to start; its values are the caller's to close.
     *
     * @throws UpstreamException if a reference cannot be resolved; names the place and the remedy
     */
    ServerSpec resolve(ConfiguredServer server) {
        ServerSpec.Transport transport = switch (server.launch()) {
            case ConfiguredServer.Command command ->
                new ServerSpec.Stdio(
                        resolve(server, command.command()),
                        command.arguments().stream()
                                .map(argument -> resolve(server, argument))
                                .toList(),
                        resolve(server, command.environment()),
                        command.directory());
            case ConfiguredServer.Url url -> http(server, url);
        };
        tell(server.name());
        return new ServerSpec(server.name(), transport, server.timeout());
    }

    /**
     * A webhook's address and key, resolved as a server's settings are: in destination rules it is the server {@code webhook}.
     *
     * @param mayBePlain whether it may be reached over plain HTTP, by its host
     * @throws UpstreamException as {@link #resolve(ConfiguredServer)}
     */
    Webhook.Target resolve(ConfiguredWebhook webhook, Predicate<String> mayBePlain) {
        ConfiguredServer asServer = asServer(WEBHOOK, webhook.url());
        URI url = endpoint(asServer, webhook.url());
        String host = url.getHost().toLowerCase(Locale.ROOT);
        return new Webhook.Target(url, resolve(asServer, webhook.secret()), mayBePlain.test(host));
    }

    /**
     * The gateway's own keys of TLS: in destination rules a password of theirs is for the server {@code tls}.
     *
     * @throws UpstreamException as {@link #resolve(ConfiguredServer)}
     */
    TlsKeys keys(ConfiguredTls tls) {
        return switch (tls) {
            case ConfiguredTls.Pem(Path certificate, Path key) -> TlsKeys.pem(certificate, key);
            case ConfiguredTls.Pkcs12(Path keystore, Setting password) ->
                TlsKeys.pkcs12(keystore, resolve(asServer(TLS, password), password));
        };
    }

    /**
     * What a text of the configuration is for the OpenID Connect provider: in destination rules that is the server {@code openid}.
     *
     * @throws UpstreamException as {@link #resolve(ConfiguredServer)}
     */
    SecretValue resolveForOpenId(Setting setting) {
        return resolve(asServer(OPENID, setting), setting);
    }

    /** A setting of our own as that of a server, so that destination rules hold for it too. */
    private static ConfiguredServer asServer(String name, Setting setting) {
        return new ConfiguredServer(
                name,
                new ConfiguredServer.Url(setting, Map.of()),
                ConfiguredServer.DEFAULT_TIMEOUT,
                DetectionModes.OFF,
                Map.of());
    }

    private Map<String, SecretValue> resolve(ConfiguredServer server, Map<String, Setting> settings) {
        Map<String, SecretValue> resolved = new LinkedHashMap<>();
        settings.forEach((name, setting) -> resolved.put(name, resolve(server, setting)));
        return resolved;
    }

    private URI endpoint(ConfiguredServer server, Setting setting) {
        try (SecretValue resolved = resolve(server, setting)) {
            byte[] bytes = resolved.reveal(Reveal.TO_DELIVER);
            try {
                // An HTTP client knows addresses as text only.
                URI uri = new URI(new String(bytes, StandardCharsets.UTF_8));
                if (uri.getHost() != null
                        && ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // Its message quotes the address; ours does not.
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
            throw failed(setting.place() + ": this is no http or https address");
        }
    }

    private SecretValue resolve(ConfiguredServer server, Setting setting) {
        Map<Reference, SecretValue> opened = new LinkedHashMap<>();
        try {
            for (Reference reference : TextReferences.find(setting.text())) {
                if (!opened.containsKey(reference)) {
                    opened.put(reference, open(server, reference, setting.place()));
                }
            }
            return TextReferences.substitute(setting.text(), reference -> requireNonNull(opened.get(reference)));
        } catch (ReferenceException e) {
            throw failed(setting.place() + ": " + e.reason());
        } finally {
            opened.values().forEach(SecretValue::close);
        }
    }

    private SecretValue open(ConfiguredServer server, Reference reference, String place) {
        try {
            SecretRecord secret = vault.find(reference)
                    .orElseThrow(() -> failed(place + ": there is no secret for " + reference.canonical()
                            + "; the operator adds it with 'postern secret add'"));
            checkAllowed(server, secret, reference, place);
            SecretValue value = vault.open(secret, reference.field());
            remember(server, reference, secret, value);
            if (reference.filters().isEmpty()) {
                return value;
            }
            try (value;
                    SecretValue username = username(secret)) {
                SecretValue filtered = Filters.apply(reference.filters(), value, username);
                remember(server, reference, secret, filtered);
                return filtered;
            }
        } catch (VaultException e) {
            throw failed(place + ": the vault could not open " + reference.canonical());
        } catch (ReferenceException e) {
            throw failed(place + ": " + e.reason());
        }
    }

    private static void checkAllowed(ConfiguredServer server, SecretRecord secret, Reference reference, String place) {
        if (secret.tags().contains(SecretRecord.AI_PROVIDER)) {
            throw failed(place + ": " + reference.canonical() + " is tagged ai-provider and is never delivered");
        }
        if (!secret.fields().contains(reference.field())) {
            throw failed(place + ": the field of " + reference.canonical() + " is empty");
        }
        DestinationRules rules = secret.destinations();
        boolean serverAllowed = rules.servers().isEmpty() || rules.servers().contains(server.name());
        boolean toolAllowed = rules.tools().isEmpty()
                || rules.tools().stream().anyMatch(tool -> tool.startsWith(server.name() + "__"));
        if (!serverAllowed || !toolAllowed || !hostAllowed(server, rules)) {
            throw failed(place + ": the destination rules of " + reference.canonical() + " do not allow this server");
        }
    }

    /** A host is known only where the address itself is plain text. */
    private static boolean hostAllowed(ConfiguredServer server, DestinationRules rules) {
        if (rules.hosts().isEmpty() || !(server.launch() instanceof ConfiguredServer.Url url)) {
            return true;
        }
        try {
            String host = new URI(url.url().text()).getHost();
            return host != null && rules.hosts().contains(host.toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private void remember(ConfiguredServer server, Reference reference, SecretRecord secret, SecretValue value) {
        known.computeIfAbsent(server.name(), ignored -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        reference.canonical() + " " + secret.id() + " " + secret.version() + " " + value.length(),
                        ignored -> new LiveSecret(reference.placeholder(), value.copy()));
    }

    private static @Nullable SecretValue username(SecretRecord secret) {
        String username = secret.username();
        return username == null ? null : new SecretValue(username.getBytes(StandardCharsets.UTF_8));
    }

    private static UpstreamException failed(String what) {
        return new UpstreamException(UpstreamException.Kind.FAILED, what);
    }
}
