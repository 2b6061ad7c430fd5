package dev.postern.app.run;

import dev.postern.app.posix.Child;
import dev.postern.app.posix.Signals;
import dev.postern.app.posix.Terminal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands signals on to the child, from the moment it is made; those that come before the child does wait for it.
 *
 * <p>What a terminal sends on a key goes to every process of its foreground group. A child without a session of its own is in
 * our group and has had it already; it is not sent twice, for many programs take a second interrupt as an order to drop
 * everything.
 */
final class SignalRelay {
    private static final List<String> PASSED_ON = List.of("TERM", "HUP", "USR1");

    private final StandardStreams streams;
    private final List<Integer> early = new ArrayList<>();
    private @Nullable Child child;
    private boolean ended;

    SignalRelay(StandardStreams streams) {
        this.streams = streams;
        PASSED_ON.forEach(name -> Signals.listen(name, this::pass));
        Signals.listen("INT", this::passUnlessTyped);
        Signals.listen("WINCH", number -> {
            streams.resize();
            passUnlessTyped(number);
        });
    }

    private void passUnlessTyped(int number) {
        if (streams.ownTerminal() || !Terminal.isForeground()) {
            pass(number);
        } else {
            hurryIfEnded();
        }
    }

    private synchronized void pass(int number) {
        if (child == null) {
            early.add(number);
        } else {
            child.signal(number);
            hurryIfEnded();
        }
    }

    private synchronized void hurryIfEnded() {
        if (ended) {
            streams.hurry();
        }
    }

    /** The child is there. */
    synchronized void to(Child started) {
        child = started;
        early.forEach(started::signal);
        early.clear();
        Signals.ignoreQuit();
    }

    /** The child is gone: from now on a signal ends the wait for whatever it left behind. */
    synchronized void ended() {
        ended = true;
    }
}
