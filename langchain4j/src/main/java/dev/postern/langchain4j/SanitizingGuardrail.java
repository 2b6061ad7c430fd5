package dev.postern.langchain4j;

import static java.util.Objects.requireNonNull;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.memory.ChatMemory;
import dev.postern.detect.ResponseSanitizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Masks secrets in a model's reply before the AI service parses it, so that a reply that was valid JSON still becomes the
 * caller's record (D3). It never fails a reply and never asks the model again. What the model thought aloud is masked
 * as well. Thread-safe.
 *
 * <p>A service that streams emits pieces of a reply as the model wrote them, whatever a guardrail says of the whole: give
 * it a {@link SanitizingStreamingChatModel}.
 *
 * <pre>{@code
 * AiServices.builder(Assistant.class).chatModel(model).outputGuardrails(new SanitizingGuardrail()).build();
 * }</pre>
 */
public final class SanitizingGuardrail implements OutputGuardrail {
    private final ResponseSanitizer sanitizer;

    /** With the rules that come with the library; also what the annotation {@code @OutputGuardrails} calls. */
    public SanitizingGuardrail() {
        this(ResponseSanitizer.withDefaultRules());
    }

    /** With rules of the caller's choice. */
    public SanitizingGuardrail(ResponseSanitizer sanitizer) {
        this.sanitizer = requireNonNull(sanitizer);
    }

    /** Also puts the masked reply in the place of the one that the service has remembered meanwhile. */
    @Override
    public OutputGuardrailResult validate(OutputGuardrailRequest request) {
        AiMessage reply = request.responseFromLLM().aiMessage();
        AiMessage masked = MaskedReply.of(sanitizer, reply);
        if (masked == null) {
            return success();
        }
        ChatMemory memory = request.requestParams().chatMemory();
        if (memory != null) {
            replaceLast(memory, reply, masked);
        }
        return successWith(masked);
    }

    @Override
    public OutputGuardrailResult validate(AiMessage reply) {
        AiMessage masked = MaskedReply.of(sanitizer, reply);
        return masked == null ? success() : successWith(masked);
    }

    private static void replaceLast(ChatMemory memory, AiMessage reply, AiMessage masked) {
        List<ChatMessage> messages = new ArrayList<>(memory.messages());
        int last = messages.size() - 1;
        if (last >= 0 && messages.get(last).equals(reply)) {
            messages.set(last, masked);
            memory.set(messages);
        }
    }
}
