package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.agent.Caller;
import dev.postern.mcp.relay.AnswerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent's share of sessions counts those that are only about to open, too. */
@Timeout(300)
class LegacySessionsTest {
    private static final int MOST = 5;

    private final Caller caller = new Caller("agent", "agent", "user", Set.of());

    @Test
    void sessionsThatAreJustBeingOpenedCount() throws Exception {
        CountDownLatch opening = new CountDownLatch(MOST);
        CountDownLatch goOn = new CountDownLatch(1);
        try (LegacySessions sessions = new LegacySessions(MOST, System::nanoTime);
                ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> openings = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                openings.add(each.submit(() -> assertThatThrownBy(() -> sessions.open(caller, () -> {
                            opening.countDown();
                            await(goOn);
                            throw new AnswerException(1, "it cannot be opened after all");
                        }))
                        .isInstanceOf(AnswerException.class)));
            }
            opening.await();
            assertThat(sessions.open(caller, () -> {
                        throw new AssertionError("one more is opened");
                    }))
                    .isNull();
            goOn.countDown();
            for (Future<?> done : openings) {
                done.get();
            }
            assertThatThrownBy(() -> sessions.open(caller, () -> {
                        throw new AnswerException(1, "there is room again");
                    }))
                    .hasMessage("there is room again");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
