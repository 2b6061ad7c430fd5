package dev.postern.web.api;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Right;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.mcp.relay.Relay;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.store.sql.VaultKeys;
import dev.postern.web.auth.People;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import dev.postern.web.server.ServerQuestions;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Every route of the API but those of sessions and links. */
public final class WebApi {
    private final List<Route> routes;

    /**
     * What the routes show and change.
     *
     * @param vaultWriters writes the vault in a person's name
     * @param user whose memory of recent values what servers say is scrubbed of (S9)
     * @param ledger opens it, for one request
     */
    public record Parts(
            Vault vault,
            Function<String, VaultWriter> vaultWriters,
            VaultKeys keys,
            Approvals approvals,
            GrantStore grants,
            AgentStore agents,
            Policies policies,
            KillSwitch killSwitch,
            Supplier<LedgerReader> ledger,
            People people,
            Pins pins,
            String user,
            Relay relay,
            Metrics metrics) {}

    public WebApi(Parts parts) {
        routes = Stream.of(
                        new SecretApi(parts.vault(), parts.vaultWriters()).routes(),
                        new ApprovalApi(parts.approvals()).routes(),
                        new AccessApi(parts.agents(), parts.grants()).routes(),
                        new PolicyApi(parts.policies(), parts.killSwitch()).routes(),
                        new LedgerApi(parts.ledger()).routes(),
                        new PeopleApi(parts.people()).routes(),
                        new ServerApi(
                                        new ServerQuestions(parts.relay(), parts.user()),
                                        parts.killSwitch(),
                                        parts.pins())
                                .routes(),
                        new ToolApi(new RelayRequests(parts.relay(), "postern-http")).routes(),
                        List.of(rotateKey(parts.keys()), parts.metrics().route(parts.approvals(), parts.killSwitch())))
                .flatMap(List::stream)
                .toList();
    }

    public List<Route> routes() {
        return routes;
    }

    private static Route rotateKey(VaultKeys keys) {
        return new Route(
                "POST",
                "/api/vault/rotate-key",
                Access.needs(Right.WRITE_ALL_SECRETS),
                request -> rotate(request, keys),
                RouteDoc.of(
                                "Vault",
                                "rotateKey",
                                "Make a new key-encryption key and rewrap every record, while calls go on")
                        .answers(Schema.object().with("rewrapped", Schema.number("Records.")))
                        .refuses("403 CONFIRMATION_REQUIRED"));
    }

    private static Reply rotate(Request request, VaultKeys keys) {
        request.requireConfirmed();
        return Reply.json(Map.of("rewrapped", keys.rotate(request.person().name())));
    }
}
