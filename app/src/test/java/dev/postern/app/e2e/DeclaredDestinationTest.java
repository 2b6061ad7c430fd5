package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P8, P9: where a tool leads, as the configuration says. */
class DeclaredDestinationTest {
    @TempDir
    private Path data = Path.of("");

    @Test
    @DisplayName(
            "P8, P9: the argument that the configuration names is the destination that a person sees and rules hold for")
    void theDeclaredArgumentIsTheDestination() throws Exception {
        RunningGateway.configure(data, Map.of());
        List<String> command = ScriptedServer.command();
        Files.write(
                data.resolve("postern.json"),
                JsonWriter.write(Map.of(
                        "mcpServers",
                        Map.of(
                                "s",
                                Map.of(
                                        "command", command.getFirst(),
                                        "args", command.subList(1, command.size()),
                                        "destinationArguments", Map.of("mirror", "request/peer"))))));
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", "a value that is long enough");
            PosternProcess.Finished bound = PosternProcess.run(
                    data,
                    PosternProcess.utf8("another value that is long enough"),
                    "secret",
                    "add",
                    "bound",
                    "--allow-host",
                    "api.example.com");
            assertThat(bound.exitCode()).isZero();

            CompletableFuture<JsonValue> call = agent.callLater(
                    "s__mirror",
                    "{\"request\":{\"peer\":\"api.example.com:5432\"},\"note\":\"https://docs.example/ {{vault:db}}\"}");
            JsonValue approval = gateway.approveNext();
            assertThat(approval.string("destination")).isEqualTo("s → api.example.com");
            assertThat(Json.at(approval, "risk_reasons").spelling()).doesNotContain("HOST_GUESSED");
            assertThat(Agent.code(call.get(PosternProcess.PATIENCE_SECONDS, TimeUnit.SECONDS)))
                    .isNull();

            assertThat(
                            Agent.code(
                                    agent.call(
                                            "s__mirror",
                                            "{\"request\":{\"peer\":\"evil.example\"},\"url\":\"https://api.example.com/{{vault:bound}}\"}")))
                    .isEqualTo("SECRET_FORBIDDEN");
        }
    }
}
