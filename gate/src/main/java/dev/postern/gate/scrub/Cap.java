package dev.postern.gate.scrub;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Step 14: cuts the texts of a result, those of embedded resources included, after so many characters in all (S13). Comes
 * after scrubbing, so that no cut hides a value from it, and never ends inside a placeholder. Every text that is cut says
 * how much of it is gone; what is kept keeps its exact bytes. Characters are Unicode code points. Structured content is
 * not cut: half of it would be of no type. Thread-safe.
 */
public final class Cap {
    /** The default limit. */
    public static final int DEFAULT_MAX_CHARACTERS = 150_000;

    private static final String[][] PLACEHOLDERS = {{"{{", "}}"}, {"[secret:", "]"}, {"[REDACTED:", "]"}};
    /** A placeholder is never longer: a name has 64 characters, a UUID 36. */
    private static final int MAX_PLACEHOLDER = 120;

    private final int maxCharacters;

    public Cap(int maxCharacters) {
        this.maxCharacters = maxCharacters;
    }

    /**
     * Cuts what is too long.
     *
     * @throws ScrubFailedException if the answer is so long that it must be read, and is not JSON (S10)
     */
    public Capped apply(Scrubbed answer) {
        return apply(answer, OptionalInt.empty());
    }

    /** As {@link #apply(Scrubbed)}, with fewer characters where the call has a limit of its own. */
    public Capped apply(Scrubbed answer, OptionalInt fewer) {
        int maxCharacters = Math.min(this.maxCharacters, fewer.orElse(this.maxCharacters));
        byte[] bytes = answer.bytes();
        JsonValue content = mayBeTooLong(bytes.length, maxCharacters) ? content(bytes) : null;
        if (content == null || !mayBeTooLong(content.end() - content.start(), maxCharacters)) {
            return new Capped(bytes, answer.hits());
        }
        Splice splice = new Splice(bytes);
        int left = maxCharacters;
        for (JsonValue block : content.elements()) {
            JsonValue text = text(block);
            if (text == null) {
                continue;
            }
            String whole = text.string(); // scrubbed already: no secret
            int characters = whole.codePointCount(0, whole.length());
            if (characters <= left) {
                left -= characters;
                continue;
            }
            int kept = whole.codePointCount(0, end(whole, whole.offsetByCodePoints(0, left)));
            String said = (kept == 0 ? "" : "\\n") + "[cut: " + (characters - kept) + " more characters]";
            splice.replace(offset(text, kept), text.end() - 1, said.getBytes(StandardCharsets.US_ASCII));
            left = 0;
        }
        return new Capped(splice.apply(), answer.hits());
    }

    /** A character takes at least one byte, so what is short enough in bytes needs no counting, nor reading. */
    private static boolean mayBeTooLong(int bytes, int maxCharacters) {
        return bytes > maxCharacters;
    }

    private static @Nullable JsonValue content(byte[] message) {
        try {
            return JsonValue.parse(message).path("result", "content");
        } catch (JsonException e) {
            throw new ScrubFailedException("the message is not valid JSON");
        }
    }

    private static @Nullable JsonValue text(JsonValue block) {
        JsonValue text = block.member("text");
        if (text == null) {
            text = block.path("resource", "text");
        }
        return text != null && text.is(Kind.STRING) ? text : null;
    }

    /** The last place at or before {@code limit} that is not inside a placeholder. */
    private static int end(String text, int limit) {
        for (String[] placeholder : PLACEHOLDERS) {
            String opener = placeholder[0];
            String closer = placeholder[1];
            int open = text.lastIndexOf(opener, limit - 1);
            if (open >= 0 && open >= limit - MAX_PLACEHOLDER) {
                int close = text.indexOf(closer, open + opener.length());
                if (close + closer.length() > limit && close - open <= MAX_PLACEHOLDER) {
                    return open;
                }
            }
        }
        return limit;
    }

    /** Where the character with this index stands in the raw bytes of a string token. */
    private static int offset(JsonValue string, int character) {
        byte[] bytes = string.text();
        int at = string.start() + 1;
        for (int i = 0; i < character; i++) {
            if (bytes[at] != '\\') {
                do {
                    at++;
                } while ((bytes[at] & 0xC0) == 0x80);
            } else if (bytes[at + 1] != 'u') {
                at += 2;
            } else {
                boolean pair = Character.isHighSurrogate(unit(bytes, at))
                        && bytes[at + 6] == '\\'
                        && bytes[at + 7] == 'u'
                        && Character.isLowSurrogate(unit(bytes, at + 6));
                at += pair ? 12 : 6;
            }
        }
        return at;
    }

    /** The UTF-16 code unit that the escape at {@code at} spells. */
    private static char unit(byte[] bytes, int at) {
        return (char) Integer.parseInt(new String(bytes, at + 2, 4, StandardCharsets.US_ASCII), 16);
    }
}
