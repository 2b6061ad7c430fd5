package dev.postern.bench;

import com.hankcs.algorithm.AhoCorasickDoubleArrayTrie;
import dev.blaauwendraad.masker.json.JsonMasker;
import dev.postern.json.JsonStrings;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.Scrubber;
import dev.postern.secret.SecretValue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ahocorasick.trie.Trie;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Taking live values out of a result of 150,000 characters. The peers look for the same values in the same clean prose,
 * each in eight forms only (as it is, in JSON, percent-encoded, base64 at three alignments, hex in both cases), and do no
 * more than look: none decodes, checks that the message is JSON or replaces. The key-based masker knows no values; it is
 * a yardstick of what reading JSON costs.
 *
 * <pre>bench/scrub.sh</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ScrubBenchmark {
    /** A result without values in it. */
    @State(Scope.Benchmark)
    public static class Clean {
        @Param({"prose", "code", "nested", "records", "image"})
        public String kind = "";

        @Param({"32", "1000"})
        public int values;

        byte[] json = {};
        Scrubber scrubber = Scrubber.of(List.of());

        @Setup
        public void prepare() {
            json = Results.result(kind, List.of());
            scrubber = scrubber(Results.values(values));
        }
    }

    @Benchmark
    public byte[] clean(Clean clean) {
        return clean.scrubber.scrub(clean.json);
    }

    /** A result with a hundred values in it. */
    @State(Scope.Benchmark)
    public static class Hits {
        @Param({"prose", "code", "nested", "records"})
        public String kind = "";

        byte[] json = {};
        Scrubber scrubber = Scrubber.of(List.of());

        @Setup
        public void prepare() {
            List<String> values = Results.values(32);
            List<String> planted = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                planted.add(values.get(i % 32));
            }
            json = Results.result(kind, planted);
            scrubber = scrubber(values);
        }
    }

    @Benchmark
    public byte[] hundredHits(Hits hits) {
        return hits.scrubber.scrub(hits.json);
    }

    /** Texts made to hurt: twice the size must cost twice the time. */
    @State(Scope.Benchmark)
    public static class Hostile {
        @Param({"%25", "\\", "&amp;", "&#x26;", "aaaaaaaa", "abababab", "\\u0061", "%61%62", "YWFh", "6161"})
        public String kind = "";

        @Param({"65536", "131072"})
        public int bytes;

        byte[] json = {};
        Scrubber scrubber = Scrubber.of(List.of());

        @Setup
        public void prepare() {
            String text = kind.repeat(bytes / kind.length());
            json = ("{\"text\":" + JsonStrings.quote(text) + "}").getBytes(StandardCharsets.UTF_8);
            scrubber = scrubber(List.of("a".repeat(24), "ab".repeat(12), "Tr0ub4dor&3\"more"));
        }
    }

    @Benchmark
    public byte[] hostile(Hostile hostile) {
        return hostile.scrubber.scrub(hostile.json);
    }

    /** 32 values in eight forms each, and a clean result to look for them in. */
    @State(Scope.Benchmark)
    public static class Peers {
        private final byte[] json = Results.result("prose", List.of());
        private final String text = new String(json, StandardCharsets.UTF_8);
        private final List<String> forms = Results.values(32).stream()
                .flatMap(value -> forms(value).stream())
                .distinct()
                .toList();
        private final Pattern alternation =
                Pattern.compile(forms.stream().map(Pattern::quote).collect(Collectors.joining("|")));
        private final AhoCorasickDoubleArrayTrie<String> doubleArray = new AhoCorasickDoubleArrayTrie<>();
        private final Trie trie = Trie.builder().addKeywords(forms).build();
        private final JsonMasker masker = JsonMasker.getMasker(Set.of("password", "token"));

        @Setup
        public void prepare() {
            TreeMap<String, String> words = new TreeMap<>();
            forms.forEach(form -> words.put(form, form));
            doubleArray.build(words);
        }
    }

    @Benchmark
    public int indexOfPerForm(Peers peers) {
        int found = 0;
        for (String form : peers.forms) {
            found += peers.text.indexOf(form) >= 0 ? 1 : 0;
        }
        return found;
    }

    @Benchmark
    public boolean alternationOfForms(Peers peers) {
        return peers.alternation.matcher(peers.text).find();
    }

    @Benchmark
    public boolean doubleArrayTrie(Peers peers) {
        return peers.doubleArray.matches(peers.text);
    }

    @Benchmark
    public boolean trie(Peers peers) {
        return peers.trie.containsMatch(peers.text);
    }

    @Benchmark
    public byte[] keyBasedMasker(Peers peers) {
        return peers.masker.mask(peers.json);
    }

    private static Scrubber scrubber(List<String> values) {
        List<LiveSecret> live = new ArrayList<>();
        for (String value : values) {
            live.add(new LiveSecret(
                    "{{vault:s" + live.size() + "}}", new SecretValue(value.getBytes(StandardCharsets.UTF_8))));
        }
        return Scrubber.of(live);
    }

    private static List<String> forms(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        List<String> forms = new ArrayList<>(List.of(
                value,
                JsonStrings.quote(value).substring(1, JsonStrings.quote(value).length() - 1),
                URLEncoder.encode(value, StandardCharsets.UTF_8),
                HexFormat.of().formatHex(bytes),
                HexFormat.of().withUpperCase().formatHex(bytes)));
        for (int alignment = 0; alignment < 3; alignment++) {
            byte[] shifted = new byte[alignment + bytes.length];
            System.arraycopy(bytes, 0, shifted, alignment, bytes.length);
            String encoded = Base64.getEncoder().withoutPadding().encodeToString(shifted);
            forms.add(encoded.substring((8 * alignment + 5) / 6, (8 * (alignment + bytes.length)) / 6));
        }
        return forms;
    }
}
