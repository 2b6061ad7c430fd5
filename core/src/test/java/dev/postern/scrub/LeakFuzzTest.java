package dev.postern.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.leak.LeakFinder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** S2, S3, S4, S6, S10 by chance: what the leak finder cannot find is not there. */
class LeakFuzzTest {
    @Property(tries = 3000, shrinking = ShrinkingMode.OFF)
    void noValueCanBeReadFromWhatComesOut(@ForAll long seed) {
        check(seed);
    }

    static void check(long seed) {
        FuzzMessage message = new FuzzMessage(seed);
        List<LiveSecret> live = new ArrayList<>();
        List<String> placeholders = new ArrayList<>();
        for (String value : message.values()) {
            String placeholder = "{{vault:s" + live.size() + "}}";
            placeholders.add(placeholder);
            live.add(new LiveSecret(placeholder, new SecretValue(value.getBytes(StandardCharsets.UTF_8))));
        }
        try (Scrubber scrubber = Scrubber.of(live)) {
            byte[] input = message.json();
            JsonValue.parse(input);
            byte[] output = scrubber.scrub(input);
            JsonValue.parse(output);
            assertThat(new LeakFinder(message.values(), placeholders).inJson(output))
                    .as("seed %d, forms %s", seed, message.forms())
                    .isEmpty();
            assertThat(scrubber.scrub(output))
                    .as("seed %d: once is enough", seed)
                    .isSameAs(output);
        }
    }
}
