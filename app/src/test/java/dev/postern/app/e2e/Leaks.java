package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Searches bytes of any kind, text or not, for a value in forms that a plain search can find. */
final class Leaks {
    private final Map<String, byte[]> forms = new LinkedHashMap<>();
    private final byte[] valueBytes;

    Leaks(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        valueBytes = bytes;
        forms.put("the value", bytes);
        forms.put("its JSON string", dev.postern.json.JsonStrings.escape(bytes));
        forms.put(
                "its JSON string twice",
                dev.postern.json.JsonStrings.escape(dev.postern.json.JsonStrings.escape(bytes)));
        forms.put(
                "percent-encoding",
                URLEncoder.encode(value, UTF_8).replace("+", "%20").getBytes(UTF_8));
        forms.put("form encoding", URLEncoder.encode(value, UTF_8).getBytes(UTF_8));
        forms.put("hex", HexFormat.of().formatHex(bytes).getBytes(UTF_8));
        forms.put(
                "HEX", HexFormat.of().formatHex(bytes).toUpperCase(Locale.ROOT).getBytes(UTF_8));
        for (int shift = 0; shift < 3; shift++) {
            // The characters that depend on the value alone, whatever stands before and after it.
            int skip = (3 - shift) % 3;
            byte[] core = Arrays.copyOfRange(bytes, skip, skip + (bytes.length - skip) / 3 * 3);
            forms.put("base64 at " + shift, Base64.getEncoder().encode(core));
            forms.put("base64url at " + shift, Base64.getUrlEncoder().encode(core));
        }
    }

    /** Fails if the value stands in these bytes. */
    void assertAbsent(String where, byte[] haystack) {
        forms.forEach((form, needle) -> {
            if (indexOf(haystack, needle) >= 0) {
                throw new AssertionError(form + " stands in " + where);
            }
        });
    }

    /** Fails if the value stands in any file under a directory. */
    void assertAbsentUnder(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertAbsent(file.toString(), Files.readAllBytes(file));
            }
        }
    }

    /** So that a search that finds nothing is known to be able to. */
    void assertFindsAllIn(byte[] known) {
        assertThat(indexOf(known, valueBytes)).isNotNegative();
    }

    private static int indexOf(byte[] haystack, byte[] needle) {
        outer:
        for (int at = 0; at + needle.length <= haystack.length; at++) {
            for (int i = 0; i < needle.length; i++) {
                if (haystack[at + i] != needle[i]) {
                    continue outer;
                }
            }
            return at;
        }
        return -1;
    }
}
