package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/** {@code postern stop}: ends the gateway gracefully and waits until it is gone. */
@Command(name = "stop", description = "Stop the gateway.")
final class StopCommand extends PosternCommand {
    private static final long PATIENCE_SECONDS = 30;

    @Override
    void run() throws Exception {
        JsonValue answer = gateway().ask("stop", Map.of());
        long pid = Long.parseLong(Documents.text(answer, "pid"));
        var process = ProcessHandle.of(pid);
        if (process.isPresent() && pid != ProcessHandle.current().pid()) {
            process.get().onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        if (json()) {
            print(answer);
        } else {
            out().println("stopped");
        }
    }
}
