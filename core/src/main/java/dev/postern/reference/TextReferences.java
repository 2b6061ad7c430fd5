package dev.postern.reference;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * References in plain text that is no JSON, such as a header, an argument or a URL in a server's configuration (R10):
 * <code>Bearer {{vault:token}}</code>. The same grammar as in arguments; there are no escapes.
 */
public final class TextReferences {
    private TextReferences() {}

    /**
     * The references in {@code text}, in order, each as often as it stands there.
     *
     * @throws ReferenceException if one is malformed; offset and length count in {@code text}
     */
    public static List<Reference> find(String text) {
        List<Reference> references = new ArrayList<>();
        for (int marker = ReferenceGrammar.nextMarker(text, 0); marker >= 0; ) {
            ReferenceGrammar.Found found = ReferenceGrammar.read(text, marker);
            references.add(found.reference());
            marker = ReferenceGrammar.nextMarker(text, found.end());
        }
        return List.copyOf(references);
    }

    /**
     * The text with values for references, in UTF-8; the caller closes it. Values are not looked at for references (R9).
     *
     * @param values the value to place for a reference, its filters applied; asked for each that stands in the text,
     *     and still the caller's to close
     * @throws ReferenceException if a reference is malformed
     */
    public static SecretValue substitute(String text, Function<Reference, SecretValue> values) {
        List<byte[]> parts = new ArrayList<>();
        byte[] whole = {};
        try {
            int from = 0;
            int marker = ReferenceGrammar.nextMarker(text, 0);
            while (marker >= 0) {
                ReferenceGrammar.Found found = ReferenceGrammar.read(text, marker);
                parts.add(text.substring(from, marker).getBytes(StandardCharsets.UTF_8));
                parts.add(values.apply(found.reference()).reveal(Reveal.TO_DELIVER));
                from = found.end();
                marker = ReferenceGrammar.nextMarker(text, from);
            }
            parts.add(text.substring(from).getBytes(StandardCharsets.UTF_8));
            whole = new byte[parts.stream().mapToInt(part -> part.length).reduce(0, Math::addExact)];
            int at = 0;
            for (byte[] part : parts) {
                System.arraycopy(part, 0, whole, at, part.length);
                at += part.length;
            }
            return new SecretValue(whole);
        } finally {
            parts.forEach(part -> Arrays.fill(part, (byte) 0));
            Arrays.fill(whole, (byte) 0);
        }
    }
}
