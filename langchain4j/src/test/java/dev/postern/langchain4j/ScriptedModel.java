package dev.postern.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A model that answers what it was told beforehand, and keeps what it was shown. */
final class ScriptedModel implements ChatModel {
    private final Deque<AiMessage> script = new ArrayDeque<>();
    private final List<ChatRequest> shown = new ArrayList<>();

    static ScriptedModel thatSays(String text) {
        return new ScriptedModel().says(AiMessage.from(text));
    }

    static ScriptedModel thatCalls(String tool, String arguments) {
        return new ScriptedModel().calls(tool, arguments);
    }

    ScriptedModel says(AiMessage message) {
        script.add(message);
        return this;
    }

    ScriptedModel says(String text) {
        return says(AiMessage.from(text));
    }

    ScriptedModel calls(String tool, String arguments) {
        String id = "call-" + script.size();
        return says(AiMessage.from(ToolExecutionRequest.builder()
                .id(id)
                .name(tool)
                .arguments(arguments)
                .build()));
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        shown.add(request);
        return ChatResponse.builder().aiMessage(script.remove()).build();
    }

    /** The same script, a few characters at a time. */
    StreamingChatModel streaming() {
        return new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                ChatResponse response = ScriptedModel.this.doChat(request);
                String text = response.aiMessage().text();
                for (int at = 0; at < text.length(); at += 5) {
                    handler.onPartialResponse(text.substring(at, Math.min(text.length(), at + 5)));
                }
                handler.onCompleteResponse(response);
            }
        };
    }

    /** What tools answered, as this model was shown it. */
    List<ToolExecutionResultMessage> toolAnswers() {
        return shown.get(shown.size() - 1).messages().stream()
                .filter(ToolExecutionResultMessage.class::isInstance)
                .map(ToolExecutionResultMessage.class::cast)
                .toList();
    }

    /** Everything this model was ever shown. */
    String everythingShown() {
        return shown.toString();
    }
}
