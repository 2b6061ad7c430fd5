package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern kill}: stops calls at once, or lets them through again (A3). */
@Command(
        name = "kill",
        description =
                "Stop every call (on), or let calls through again (off). Calls that wait or run are stopped, too.",
        footer = {"", "Example: postern kill on --agent ci --reason 'it loops'"})
final class KillCommand extends PosternCommand {
    enum Position {
        ON,
        OFF,
        STATUS
    }

    @Parameters(paramLabel = "on|off|status")
    private Position position = Position.STATUS;

    @Option(names = "--agent", paramLabel = "NAME", description = "Only the calls of this agent.")
    private @Nullable String agent;

    @Option(
            names = "--server",
            paramLabel = "NAME",
            description = "Only the calls to this server. With --agent, either stops a call.")
    private @Nullable String server;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for whoever looks later.")
    private @Nullable String reason;

    @Override
    void run() {
        JsonValue answer = position == Position.STATUS
                ? gateway().ask("kill.status", Map.of())
                : gateway().ask("kill", arguments());
        if (json()) {
            print(answer);
            return;
        }
        String stopped = Documents.text(answer, "calls_stopped");
        if (!stopped.isEmpty() && !stopped.equals("0")) {
            out().println("calls stopped while they ran: " + stopped);
        }
        List<JsonValue> engaged = Documents.elements(answer, "engaged");
        if (engaged.isEmpty()) {
            out().println(position == Position.OFF ? "calls go through again" : "nothing is stopped");
        }
        engaged.forEach(kill -> out().println(line(kill)));
        out().flush();
    }

    private Map<String, Object> arguments() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("on", position == Position.ON);
        if (agent != null) {
            arguments.put("agent", agent);
        }
        if (server != null) {
            arguments.put("server", server);
        }
        if (reason != null) {
            arguments.put("reason", reason);
        }
        return arguments;
    }

    /** One engaged switch: what, since when, by whom, why. */
    static String line(JsonValue kill) {
        String scope = Documents.text(kill, "scope");
        String name = Table.visible(Documents.text(kill, "name"));
        String what = switch (scope) {
            case "ALL" -> "every call is stopped";
            case "AGENT" -> "every call of the agent " + name + " is stopped";
            default -> "every call to the server " + name + " is stopped";
        };
        String why = Documents.text(kill, "reason");
        return what + ", since " + Documents.text(kill, "since") + ", by "
                + Table.visible(Documents.text(kill, "actor")) + (why.isEmpty() ? "" : ": " + Table.visible(why));
    }
}
