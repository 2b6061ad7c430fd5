package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.store.sql.OperatorLog;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** V1, V2: values and notes are nowhere in the data directory, in no encoding, while it is used and afterwards. */
final class NoPlaintextTest {
    private static final String FIRST = "Tr0ub4dor&3-first-value";
    private static final String SECOND = "c0rrect/horse+battery-second";
    private static final String NOTES = "the recovery words are: zebra, anvil";

    @TempDir
    Path directory;

    @Test
    @DisplayName("V2: nothing in the clear, in database, journal, log or any other file")
    void valuesAreNowhere() throws IOException {
        String key;
        try (Opened opened = Opened.in(directory)) {
            opened.add("one", FIRST, NOTES);
            opened.add("two", SECOND, null);
            opened.rotate("one", SECOND);
            opened.store().keys().rotate(OperatorLog.OPERATOR);
            opened.rotate("two", FIRST);
            opened.store().vaultWriter(OperatorLog.OPERATOR).remove("two");
            key = Files.readString(directory.resolve("postern.key")).strip();
            assertThat(directory.resolve("postern.db-wal")).isNotEmptyFile();
            search(key);
        }
        search(key);
    }

    @Test
    void thisSearchFindsWhatIsThere() throws IOException {
        try (Opened opened = Opened.in(directory)) {
            SecretValue value = Opened.secret(FIRST);
            Files.write(
                    directory.resolve("planted"),
                    encodings(value.reveal(Reveal.TO_SCRUB)).get("base64 at 1"));
            assertThat(opened.store()).isNotNull();
        }
        assertThat(found(FIRST.getBytes(StandardCharsets.UTF_8))).contains("base64 at 1 in planted");
    }

    private void search(String key) throws IOException {
        for (String text : new String[] {FIRST, SECOND, NOTES}) {
            assertThat(found(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
        }
        // The root key is in its file and nowhere else; as base64url too, where it has none of the two differing
        // digits.
        assertThat(found(Base64.getDecoder().decode(key)))
                .contains("base64 in postern.key")
                .allMatch(place -> place.endsWith(" in postern.key"));
    }

    private List<String> found(byte[] value) throws IOException {
        List<String> found = new ArrayList<>();
        Map<String, byte[]> encodings = encodings(value);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".lock")
                            && !file.toString().endsWith("-shm"))
                    .toList()) {
                String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                encodings.forEach((name, bytes) -> {
                    if (content.contains(new String(bytes, StandardCharsets.ISO_8859_1))) {
                        found.add(name + " in " + file.getFileName());
                    }
                });
            }
        }
        return found;
    }

    /** The forms somebody could look for; in base64 at each alignment, without the characters that depend on neighbours. */
    private static Map<String, byte[]> encodings(byte[] value) {
        Map<String, byte[]> encodings = new LinkedHashMap<>();
        encodings.put("as it is", value);
        encodings.put("hex", HexFormat.of().formatHex(value).getBytes(StandardCharsets.US_ASCII));
        encodings.put("HEX", HexFormat.of().withUpperCase().formatHex(value).getBytes(StandardCharsets.US_ASCII));
        encodings.put("base64", Base64.getEncoder().withoutPadding().encode(value));
        encodings.put(
                "percent",
                URLEncoder.encode(new String(value, StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                        .getBytes(StandardCharsets.US_ASCII));
        encodings.put("UTF-16", new String(value, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_16LE));
        for (int alignment = 0; alignment < 3; alignment++) {
            byte[] shifted = new byte[alignment + value.length];
            System.arraycopy(value, 0, shifted, alignment, value.length);
            String encoded = Base64.getEncoder().withoutPadding().encodeToString(shifted);
            String inner = encoded.substring(alignment == 0 ? 0 : 4, encoded.length() - 2);
            encodings.put("base64 at " + alignment, inner.getBytes(StandardCharsets.US_ASCII));
            encodings.put(
                    "base64url at " + alignment,
                    inner.replace('+', '-').replace('/', '_').getBytes(StandardCharsets.US_ASCII));
        }
        encodings.values().removeIf(bytes -> bytes.length == 0);
        return encodings;
    }
}
