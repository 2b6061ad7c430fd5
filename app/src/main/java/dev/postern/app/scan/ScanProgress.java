package dev.postern.app.scan;

import java.io.Console;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Shows in one line of a terminal how far a scan has come, and clears it at the end. Not thread-safe. */
public final class ScanProgress implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final @Nullable PrintStream terminal;
    private final int total;
    private int done;
    private int shown = -1;

    /** @param terminal where to draw; null draws nothing */
    ScanProgress(@Nullable PrintStream terminal, int total) {
        this.terminal = terminal;
        this.total = total;
    }

    /** On standard error if a person is looking, so that what goes to standard output stays clean. */
    @SuppressWarnings("SystemConsoleNull") // JDK 25 is back at null where a stream is redirected
    public static ScanProgress of(int total) {
        Console console = System.console();
        return new ScanProgress(console != null && console.isTerminal() ? System.err : null, total);
    }

    /** One more file is done. Draws only when the bar grows. */
    public void step() {
        done++;
        int filled = (int) ((long) done * WIDTH / Math.max(total, 1));
        if (terminal != null && filled != shown) {
            shown = filled;
            terminal.print(CLEAR_LINE + "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + done + " of "
                    + total + " files");
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
