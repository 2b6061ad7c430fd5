package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;
import dev.postern.store.file.DataDirectory;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;

/** {@code postern stop}: ends the gateway gracefully and waits until it is gone. */
@Command(name = "stop", description = "Stop the gateway.")
final class StopCommand extends PosternCommand {
    private static final int PATIENCE_SECONDS = 30;
    private static final int LOOKS_A_SECOND = 10;

    @Override
    void run() throws Exception {
        JsonValue answer = gateway().ask("stop", Map.of());
        long pid = Long.parseLong(Documents.text(answer, "pid"));
        if (pid != ProcessHandle.current().pid() && !awaitEnd(pid)) {
            throw new ControlException(
                    ExitCode.FAILED,
                    "the gateway did not end within " + PATIENCE_SECONDS + " s; its process is " + pid + ".");
        }
        if (json()) {
            print(answer);
        } else {
            out().println("stopped");
        }
    }

    /**
     * Waits until the process is gone or has let go of the data directory, which is the last thing it does: where whoever
     * started it has not collected its exit code yet, the process itself stays on as a zombie.
     */
    private boolean awaitEnd(long pid) throws InterruptedException, ExecutionException {
        CompletableFuture<ProcessHandle> exit =
                ProcessHandle.of(pid).map(ProcessHandle::onExit).orElse(null);
        for (int look = 0; exit != null && look < PATIENCE_SECONDS * LOOKS_A_SECOND; look++) {
            try {
                exit.get(1000 / LOOKS_A_SECOND, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                if (!DataDirectory.isHeld(dataDirectory())) {
                    return true;
                }
            }
        }
        return exit == null;
    }
}
