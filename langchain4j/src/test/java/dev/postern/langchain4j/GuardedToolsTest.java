package dev.postern.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.postern.secret.SecretValue;
import dev.postern.tool.ToolGuard;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GuardedToolsTest {
    private static final String PASSWORD = "Tr0ub4dor&3 x";

    private final ToolGuard guard = ToolGuard.of((tool, reference) -> switch (reference.name()) {
        case "db" -> new SecretValue(PASSWORD.getBytes(StandardCharsets.UTF_8));
        case "port" -> new SecretValue("5432".getBytes(StandardCharsets.UTF_8));
        default -> null;
    });

    interface Assistant {
        String chat(String question);
    }

    interface ResultAssistant {
        Result<String> chat(String question);
    }

    record Login(String user, String password, List<String> log) {}

    static final class Database {
        private final List<Object> received = new ArrayList<>();

        @Tool
        String echo(@P("text") String text) {
            received.add(text);
            return "you said " + text;
        }

        @Tool
        Login login(@P("password") String password) {
            return new Login("app", password, List.of("tried " + password));
        }

        @Tool
        int length(@P("text") String text) {
            return text.length();
        }

        @Tool
        String connect(@P("port") int port) {
            received.add(port);
            return "connected to " + port;
        }

        @Tool
        String fail(@P("text") String text) {
            throw new IllegalStateException("cannot use " + text);
        }

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        String direct(@P("text") String text) {
            return "direct " + text;
        }
    }

    private final Database database = new Database();

    private ScriptedModel runs(String tool, String arguments) {
        ScriptedModel model = ScriptedModel.thatCalls(tool, arguments).says("done");
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(GuardedTools.of(guard, database))
                .build();
        assertThat(assistant.chat("go")).isEqualTo("done");
        assertThat(model.everythingShown()).doesNotContain("Tr0ub4dor");
        return model;
    }

    @Test
    @DisplayName("R3, S7: the tool gets the value, the model its reference")
    void echo() {
        ScriptedModel model = runs("echo", "{\"text\":\"it is {{vault:db}}\"}");

        assertThat(database.received).containsExactly("it is " + PASSWORD);
        assertThat(model.toolAnswers().get(0).text()).isEqualTo("you said it is {{vault:db}}");
    }

    @Test
    @DisplayName("S2: in a structured answer too")
    void structured() {
        String answer = runs("login", "{\"password\":\"{{vault:db}}\"}")
                .toolAnswers()
                .get(0)
                .text();
        assertThat(answer.replaceAll("\\s", ""))
                .isEqualTo("{\"user\":\"app\",\"password\":\"{{vault:db}}\",\"log\":[\"tried{{vault:db}}\"]}");
    }

    @Test
    @DisplayName("The boundary: what a tool computes of the value comes back")
    void length() {
        assertThat(runs("length", "{\"text\":\"{{vault:db}}\"}")
                        .toolAnswers()
                        .get(0)
                        .text())
                .isEqualTo(String.valueOf(PASSWORD.length()));
    }

    @Test
    @DisplayName("R11: where the tool takes a number, the value is placed as one")
    void number() {
        runs("connect", "{\"port\":\"{{vault:port}}\"}");
        assertThat(database.received).containsExactly(5432);
    }

    @Test
    @DisplayName("R4, R6: a call that cannot be resolved is answered as an error, and no tool runs")
    void refused() {
        ScriptedModel unknown = runs("echo", "{\"text\":\"{{vault:other}}\"}");
        assertThat(unknown.toolAnswers().get(0).text()).startsWith("SECRET_UNRESOLVED: ");
        assertThat(unknown.toolAnswers().get(0).isError()).isTrue();

        assertThat(runs("echo", "{\"text\":\"{{vault:NOT A NAME}}\"}")
                        .toolAnswers()
                        .get(0)
                        .text())
                .startsWith("SECRET_UNRESOLVED: ");
        assertThat(database.received).isEmpty();
    }

    @Test
    @DisplayName("A tool that throws: the model sees its message without the value")
    void failure() {
        assertThat(runs("fail", "{\"text\":\"{{vault:db}}\"}")
                        .toolAnswers()
                        .get(0)
                        .text())
                .contains("cannot use {{vault:db}}");
    }

    @Test
    @DisplayName("Arguments that do not fit the method: the message does not quote the value")
    void misfit() {
        ScriptedModel model = ScriptedModel.thatCalls("connect", "{\"port\":\"x {{vault:db}}\"}")
                .says("done");
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(GuardedTools.of(guard, database))
                .build();
        assistant.chat("go");
        assertThat(model.everythingShown()).doesNotContain("Tr0ub4dor");
    }

    @Test
    @DisplayName("A tool whose answer is the service's answer is guarded as well")
    void immediate() {
        ScriptedModel model = ScriptedModel.thatCalls("direct", "{\"text\":\"{{vault:db}}\"}");
        Result<String> result = AiServices.builder(ResultAssistant.class)
                .chatModel(model)
                .tools(GuardedTools.of(guard, database))
                .build()
                .chat("go");
        assertThat(result.toolExecutions().get(0).result()).isEqualTo("direct {{vault:db}}");
        assertThat(result.toolExecutions().get(0).resultObject()).isEqualTo("direct {{vault:db}}");
        assertThat(result.toolExecutions().get(0).request().arguments()).isEqualTo("{\"text\":\"{{vault:db}}\"}");
    }

    @Test
    @DisplayName("S4, S5: a provider's tool with several contents: a value cut in two, and one inside a payload")
    void contents() {
        String image = Base64.getEncoder().encodeToString(("PNG" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        String clean = Base64.getEncoder().encodeToString("PNG only".getBytes(StandardCharsets.UTF_8));
        ToolExecutor executor = new ToolExecutor() {
            @Override
            public String execute(ToolExecutionRequest request, Object memoryId) {
                throw new AssertionError("the service asks for contents");
            }

            @Override
            public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
                return ToolExecutionResult.builder()
                        .resultContents(List.of(
                                TextContent.from("first Tr0ub4"),
                                TextContent.from("dor&3 x last"),
                                ImageContent.from(image, "image/png"),
                                ImageContent.from(clean, "image/png")))
                        .build();
            }
        };
        ToolProvider provider = request -> new ToolProviderResult(
                Map.of(ToolSpecification.builder().name("remote").build(), executor));
        ScriptedModel model =
                ScriptedModel.thatCalls("remote", "{\"a\":\"{{vault:db}}\"}").says("done");
        AiServices.builder(Assistant.class)
                .chatModel(model)
                .toolProvider(GuardedTools.of(guard, provider))
                .build()
                .chat("go");

        var contents = model.toolAnswers().get(0).contents();
        assertThat(contents).hasSize(4);
        assertThat(((TextContent) contents.get(0)).text() + ((TextContent) contents.get(1)).text())
                .isEqualTo("first {{vault:db}} last");
        assertThat(contents.get(2)).isInstanceOf(TextContent.class);
        assertThat(contents.get(3)).isEqualTo(ImageContent.from(clean, "image/png"));
        assertThat(model.everythingShown()).doesNotContain("Tr0ub4").doesNotContain(image);
    }

    @Test
    @DisplayName("Called by hand, by the older of the two methods")
    void execute() {
        AiServiceTool tool = GuardedTools.of(guard, database).stream()
                .filter(each -> each.name().equals("echo"))
                .findFirst()
                .orElseThrow();
        ToolExecutionRequest request = ToolExecutionRequest.builder()
                .name("echo")
                .arguments("{\"text\":\"{{vault:db}}\"}")
                .build();
        assertThat(tool.toolExecutor().execute(request, "default")).isEqualTo("you said {{vault:db}}");
    }

    @Test
    void objectsWithoutToolsAreAMistake() {
        assertThatThrownBy(() -> GuardedTools.of(guard, new Object())).isInstanceOf(IllegalArgumentException.class);
    }
}
