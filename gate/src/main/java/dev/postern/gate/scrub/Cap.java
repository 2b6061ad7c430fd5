package dev.postern.gate.scrub;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import java.nio.charset.StandardCharsets;

/**
 * Step 14: cuts the text blocks of a result after so many characters in all (S13). Comes after scrubbing, so that no cut
 * hides a value from it, and never ends inside a placeholder. The block that is cut says how much is gone; later text
 * blocks become empty.
 */
public final class Cap {
    /** The default limit. */
    public static final int DEFAULT_MAX_CHARACTERS = 150_000;

    private static final String[] OPENERS = {"{{", "[secret:", "[REDACTED:"};
    /** A placeholder is never longer: a name has 64 characters, a UUID 36. */
    private static final int MAX_PLACEHOLDER = 120;

    private final int maxCharacters;

    public Cap(int maxCharacters) {
        this.maxCharacters = maxCharacters;
    }

    public Capped apply(Scrubbed response) {
        byte[] bytes = response.bytes();
        JsonValue root = JsonValue.parse(bytes);
        boolean error = root.member("error") != null;
        JsonValue content = root.path("result", "content");
        // A character takes at least one byte, so a short message needs no counting.
        if (content == null || content.end() - content.start() <= maxCharacters) {
            return new Capped(bytes, response.hits(), error);
        }
        Splice splice = new Splice(bytes);
        int left = maxCharacters;
        for (JsonValue block : content.elements()) {
            JsonValue text = block.member("text");
            if (text == null || !text.is(Kind.STRING)) {
                continue;
            }
            String whole = text.string(); // scrubbed already: no secret
            int characters = whole.codePointCount(0, whole.length());
            if (characters > left) {
                String kept = whole.substring(0, cut(whole, whole.offsetByCodePoints(0, left)));
                int gone = characters - kept.codePointCount(0, kept.length());
                String said = kept + "\n[cut: " + gone + " more characters]";
                splice.replace(text, JsonStrings.quote(said).getBytes(StandardCharsets.UTF_8));
                left = 0;
            } else {
                left -= characters;
            }
        }
        return new Capped(splice.apply(), response.hits(), error);
    }

    /** The last place at or before {@code limit} that is not inside a placeholder. */
    private static int cut(String text, int limit) {
        int from = Math.max(0, limit - MAX_PLACEHOLDER);
        for (String opener : OPENERS) {
            int open = text.lastIndexOf(opener, limit - 1);
            if (open >= from) {
                String closer = opener.equals("{{") ? "}}" : "]";
                int close = text.indexOf(closer, open);
                if (close >= 0 && close + closer.length() > limit && close - open <= MAX_PLACEHOLDER) {
                    return cut(text, open);
                }
            }
        }
        return limit;
    }
}
