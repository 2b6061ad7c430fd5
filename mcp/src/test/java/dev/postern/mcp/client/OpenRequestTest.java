package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class OpenRequestTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final OpenRequest request = new OpenRequest(1, "tools/call", null, "tag");

    @Test
    void whileTheClientIsAskedTheServersTimeStandsStill() {
        AtomicInteger looks = new AtomicInteger();
        byte[] answer = request.await(Duration.ofMillis(1), HOUR, () -> {
            if (looks.incrementAndGet() == 3) {
                request.answered(new byte[] {7});
            }
            return true;
        });
        assertThat(answer).containsExactly(7);
        assertThat(looks).hasValue(3);
    }

    @Test
    void theLongestTimeExcusesNobody() {
        assertThatThrownBy(() -> request.await(HOUR, Duration.ofMillis(1), () -> true))
                .isInstanceOf(UpstreamException.class)
                .hasMessage("the server did not answer in time")
                .extracting("kind")
                .isEqualTo(Kind.TIMED_OUT);
    }

    @Test
    void whatComesAfterTheEndChangesNothing() {
        request.fail(Kind.CANCELLED, "given up");
        request.answered(new byte[0]);
        assertThat(request.answerNow()).isNull();
        assertThatThrownBy(() -> request.await(HOUR, HOUR, () -> false)).hasMessage("given up");
    }
}
