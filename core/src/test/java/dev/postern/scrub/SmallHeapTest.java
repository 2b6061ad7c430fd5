package dev.postern.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** S10: what there is no memory to look through is not delivered, and the next message is. */
class SmallHeapTest {
    private static final String VALUE = "Zq7w/R+9kT2mXv4b";

    /** Full of escapes that could hide a part of a value, so that all of it is looked at closely. */
    private static byte[] message(int bytes) {
        String text = "\\Z\\w".repeat(bytes / 4) + VALUE;
        return JsonStrings.quote(text).getBytes(StandardCharsets.UTF_8);
    }

    /** Run with a small heap. */
    public static void main(String[] arguments) {
        try (Scrubber scrubber = Scrubber.of(
                List.of(new LiveSecret("{{vault:x}}", new SecretValue(VALUE.getBytes(StandardCharsets.UTF_8)))))) {
            byte[] large = message(3_000_000);
            for (int i = 0; i < 2; i++) {
                try {
                    scrubber.scrub(large);
                    System.out.println("delivered");
                } catch (ScrubFailedException e) {
                    System.out.println(e.getMessage());
                }
            }
            try {
                scrubber.scrubText(large);
                System.out.println("delivered");
            } catch (ScrubFailedException e) {
                System.out.println(e.getMessage());
            }
            System.out.println(
                    new String(scrubber.scrub(message(400)), StandardCharsets.UTF_8).contains("{{vault:x}}"));
        }
    }

    @Test
    @Timeout(120)
    @DisplayName("S10: a message too large for the memory there is fails, and nothing else does")
    void failsByItself() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx40m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        SmallHeapTest.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String failed = "VAULT_SCRUB_FAILED: the text is too large to be looked through in the memory there is";
        assertThat(said.lines()).containsExactly(failed, failed, failed, "true");
        assertThat(process.waitFor()).isZero();
    }
}
