package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.testkit.server.ScriptedServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server says before it answers reaches a client of {@code connect} before the answer does, whatever it is. */
@Timeout(600)
class ConnectOrderTest {
    private static final int CALLS = 200;

    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command()));
        gateway = RunningGateway.start(data);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "notifications/progress|{\"progressToken\":\"t\",\"progress\":1}",
                "notifications/message|{\"level\":\"info\",\"data\":\"d\"}",
                "notifications/resources/updated|{\"uri\":\"file:///a\"}",
                "notifications/tools/list_changed|{}",
                "notifications/unknown|{}",
            })
    void nothingIsOvertakenByItsAnswer(String method, String params) throws Exception {
        ProcessBuilder builder = PosternProcess.builder("connect", "--data", data.toString());
        builder.environment().put("POSTERN_AGENT_KEY", gateway.key());
        Process connect = builder.start();
        try (OutputStream in = connect.getOutputStream();
                BufferedReader out =
                        new BufferedReader(new InputStreamReader(connect.getInputStream(), StandardCharsets.UTF_8))) {
            write(in, """
                    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""");
            assertThat(out.readLine()).contains("\"id\":0");
            String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}";
            String both = notification + "\n{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}";
            List<String> said = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int call = 1; call <= CALLS; call++) {
                write(
                        in,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + call
                                + ",\"method\":\"tools/call\",\"params\":{\"name\":\"s__say\","
                                + "\"_meta\":{\"progressToken\":\"t\"},\"arguments\":{\"text\":"
                                + JsonStrings.quote(both) + "}}}");
                String line = "";
                while (line != null && !line.contains("\"id\":")) {
                    line = out.readLine();
                    said.add(line);
                }
                expected.add(notification);
                expected.add("{\"jsonrpc\":\"2.0\",\"id\":" + call + ",\"result\":{\"content\":[]}}");
            }
            assertThat(said).isEqualTo(expected);
        } finally {
            connect.destroy();
        }
    }

    private static void write(OutputStream in, String line) throws Exception {
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }
}
