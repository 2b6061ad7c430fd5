package dev.postern.app.cli;

import java.io.Console;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Shows in one line of a terminal how far something long has come, and clears it at the end. Not thread-safe. */
final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final @Nullable PrintStream terminal;
    private final String unit;
    private long shown = -1;

    /**
     * A bar that has not been drawn.
     *
     * @param terminal where to draw; null draws nothing
     * @param unit what is counted, such as {@code lines}
     */
    ProgressBar(@Nullable PrintStream terminal, String unit) {
        this.terminal = terminal;
        this.unit = unit;
    }

    /** On standard error if a person is looking, so that what goes to standard output stays clean. */
    @SuppressWarnings("SystemConsoleNull") // JDK 25 is back at null where a stream is redirected
    static ProgressBar of(String unit) {
        Console console = System.console();
        return new ProgressBar(console != null && console.isTerminal() ? System.err : null, unit);
    }

    /** Draws only when there is something new to see: a thousandth of the whole. */
    void at(long done, long total) {
        long step = done * 1_000 / Math.max(total, 1);
        if (terminal != null && step != shown) {
            shown = step;
            int filled = (int) (step * WIDTH / 1_000);
            terminal.print(CLEAR_LINE + "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + step / 10 + "."
                    + step % 10 + " %, " + done + " of " + total + " " + unit);
            terminal.flush();
        }
    }

    /** Clears the line, if anything was drawn. */
    @Override
    public void close() {
        if (terminal != null && shown >= 0) {
            terminal.print(CLEAR_LINE);
            terminal.flush();
        }
    }
}
