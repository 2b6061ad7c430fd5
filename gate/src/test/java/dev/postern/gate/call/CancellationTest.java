package dev.postern.gate.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private final Cancellation cancellation = new Cancellation();
    private final List<String> woken = new ArrayList<>();

    @Test
    void whoListensIsWokenOnce() {
        try (var _ = cancellation.onFire(() -> woken.add("one"));
                var _ = cancellation.onFire(() -> woken.add("two"))) {
            assertThat(cancellation.isFired()).isFalse();
            cancellation.fire();
            cancellation.fire();
        }

        assertThat(woken).containsExactly("one", "two");
        assertThat(cancellation.isFired()).isTrue();
    }

    @Test
    void whoComesLateIsWokenAtOnce() {
        cancellation.fire();
        cancellation.onFire(() -> woken.add("late")).close();

        assertThat(woken).containsExactly("late");
    }

    @Test
    void whoHasLeftIsNotWoken() {
        cancellation.onFire(() -> woken.add("gone")).close();
        cancellation.fire();

        assertThat(woken).isEmpty();
    }
}
