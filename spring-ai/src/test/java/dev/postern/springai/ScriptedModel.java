package dev.postern.springai;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;

/** A model that answers what it was told beforehand, and keeps what it was shown. */
final class ScriptedModel implements ChatModel {
    private final Deque<AssistantMessage> script = new ArrayDeque<>();
    private final List<Prompt> shown = new ArrayList<>();

    static ScriptedModel thatSays(String text) {
        return new ScriptedModel().says(new AssistantMessage(text));
    }

    static ScriptedModel thatCalls(String tool, String arguments) {
        return new ScriptedModel().calls(tool, arguments);
    }

    ScriptedModel says(AssistantMessage message) {
        script.add(message);
        return this;
    }

    ScriptedModel says(String text) {
        return says(new AssistantMessage(text));
    }

    ScriptedModel calls(String tool, String arguments) {
        return says(AssistantMessage.builder()
                .content("")
                .toolCalls(List.of(new AssistantMessage.ToolCall("call-" + script.size(), "function", tool, arguments)))
                .build());
    }

    @Override
    public ChatOptions getOptions() {
        return ToolCallingChatOptions.builder().build();
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        shown.add(prompt);
        return new ChatResponse(List.of(new Generation(script.remove())));
    }

    /** A few characters at a time. */
    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
        ChatResponse whole = call(prompt);
        String text = String.valueOf(whole.getResults().get(0).getOutput().getText());
        List<ChatResponse> pieces = new ArrayList<>();
        for (int at = 0; at < text.length(); at += 5) {
            String piece = text.substring(at, Math.min(text.length(), at + 5));
            pieces.add(new ChatResponse(List.of(new Generation(new AssistantMessage(piece)))));
        }
        return Flux.fromIterable(pieces);
    }

    /** What tools answered, as this model was shown it. */
    List<String> toolAnswers() {
        return shown.get(shown.size() - 1).getInstructions().stream()
                .filter(ToolResponseMessage.class::isInstance)
                .flatMap(message -> ((ToolResponseMessage) message).getResponses().stream())
                .map(ToolResponseMessage.ToolResponse::responseData)
                .toList();
    }

    /** Everything this model was ever shown. */
    String everythingShown() {
        return shown.toString();
    }
}
