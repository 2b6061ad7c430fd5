package dev.postern.bench;

import dev.postern.reference.ReferenceFinder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
 * What a call without a reference pays: the marker scan, beside {@link String#indexOf(int)} for a brace over the same
 * bytes. The yardstick is given a text whose only brace is the last byte, since on a JSON object as it is it would
 * stop at once; the scan runs over the whole of either.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class MarkerScanBenchmark {
    @Param({"1500", "65536"})
    public int bytes;

    private byte[] arguments = {};
    private byte[] escaped = {};
    private String yardstick = "";

    @Setup
    public void prepare() {
        arguments = arguments(" ");
        escaped = arguments("\\u00e9");
        yardstick = new String(arguments, StandardCharsets.ISO_8859_1).replace('{', '[');
        yardstick = yardstick.substring(0, yardstick.length() - 1) + "{";
    }

    /** Arguments as a file-writing tool takes them: nested objects, and prose with {@code gap} between words. */
    private byte[] arguments(String gap) {
        Random random = new Random(7);
        StringBuilder json = new StringBuilder("{\"path\":\"/srv/notes/today.md\",\"options\":{\"mode\":\"append\"},"
                + "\"tags\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"content\":\"");
        while (json.length() < bytes - 2) {
            for (int letters = 2 + random.nextInt(9); letters > 0; letters--) {
                json.append((char) ('a' + random.nextInt(26)));
            }
            json.append(gap);
        }
        json.setLength(json.lastIndexOf(gap));
        while (json.length() < bytes - 2) {
            json.append('.');
        }
        json.setLength(bytes - 2);
        return json.append("\"}").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Benchmark
    public boolean markerScan() {
        return ReferenceFinder.mightContain(arguments);
    }

    /** The same where every word ends in an escape that could begin a marker. */
    @Benchmark
    public boolean markerScanAmongEscapes() {
        return ReferenceFinder.mightContain(escaped);
    }

    @Benchmark
    public int indexOfBrace() {
        return yardstick.indexOf('{');
    }
}
