package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * S11: results that do not hold a value pass byte for byte, the very same array. The corpus is what a coding agent reads
 * all day: this project's own sources, documents, lock files and data, images, and what tools print.
 */
class FalseAlarmTest {
    private static final String ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!@#$%^&*-_=+";
    private static final Scrubber SCRUBBER = Scrubber.of(values(48), values(16));

    @AfterAll
    static void close() {
        SCRUBBER.close();
    }

    @Test
    void aTreeOfSourcesPassesUntouched() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String tree : List.of("src", "../docs", "../testkit/src", "../gate/src", "../mcp/src")) {
            try (Stream<Path> walk = Files.walk(Path.of(tree))) {
                walk.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        assertThat(files).hasSizeGreaterThan(300);
        for (Path file : files) {
            byte[] content = Files.readAllBytes(file);
            passes(file.toString(), result(new String(content, UTF_8)));
            assertThat(SCRUBBER.scrubText(content)).as("%s", file).isSameAs(content);
            if (file.toString().endsWith(".json")) {
                passesIfJson(file.toString(), content);
            }
        }
    }

    @Test
    void imagesAndOtherBinaryDataPassUntouched() {
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 20; i++) {
            byte[] image = new byte[20_000 + random.nextInt(80_000)];
            random.nextBytes(image);
            String data = Base64.getEncoder().encodeToString(image);
            passes(
                    "image",
                    "{\"content\":[{\"type\":\"image\",\"data\":\"" + data + "\",\"mimeType\":\"image/png\"}]}");
            passes(
                    "text in base64",
                    result(Base64.getMimeEncoder().encodeToString(result(data).getBytes(UTF_8))));
        }
    }

    @Test
    void theNumberTheQuotesAndTheSpacesOfAMessageStayAsTheyAre() {
        passes("spelling", "{ \"a\" : 1.0e+2,\t\"a\":-0, \"\\u0062\":\"\\/\\ud83d\\ude00\" , \"c\":[ ] }\r\n");
    }

    private static void passesIfJson(String what, byte[] json) {
        try {
            JsonValue.parse(json);
        } catch (RuntimeException notJson) {
            return;
        }
        assertThat(SCRUBBER.scrub(json)).as(what).isSameAs(json);
    }

    private static void passes(String what, String json) {
        byte[] message = json.getBytes(UTF_8);
        assertThat(SCRUBBER.scrub(message)).as(what).isSameAs(message);
    }

    private static String result(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + JsonStrings.quote(text) + "}],\"isError\":false}";
    }

    private static List<LiveSecret> values(int count) {
        SplittableRandom random = new SplittableRandom(count);
        return Stream.generate(() -> {
                    byte[] value = new byte[12 + random.nextInt(40)];
                    for (int i = 0; i < value.length; i++) {
                        value[i] = (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
                    }
                    return new LiveSecret("{{vault:a-secret}}", new SecretValue(value));
                })
                .limit(count)
                .toList();
    }
}
