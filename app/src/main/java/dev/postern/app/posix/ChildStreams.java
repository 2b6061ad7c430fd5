package dev.postern.app.posix;

import org.jspecify.annotations.Nullable;

/**
 * Where a child's standard streams lead.
 *
 * @param own the child's own terminal, in a session of its own: its three streams lead there, but for {@code errors}; null
 *     for a child that stays in our session and reads what we would read
 * @param output null for the own terminal
 * @param errors null for the own terminal
 */
public record ChildStreams(
        @Nullable PseudoTerminal own,
        @Nullable Sink output,
        @Nullable Sink errors) {

    /** Where output goes: into a pipe, or to a pseudo-terminal that controls nothing. */
    public sealed interface Sink {
        /** The end of a pipe that is written to. */
        record Pipe(Descriptor writeEnd) implements Sink {}

        /** A terminal to write to, so that the child shows colours. */
        record Screen(PseudoTerminal terminal) implements Sink {}
    }
}
