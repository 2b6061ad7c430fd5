package dev.postern.langchain4j;

import static java.util.Objects.requireNonNull;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.postern.detect.ResponseSanitizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A streaming model whose replies come with secrets masked. Text and thinking are held back until the reply is complete,
 * since a secret may be cut anywhere, and then emitted in the pieces they came in; calls of tools pass as they come.
 * Thread-safe if the model behind is.
 */
public final class SanitizingStreamingChatModel implements StreamingChatModel {
    private final StreamingChatModel model;
    private final ResponseSanitizer sanitizer;

    /** With the rules that come with the library. */
    public SanitizingStreamingChatModel(StreamingChatModel model) {
        this(model, ResponseSanitizer.withDefaultRules());
    }

    /** With rules of the caller's choice. */
    public SanitizingStreamingChatModel(StreamingChatModel model, ResponseSanitizer sanitizer) {
        this.model = requireNonNull(model);
        this.sanitizer = requireNonNull(sanitizer);
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        model.chat(request, new HoldingBack(handler));
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return model.defaultRequestParameters();
    }

    /** None: the model behind calls its own. */
    @Override
    public List<ChatModelListener> listeners() {
        return List.of();
    }

    @Override
    public ModelProvider provider() {
        return model.provider();
    }

    @Override
    public Set<Capability> supportedCapabilities() {
        return model.supportedCapabilities();
    }

    /** One reply. Its methods are called one after another. */
    private final class HoldingBack implements StreamingChatResponseHandler {
        private final StreamingChatResponseHandler handler;
        private final List<String> texts = new ArrayList<>();
        private final List<String> thoughts = new ArrayList<>();

        HoldingBack(StreamingChatResponseHandler handler) {
            this.handler = handler;
        }

        @Override
        public void onPartialResponse(String text) {
            texts.add(text);
        }

        @Override
        public void onPartialThinking(PartialThinking thought) {
            thoughts.add(thought.text());
        }

        @Override
        public void onPartialToolCall(PartialToolCall call) {
            handler.onPartialToolCall(call);
        }

        @Override
        public void onCompleteToolCall(CompleteToolCall call) {
            handler.onCompleteToolCall(call);
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            sanitizer.maskPieces(thoughts).forEach(thought -> handler.onPartialThinking(new PartialThinking(thought)));
            sanitizer.maskPieces(texts).stream().filter(text -> !text.isEmpty()).forEach(handler::onPartialResponse);
            AiMessage reply = response.aiMessage();
            AiMessage masked = MaskedReply.of(sanitizer, reply);
            handler.onCompleteResponse(
                    masked == null
                            ? response
                            : response.toBuilder().aiMessage(masked).build());
        }

        @Override
        public void onError(Throwable error) {
            handler.onError(error);
        }
    }
}
