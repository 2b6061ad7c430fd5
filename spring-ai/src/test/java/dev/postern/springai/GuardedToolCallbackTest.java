package dev.postern.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.secret.SecretValue;
import dev.postern.tool.ToolGuard;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.execution.ToolExecutionException;

class GuardedToolCallbackTest {
    private static final String PASSWORD = "Tr0ub4dor&3 \"x\"";

    private final ToolGuard guard = ToolGuard.of((tool, reference) -> switch (reference.name()) {
        case "db" -> new SecretValue(PASSWORD.getBytes(StandardCharsets.UTF_8));
        case "port" -> new SecretValue("5432".getBytes(StandardCharsets.UTF_8));
        default -> null;
    });

    record Login(String user, String password, List<String> log) {}

    static final class Database {
        private final List<Object> received = new ArrayList<>();

        @Tool
        String echo(String text) {
            received.add(text);
            return "you said " + text;
        }

        @Tool
        Login login(String password) {
            return new Login("app", password, List.of("tried " + password));
        }

        @Tool
        int length(String text) {
            return text.length();
        }

        @Tool
        String connect(int port) {
            received.add(port);
            return "connected to " + port;
        }

        @Tool
        String fail(String text) {
            throw new IllegalStateException("cannot use " + text);
        }

        @Tool
        String tenant(String text, ToolContext context) {
            return context.getContext().get("tenant") + " " + text;
        }
    }

    private final Database database = new Database();

    private ScriptedModel runs(String tool, String arguments) {
        ScriptedModel model = ScriptedModel.thatCalls(tool, arguments).says("done");
        String reply = ChatClient.builder(model)
                .defaultTools(GuardedToolCallback.of(guard, ToolCallbacks.from(database)))
                .build()
                .prompt("go")
                .toolContext(Map.of("tenant", "acme"))
                .call()
                .content();
        assertThat(reply).isEqualTo("done");
        assertThat(model.everythingShown()).doesNotContain("Tr0ub4dor");
        return model;
    }

    @Test
    @DisplayName("R3, S7: the tool gets the value, the model its reference")
    void echo() {
        ScriptedModel model = runs("echo", "{\"text\":\"it is {{vault:db}}\"}");

        assertThat(database.received).containsExactly("it is " + PASSWORD);
        assertThat(model.toolAnswers()).containsExactly("\"you said it is {{vault:db}}\"");
    }

    @Test
    @DisplayName("S2: in a structured answer too")
    void structured() {
        assertThat(runs("login", "{\"password\":\"{{vault:db}}\"}")
                        .toolAnswers()
                        .get(0)
                        .replaceAll("\\s", ""))
                .isEqualTo("{\"user\":\"app\",\"password\":\"{{vault:db}}\",\"log\":[\"tried{{vault:db}}\"]}");
    }

    @Test
    @DisplayName("The boundary: what a tool computes of the value comes back")
    void length() {
        assertThat(runs("length", "{\"text\":\"{{vault:db}}\"}").toolAnswers())
                .containsExactly(String.valueOf(PASSWORD.length()));
    }

    @Test
    @DisplayName("R11: where the tool takes a number, the value is placed as one")
    void number() {
        runs("connect", "{\"port\":\"{{vault:port}}\"}");
        assertThat(database.received).containsExactly(5432);
    }

    @Test
    @DisplayName("R4, R6: a call that cannot be resolved is answered with the reason, and no tool runs")
    void refused() {
        assertThat(runs("echo", "{\"text\":\"{{vault:other}}\"}").toolAnswers().get(0))
                .contains("SECRET_UNRESOLVED: ");
        assertThat(runs("echo", "{\"text\":\"{{vault:NOT A NAME}}\"}")
                        .toolAnswers()
                        .get(0))
                .contains("SECRET_UNRESOLVED: ");
        assertThat(database.received).isEmpty();
    }

    @Test
    @DisplayName("A tool that throws: the model sees its message without the value")
    void failure() {
        assertThat(runs("fail", "{\"text\":\"{{vault:db}}\"}").toolAnswers().get(0))
                .contains("cannot use {{vault:db}}");
    }

    @Test
    @DisplayName("The tool's context reaches it")
    void context() {
        assertThat(runs("tenant", "{\"text\":\"{{vault:db}}\"}").toolAnswers())
                .containsExactly("\"acme {{vault:db}}\"");
    }

    @Test
    @DisplayName("A provider's tools, and a call by hand")
    void provider() {
        ToolCallbackProvider provider =
                GuardedToolCallback.of(guard, ToolCallbackProvider.from(ToolCallbacks.from(database)));
        ToolCallback echo = List.of(provider.getToolCallbacks()).stream()
                .filter(tool -> tool.getToolDefinition().name().equals("echo"))
                .findFirst()
                .orElseThrow();

        assertThat(echo.call("{\"text\":\"{{vault:db}}\"}")).isEqualTo("\"you said {{vault:db}}\"");
        assertThatThrownBy(() -> echo.call("{\"text\":\"{{vault:none}}\"}"))
                .isInstanceOf(ToolExecutionException.class)
                .hasMessageStartingWith("SECRET_UNRESOLVED: ");
    }
}
