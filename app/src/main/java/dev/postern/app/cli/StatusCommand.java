package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code postern status}: whether a gateway runs here, and how it is. */
@Command(name = "status", description = "Show whether the gateway runs, and how it is.")
final class StatusCommand extends PosternCommand {
    @Override
    void run() {
        JsonValue status = gateway().ask("status", Map.of());
        if (json()) {
            print(status);
            return;
        }
        out().println("running      " + Documents.text(status, "url") + " (process " + Documents.text(status, "pid")
                + ")");
        out().println("agents use   " + Documents.text(status, "mcp"));
        out().println("servers      " + Table.visible(Documents.joined(status, "servers")));
        out().println("secrets      " + Documents.text(status, "secrets"));
        out().println("waiting      " + Documents.text(status, "waiting"));
        List<JsonValue> engaged = Documents.elements(status, "engaged");
        out().println("kill switch  " + (engaged.isEmpty() ? "off" : "ON"));
        engaged.forEach(kill -> out().println("             " + KillCommand.line(kill)));
        out().flush();
    }
}
