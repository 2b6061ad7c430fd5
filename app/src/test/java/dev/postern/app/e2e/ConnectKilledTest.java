package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.testkit.server.ScriptedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A client of {@code connect} that is killed, with a call open or without, leaves no process and no descriptor at the gateway. */
@Timeout(240)
@EnabledOnOs(OS.LINUX)
class ConnectKilledTest {
    private static final int CLIENTS = 8;

    @TempDir
    private Path data = Path.of("");

    @Test
    void whatAKilledClientLeftIsEnded() throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command()));
        try (RunningGateway gateway = RunningGateway.start(data)) {
            dropAll(gateway, 0);
            awaitAlone(gateway);
            long before = descriptors(gateway);
            dropAll(gateway, 1);
            awaitAlone(gateway);
            while (descriptors(gateway) > before + 2) {
                Thread.sleep(20); // the system takes its time to close the other ends
            }
        }
    }

    private void dropAll(RunningGateway gateway, int round) throws Exception {
        List<Process> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            ProcessBuilder builder = PosternProcess.builder("connect", "--data", data.toString());
            builder.environment().put("POSTERN_AGENT_KEY", gateway.key());
            clients.add(builder.redirectError(ProcessBuilder.Redirect.DISCARD).start());
        }
        for (int i = 0; i < CLIENTS; i++) {
            talk(clients.get(i), i % 2 == 0 ? data.resolve("called-" + round + "-" + i) : null);
        }
        assertThat(gateway.processes())
                .as("each session has a server of its own")
                .hasSizeGreaterThan(CLIENTS);
        for (Process client : clients) {
            client.destroyForcibly().waitFor();
        }
    }

    /** Shakes hands and calls the server, which then hangs at a second call if it is given a file to say so. */
    private static void talk(Process client, @Nullable Path called) throws Exception {
        OutputStream in = client.getOutputStream();
        BufferedReader out = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        write(in, """
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""");
        assertThat(out.readLine()).contains("\"id\":0");
        write(
                in,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"s__mirror\",\"arguments\":{}}}");
        assertThat(out.readLine()).contains("\"id\":1");
        if (called != null) {
            write(
                    in,
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"s__hang\",\"arguments\":{\"file\":\""
                            + called + "\"}}}");
            while (!Files.exists(called)) {
                Thread.sleep(10);
            }
        }
    }

    private static void write(OutputStream in, String line) throws IOException {
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    private static void awaitAlone(RunningGateway gateway) throws InterruptedException {
        while (gateway.processes().size() > 1) {
            Thread.sleep(20); // nothing tells of the end of somebody else's children
        }
    }

    private static long descriptors(RunningGateway gateway) throws IOException {
        try (var open =
                Files.list(Path.of("/proc/" + gateway.processes().getFirst().pid() + "/fd"))) {
            return open.count();
        }
    }
}
