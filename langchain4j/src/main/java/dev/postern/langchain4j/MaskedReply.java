package dev.postern.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.postern.detect.ResponseSanitizer;
import org.jspecify.annotations.Nullable;

/** A model's reply with secrets masked in its text and its thinking. */
final class MaskedReply {
    private MaskedReply() {}

    /** The reply masked, or null if there is nothing to mask. */
    static @Nullable AiMessage of(ResponseSanitizer sanitizer, AiMessage reply) {
        String text = masked(sanitizer, reply.text());
        String thinking = masked(sanitizer, reply.thinking());
        if (text == null && thinking == null) {
            return null;
        }
        AiMessage.Builder masked = reply.toBuilder();
        if (text != null) {
            masked.text(text);
        }
        if (thinking != null) {
            masked.thinking(thinking);
        }
        return masked.build();
    }

    /** The text masked, or null if there is nothing to mask. */
    private static @Nullable String masked(ResponseSanitizer sanitizer, @Nullable String text) {
        if (text == null) {
            return null;
        }
        var result = sanitizer.scanAndMask(text);
        return result.changed() ? result.text() : null;
    }
}
