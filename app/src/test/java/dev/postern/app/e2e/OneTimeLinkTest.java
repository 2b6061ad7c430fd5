package dev.postern.app.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** O1 to O3, from an agent's call to the value in whoever's hands. */
final class OneTimeLinkTest {
    private static final String VALUE = "link-Tr0ub4dor&3-" + "x9Zq";

    @TempDir
    Path data;

    @Test
    @DisplayName("O1, P2: an agent's link is asked about like a value, and comes back whole")
    void anAgentGetsALink() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data.resolve("d"));
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", VALUE);
            var call = agent.callLater("vault_presign", "{\"name\":\"db\",\"ttl_seconds\":60}");
            JsonValue approval = gateway.approveNext();
            assertThat(approval.string("tool")).isEqualTo("vault_presign");
            assertThat(approval.member("secrets").elements().getFirst().string("name"))
                    .isEqualTo("db");
            JsonValue result = call.get(60, TimeUnit.SECONDS);
            String url = requireNonNull(result.path("structuredContent", "url")).string();
            assertThat(url).matches(gateway.url() + "/api/vault/otl/[A-Za-z0-9_-]{43}");
            assertThat(Agent.text(result)).contains(url);
        }
    }
}
