package dev.postern.scrub;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The canonical decompositions of those characters that the live values are made of, so that NFC and NFD compare as the
 * same text (S3) without normalising what is scanned.
 */
final class Decompositions {
    private final Map<Integer, byte[]> byCharacter = new HashMap<>();

    /** Learns the characters of a value, as it is and in both normal forms. */
    void learn(char[] text) {
        for (char c : text) {
            if (c > 0x7F) {
                learnAll(new String(text));
                return;
            }
        }
    }

    private void learnAll(String text) {
        (text + Normalizer.normalize(text, Normalizer.Form.NFC)).codePoints().forEach(character -> {
            String decomposed = Normalizer.normalize(Character.toString(character), Normalizer.Form.NFD);
            // A text may also be composed half way, such as a syllable without its last letter.
            int end = 0;
            while (end < decomposed.length()) {
                end += Character.charCount(decomposed.codePointAt(end));
                learnOne(Normalizer.normalize(decomposed.substring(0, end), Normalizer.Form.NFC));
            }
            learnOne(Character.toString(character));
        });
    }

    private void learnOne(String character) {
        String decomposed = Normalizer.normalize(character, Normalizer.Form.NFD);
        if (character.codePointCount(0, character.length()) == 1 && !decomposed.equals(character)) {
            byCharacter.put(character.codePointAt(0), decomposed.getBytes(StandardCharsets.UTF_8));
        }
    }

    boolean isEmpty() {
        return byCharacter.isEmpty();
    }

    /** The decomposed UTF-8 of a character of the values, or null if it has none. */
    byte @Nullable [] of(int character) {
        return byCharacter.get(character);
    }
}
