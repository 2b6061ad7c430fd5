package dev.postern.bench;

import dev.postern.detect.Finding;
import dev.postern.detect.SecretDetector;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Looking for unknown secrets in 1 MiB: the detector with all its rules, on clean JSON as tools return it and on texts
 * made to hurt it; the same rules as regular expressions one by one, in {@code java.util.regex} and in RE2/J, on the
 * clean text.
 *
 * <pre>bench/detect.sh</pre>
 */
public class DetectBenchmark {
    private static final int MEBIBYTE = 1 << 20;

    /** A text to look through. */
    @State(Scope.Benchmark)
    public static class Text {
        @Param({
            "clean-json",
            "clean-prose",
            "password=",
            "api_key=secret.token:pass=\"x",
            "://a:",
            "sk-",
            "eyJaaaaaaaaaa"
        })
        public String kind = "";

        /** Twice the size must cost twice the time. */
        @Param({"524288", "1048576"})
        public int bytes;

        byte[] utf8 = {};
        private final SecretDetector detector = SecretDetector.withDefaultRules();

        @Setup(Level.Trial)
        public void prepare() {
            utf8 = switch (kind) {
                case "clean-json" -> cleanJson(bytes);
                case "clean-prose" -> prose(bytes);
                default ->
                    kind.repeat(bytes / kind.length() + 1).substring(0, bytes).getBytes(StandardCharsets.UTF_8);
            };
        }
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 3, time = 1)
    @Measurement(iterations = 5, time = 1)
    @Fork(2)
    public List<Finding> postern(Text text) {
        return text.detector.scan(text.utf8);
    }

    /** The rules as expressions, and the same clean JSON. */
    @State(Scope.Benchmark)
    public static class Expressions {
        private final String json = new String(cleanJson(MEBIBYTE), StandardCharsets.UTF_8);
        private final List<Pattern> java =
                DetectRegexes.all().stream().map(Pattern::compile).toList();
        private final List<com.google.re2j.Pattern> re2 = DetectRegexes.all().stream()
                .map(com.google.re2j.Pattern::compile)
                .toList();
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 1)
    @Measurement(iterations = 2)
    @Fork(1)
    public int javaRegexesOneByOne(Expressions expressions) {
        int found = 0;
        for (Pattern pattern : expressions.java) {
            found += pattern.matcher(expressions.json).find() ? 1 : 0;
        }
        return found;
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 1)
    @Measurement(iterations = 2)
    @Fork(1)
    public int re2jOneByOne(Expressions expressions) {
        int found = 0;
        for (com.google.re2j.Pattern pattern : expressions.re2) {
            found += pattern.matcher(expressions.json).find() ? 1 : 0;
        }
        return found;
    }

    private static final String[] WORDS = ("the quick request returned status for user list item with total page and"
                    + " created description of a project file path token count key value public name update number"
                    + " error message server client response type string boolean repository issue comment label"
                    + " milestone author commit branch merge password authentication")
            .split(" ", -1);

    /** A list as an API returns it: identifiers, hashes, addresses, public keys, prose with line ends; no secret. */
    static byte[] cleanJson(int bytes) {
        Random random = new Random(11);
        StringBuilder json = new StringBuilder(bytes + 4096).append("{\"items\":[");
        while (json.length() < bytes) {
            json.append(json.length() > 12 ? "," : "")
                    .append("{\"id\":")
                    .append(random.nextInt(1_000_000))
                    .append(",\"uuid\":\"")
                    .append(new UUID(random.nextLong(), random.nextLong()))
                    .append("\",\"sha\":\"")
                    .append(HexFormat.of().toHexDigits(random.nextLong()))
                    .append(HexFormat.of().toHexDigits(random.nextLong()))
                    .append("\",\"url\":\"https://api.example.com/v1/items/")
                    .append(random.nextInt(9999))
                    .append("?page=2\",\"public_key\":\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5\",\"created_at\":"
                            + "\"2026-01-02T03:04:05Z\",\"text\":\"");
            appendProse(json, random, 20 + random.nextInt(60), "\\n");
            json.append("\",\"next_page_token\":null,\"max_tokens\":4096,\"ok\":true}");
        }
        return json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] prose(int bytes) {
        Random random = new Random(12);
        StringBuilder text = new StringBuilder(bytes + 4096);
        while (text.length() < bytes) {
            appendProse(text, random, 100, "\n");
            text.append(". ");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void appendProse(StringBuilder text, Random random, int words, String lineEnd) {
        for (int i = 0; i < words; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
            if (random.nextInt(15) == 0) {
                text.append(lineEnd);
            }
        }
    }
}
