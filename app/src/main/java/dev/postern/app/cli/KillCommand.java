package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code postern kill}: stops every call at once, or lets calls through again (A3). */
@Command(name = "kill", description = "Stop every call (on), or let calls through again (off).")
final class KillCommand extends PosternCommand {
    enum Position {
        ON,
        OFF
    }

    @Parameters(paramLabel = "on|off")
    private Position position = Position.ON;

    @Override
    void run() {
        boolean on = position == Position.ON;
        JsonValue answer = gateway().ask("kill", Map.of("on", on));
        if (json()) {
            print(answer);
        } else {
            out().println(on ? "every call is stopped" : "calls go through again");
        }
    }
}
