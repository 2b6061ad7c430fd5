package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A share is exact, however many take of it at once. */
class AgentSharesTest {
    private static final int MOST = 5;
    private static final int THREADS = 8;
    private static final int ROUNDS = 2_000;

    @Test
    void exactlyAsManyAreTakenAsMayBe() throws Exception {
        AgentShares shares = new AgentShares(MOST);
        CyclicBarrier together = new CyclicBarrier(THREADS);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<List<Boolean>>> takers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                takers.add(threads.submit(() -> {
                    List<Boolean> got = new ArrayList<>();
                    for (int round = 0; round < ROUNDS; round++) {
                        together.await();
                        got.add(shares.take("agent"));
                        together.await();
                        if (got.getLast()) {
                            shares.giveBack("agent");
                        }
                    }
                    return got;
                }));
            }
            for (int round = 0; round < ROUNDS; round++) {
                int taken = 0;
                for (Future<List<Boolean>> taker : takers) {
                    taken += taker.get().get(round) ? 1 : 0;
                }
                assertThat(taken).as("in round %d", round).isEqualTo(MOST);
            }
        }
    }

    @Test
    void severalAreTakenAllOrNoneAndForEachAgentOnItsOwn() {
        AgentShares shares = new AgentShares(MOST);
        assertThat(shares.take("one", 4)).isTrue();
        assertThat(shares.take("one", 2)).isFalse();
        assertThat(shares.take("other", 5)).isTrue();
        assertThat(shares.take("one", 1)).isTrue();
        shares.giveBack("one", 3);
        assertThat(shares.take("one", 3)).isTrue();
        assertThat(shares.take("one")).isFalse();
    }
}
