package dev.postern.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.leak.LeakFinder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S2, S3, S4, S6, S10 by chance: what the leak finder, written separately, slow and obvious, cannot find is not there.
 *
 * <p>A build tries the same messages each time, so that it fails by what was changed and not by chance. For others:
 * {@code -Dpostern.fuzz.runs=10000000 -Dpostern.fuzz.seed=7}; a failure names its seed, which then joins those below.
 */
@Timeout(value = 1, unit = TimeUnit.DAYS) // millions of messages take hours
class LeakFuzzTest {
    private static final int RUNS = Integer.getInteger("postern.fuzz.runs", 100_000);
    private static final long SEED = Long.getLong("postern.fuzz.seed", 1);

    @Test
    void noValueCanBeReadFromWhatComesOut() {
        AtomicLong done = new AtomicLong();
        LongStream.range(0, RUNS).parallel().forEach(run -> {
            check(SEED + run * 0x9E3779B97F4A7C15L);
            done.incrementAndGet();
        });
        assertThat(done).hasValue(RUNS);
    }

    /** Messages in which a value was once missed. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                959162362514031640L,
                7764486432623710258L,
                -8383575704073336404L,
                -5237115976756778267L,
                4068242676889285439L,
                2303847644833040512L,
                6195812547687189011L,
                4981667335632431671L,
                2925663707708091271L,
                -4644321035993450781L,
                -2866532919053571993L,
                2355044056795463489L,
                6223902086631701818L,
                2571998659917299699L,
                -4583442041867541847L,
                -2948791413060908236L,
                -1122120012127923004L,
                7204536986860398241L,
                -2773419264517449286L,
                5174949566357044523L,
                -7170252116708814307L,
                9128547129951005194L,
                -4286311905072327571L,
                -6899416310592867605L,
                -6860555522086028147L,
                8996337852650948790L,
                8987267895608138797L,
                -4371725894232139840L
            })
    void whatWasMissedOnceIsFound(long seed) {
        check(seed);
    }

    static void check(long seed) {
        FuzzMessage message = new FuzzMessage(seed);
        List<LiveSecret> live = live(message);
        List<String> placeholders = live.stream().map(LiveSecret::placeholder).toList();
        LeakFinder leaks = new LeakFinder(message.values(), placeholders);
        try (Scrubber scrubber = Scrubber.of(live)) {
            byte[] input = message.json();
            JsonValue.parse(input);
            byte[] output = scrubber.scrub(input);
            JsonValue.parse(output);
            assertThat(leaks.inJson(output))
                    .as("seed %d, forms %s", seed, message.forms())
                    .isEmpty();
            assertThat(scrubber.scrub(output))
                    .as("seed %d: once is enough", seed)
                    .isSameAs(output);
        }
    }

    /**
     * The look from afar, which lets most texts pass, against a close look at everything. The seeds are always the same:
     * the two may differ in how much they take around a value, which chance would turn up one day.
     */
    @Test
    void whatIsLetPassFromAfarHoldsNothing() {
        LongStream.range(0, 20_000).parallel().forEach(run -> {
            long seed = run * 0x9E3779B97F4A7C15L;
            FuzzMessage message = new FuzzMessage(seed);
            List<LiveSecret> live = live(message);
            try (Scrubber scrubber = Scrubber.of(live);
                    Scrubber thorough = Scrubber.thorough(live, List.of())) {
                List<Occurrences.Place> found = scrubber.look(message.json()).places();
                for (Occurrences.Place place : thorough.look(message.json()).places()) {
                    assertThat(found)
                            .as("seed %d, forms %s, at %d", seed, message.forms(), place.start())
                            .anyMatch(other -> other.start() < place.end() && other.end() > place.start());
                }
            }
        });
    }

    /** Streams: pieces of any size, the same answer. */
    @Test
    void textInPiecesComesOutAsInOne() {
        LongStream.range(0, 5_000).parallel().forEach(run -> {
            long seed = SEED + run * 0x9E3779B97F4A7C15L;
            FuzzMessage message = new FuzzMessage(seed);
            SplittableRandom random = new SplittableRandom(seed);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            for (int part = random.nextInt(12); part >= 0; part--) {
                text.writeBytes(message.plainText());
                text.write('\n');
            }
            byte[] whole = text.toByteArray();
            try (Scrubber scrubber = Scrubber.of(live(message))) {
                assertThat(inPieces(scrubber, whole, random))
                        .as("seed %d, forms %s", seed, message.forms())
                        .isEqualTo(scrubber.scrubText(whole));
            }
        });
    }

    private static byte[] inPieces(Scrubber scrubber, byte[] text, SplittableRandom random) {
        int longest = 1 + random.nextInt(random.nextBoolean() ? 20 : 6000);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TextScrubber pieces = scrubber.text(out)) {
            for (int at = 0; at < text.length; ) {
                int count = Math.min(text.length - at, 1 + random.nextInt(longest));
                pieces.write(text, at, count);
                at += count;
            }
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return out.toByteArray();
    }

    private static List<LiveSecret> live(FuzzMessage message) {
        List<LiveSecret> live = new ArrayList<>();
        for (String value : message.values()) {
            live.add(new LiveSecret(
                    "{{vault:s" + live.size() + "}}", new SecretValue(value.getBytes(StandardCharsets.UTF_8))));
        }
        return live;
    }
}
