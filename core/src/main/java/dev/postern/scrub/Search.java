package dev.postern.scrub;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is looked for: everything derived from a set of values. The watch is ready at once; the automaton is built when
 * a text first asks for a closer look, since most never do.
 */
final class Search {
    private final List<Pattern> patterns;
    private final List<Scalar> scalars;
    private final Decompositions decompositions;
    private final boolean lineEndsVary;
    private final int shortestEscaped;
    private final Watch watch;
    private volatile @Nullable Machines machines;
    private volatile boolean wiped;

    private record Machines(Automaton automaton, Heads heads) {}

    /** @param thorough whether to match every text as a whole, without a look from afar: for tests of that look */
    Search(Forms forms, boolean thorough) {
        this.patterns = List.copyOf(forms.patterns());
        this.scalars = List.copyOf(forms.scalars());
        this.decompositions = forms.decompositions();
        this.lineEndsVary = forms.haveLines();
        this.shortestEscaped = forms.shortestEscaped();
        this.watch = new Watch(forms, thorough);
    }

    boolean isEmpty() {
        return patterns.isEmpty();
    }

    Watch watch() {
        return watch;
    }

    List<Scalar> scalars() {
        return scalars;
    }

    Decompositions decompositions() {
        return decompositions;
    }

    boolean lineEndsVary() {
        return lineEndsVary;
    }

    /** See {@link Forms#shortestEscaped()}. */
    int shortestEscaped() {
        return shortestEscaped;
    }

    Automaton automaton() {
        return machines().automaton;
    }

    Heads heads() {
        return machines().heads;
    }

    private Machines machines() {
        Machines built = machines;
        if (built == null) {
            synchronized (this) {
                built = machines;
                if (built == null) {
                    built = new Machines(new Automaton(patterns), new Heads(patterns));
                    machines = built;
                }
            }
        }
        if (wiped) {
            throw new IllegalStateException("the scrubber is closed");
        }
        return built;
    }

    boolean isWiped() {
        return wiped;
    }

    synchronized void wipe() {
        wiped = true;
        patterns.forEach(Pattern::wipe);
        watch.wipe();
        Machines built = machines;
        if (built != null) {
            built.automaton.wipe();
            built.heads.wipe();
        }
    }
}
