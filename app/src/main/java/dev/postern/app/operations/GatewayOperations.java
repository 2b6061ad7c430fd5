package dev.postern.app.operations;

import dev.postern.app.Version;
import dev.postern.app.control.Operation;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.vault.Vault;
import dev.postern.mcp.relay.Servers;
import dev.postern.web.api.Documents;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code status} and {@code stop}. */
public final class GatewayOperations {
    private final String url;
    private final Servers servers;
    private final Vault vault;
    private final Approvals approvals;
    private final Policies policies;
    private final KillSwitch killSwitch;
    private final Runnable stop;

    public GatewayOperations(
            String url,
            Servers servers,
            Vault vault,
            Approvals approvals,
            Policies policies,
            KillSwitch killSwitch,
            Runnable stop) {
        this.url = url;
        this.servers = servers;
        this.vault = vault;
        this.approvals = approvals;
        this.policies = policies;
        this.killSwitch = killSwitch;
        this.stop = stop;
    }

    /** Adds {@code status} and {@code stop}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("status", (request, peer) -> status());
        operations.put("stop", (request, peer) -> {
            peer.whenAnswered(stop);
            return Map.of("pid", ProcessHandle.current().pid());
        });
    }

    private Map<String, @Nullable Object> status() {
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("running", true);
        status.put("url", url);
        status.put("mcp", url + "/mcp");
        status.put("pid", ProcessHandle.current().pid());
        status.put("version", Version.current());
        status.put("servers", servers.names());
        status.put("secrets", vault.list().size());
        status.put("waiting", approvals.waiting());
        status.put("policy_revision", policies.current().revision());
        status.putAll(Documents.kills(killSwitch));
        return status;
    }
}
