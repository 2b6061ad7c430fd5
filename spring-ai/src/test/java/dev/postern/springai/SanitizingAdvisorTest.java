package dev.postern.springai;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.detect.ResponseSanitizer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;

class SanitizingAdvisorTest {
    private static final String REPLY = """
            {"host":"db.internal","connection":"postgres://app:hunter2hunter2@db.internal/app","port":5432}""";

    record Settings(String host, String connection, int port) {}

    @Test
    @DisplayName("D3: a masked reply still parses into the caller's record, as it was or in a fence")
    void parses() {
        for (String reply : List.of(REPLY, "```json\n" + REPLY + "\n```", REPLY.replace(",", ",\n  "))) {
            Settings settings = requireNonNull(client(ScriptedModel.thatSays(reply))
                    .prompt("where?")
                    .call()
                    .entity(Settings.class));

            assertThat(settings.host()).isEqualTo("db.internal");
            assertThat(settings.port()).isEqualTo(5432);
            assertThat(settings.connection())
                    .startsWith("[REDACTED:connection_string]")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    @DisplayName("A clean reply is handed on as it is, properties and all")
    void clean() {
        AssistantMessage message = AssistantMessage.builder()
                .content("nothing here")
                .properties(java.util.Map.of("signature", "abc"))
                .build();
        var reply = requireNonNull(
                client(new ScriptedModel().says(message)).prompt("?").call().chatResponse());
        assertThat(reply.getResults().get(0).getOutput()).isEqualTo(message);
    }

    @Test
    @DisplayName("What is masked keeps its properties")
    void properties() {
        AssistantMessage message = AssistantMessage.builder()
                .content(REPLY)
                .properties(java.util.Map.of("signature", "abc"))
                .build();
        var reply = requireNonNull(
                client(new ScriptedModel().says(message)).prompt("?").call().chatResponse());
        AssistantMessage masked = reply.getResults().get(0).getOutput();
        assertThat(masked.getText()).doesNotContain("hunter2");
        assertThat(masked.getMetadata()).containsEntry("signature", "abc");
    }

    @Test
    @DisplayName("The memory keeps the masked reply")
    void memory() {
        ChatMemory memory = MessageWindowChatMemory.builder().build();
        ChatClient.builder(ScriptedModel.thatSays(REPLY))
                .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build(), new SanitizingAdvisor())
                .build()
                .prompt("?")
                .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, "one"))
                .call()
                .content();
        assertThat(memory.get("one")).hasSize(2);
        assertThat(memory.get("one").toString()).contains("[REDACTED:").doesNotContain("hunter2");
    }

    @Test
    @DisplayName("A stream: a secret cut by pieces is masked, and the pieces keep their number")
    void stream() {
        List<String> pieces = requireNonNull(client(ScriptedModel.thatSays(REPLY)).prompt("?").stream()
                .chatResponse()
                .map(piece ->
                        String.valueOf(piece.getResults().get(0).getOutput().getText()))
                .collectList()
                .block());

        assertThat(pieces).hasSize((REPLY.length() + 4) / 5);
        assertThat(String.join("", pieces))
                .isEqualTo(
                        ResponseSanitizer.withDefaultRules().scanAndMask(REPLY).text())
                .doesNotContain("hunter2");
    }

    private static ChatClient client(ScriptedModel model) {
        return ChatClient.builder(model)
                .defaultAdvisors(new SanitizingAdvisor())
                .build();
    }
}
