package dev.postern.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.guardrail.OutputGuardrails;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SanitizingGuardrailTest {
    private static final String REPLY = """
            {"host":"db.internal","connection":"postgres://app:hunter2hunter2@db.internal/app","port":5432}""";

    record Settings(String host, String connection, int port) {}

    interface Assistant {
        Settings settings(String question);

        String chat(String question);
    }

    interface AnnotatedAssistant {
        @OutputGuardrails(SanitizingGuardrail.class)
        Settings settings(String question);
    }

    interface StreamingAssistant {
        TokenStream chat(String question);
    }

    @Test
    @DisplayName("D3: a masked reply still parses into the caller's record, as it was or in a fence")
    void parses() {
        for (String reply : List.of(REPLY, "```json\n" + REPLY + "\n```", REPLY.replace(",", ",\n  "))) {
            Settings settings = assistant(ScriptedModel.thatSays(reply)).settings("where is the database?");

            assertThat(settings.host()).isEqualTo("db.internal");
            assertThat(settings.port()).isEqualTo(5432);
            assertThat(settings.connection())
                    .startsWith("[REDACTED:connection_string]")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    @DisplayName("By annotation, without configuration")
    void annotated() {
        AnnotatedAssistant assistant = AiServices.create(AnnotatedAssistant.class, ScriptedModel.thatSays(REPLY));
        assertThat(assistant.settings("?").connection()).doesNotContain("hunter2");
    }

    @Test
    @DisplayName("A clean reply is handed on as it is")
    void clean() {
        assertThat(new SanitizingGuardrail()
                        .validate(AiMessage.from("nothing here"))
                        .hasRewrittenResult())
                .isFalse();
        assertThat(assistant(ScriptedModel.thatSays("nothing here")).chat("?")).isEqualTo("nothing here");
    }

    @Test
    @DisplayName("What the model thought aloud is masked; its attributes stay")
    void thinking() {
        AiMessage reply = AiMessage.builder()
                .text("done")
                .thinking("the connection is redis://:hunter2hunter2@cache")
                .attributes(java.util.Map.of("signature", "abc"))
                .build();

        var memory = MessageWindowChatMemory.withMaxMessages(10);
        AiServices.builder(Assistant.class)
                .chatModel(new ScriptedModel().says(reply))
                .chatMemory(memory)
                .outputGuardrails(new SanitizingGuardrail())
                .build()
                .chat("?");

        assertThat(memory.messages().get(1)).isInstanceOfSatisfying(AiMessage.class, masked -> {
            assertThat(masked.text()).isEqualTo("done");
            assertThat(masked.thinking()).contains("[REDACTED:").doesNotContain("hunter2");
            assertThat(masked.attributes()).containsEntry("signature", "abc");
        });
    }

    @Test
    @DisplayName("The memory keeps the masked reply, and what was said before it")
    void memory() {
        var memory = MessageWindowChatMemory.withMaxMessages(10);
        AiServices.builder(Assistant.class)
                .chatModel(ScriptedModel.thatSays(REPLY))
                .chatMemory(memory)
                .outputGuardrails(new SanitizingGuardrail())
                .build()
                .chat("?");
        assertThat(memory.messages()).hasSize(2);
        assertThat(memory.messages().toString()).contains("[REDACTED:").doesNotContain("hunter2");
    }

    @Test
    @DisplayName("A stream: neither its pieces nor the whole show the secret, and together they are the whole")
    void streaming() {
        StreamingAssistant assistant = AiServices.builder(StreamingAssistant.class)
                .streamingChatModel(new SanitizingStreamingChatModel(
                        ScriptedModel.thatSays(REPLY).streaming()))
                .build();
        StringBuilder pieces = new StringBuilder();
        CompletableFuture<String> whole = new CompletableFuture<>();

        assistant
                .chat("?")
                .onPartialResponse(pieces::append)
                .onCompleteResponse(
                        response -> whole.complete(response.aiMessage().text()))
                .onError(whole::completeExceptionally)
                .start();

        assertThat(whole.join()).contains("[REDACTED:connection_string]").doesNotContain("hunter2");
        assertThat(pieces.toString()).isEqualTo(whole.join());
    }

    private static Assistant assistant(ScriptedModel model) {
        return AiServices.builder(Assistant.class)
                .chatModel(model)
                .outputGuardrails(new SanitizingGuardrail())
                .build();
    }
}
