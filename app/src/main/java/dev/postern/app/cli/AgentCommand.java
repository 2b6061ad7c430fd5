package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern agent}: who may call (A1). */
@Command(
        name = "agent",
        description = "Add, list and revoke agents, and rotate their keys.",
        subcommands = {
            AgentCommand.Add.class,
            AgentCommand.Rotate.class,
            AgentCommand.Listing.class,
            AgentCommand.Revoke.class
        })
final class AgentCommand extends PosternGroup {

    @Command(name = "add", description = "Add an agent; its key is printed once.")
    static final class Add extends PosternCommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Option(
                names = "--deny",
                paramLabel = "PERMISSION",
                description = "Take a permission away: tool.call or secret.use; repeatable.")
        private List<String> denied = new ArrayList<>();

        @Option(
                names = "--expires",
                paramLabel = "TIME",
                description = "The key ends after so long, such as 30d; without it, when it is revoked.")
        private @Nullable String expires;

        @Override
        void run() {
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("name", name);
            arguments.put("deny", denied);
            putSeconds(this, arguments, "expires_seconds", "--expires", expires);
            show(this, gateway().ask("agent.add", arguments), "added " + name);
        }
    }

    @Command(
            name = "rotate",
            description = "Give an agent another key, printed once. The old one ends at once, or after --overlap.",
            footer = {"", "Example: postern agent rotate ci --overlap 10m --expires 30d"})
    static final class Rotate extends PosternCommand {
        @Parameters(paramLabel = "ID|NAME")
        private String agent = "";

        @Option(
                names = "--overlap",
                paramLabel = "TIME",
                description = "The old key works for so long, such as 10m; without it, sessions and calls end now.")
        private @Nullable String overlap;

        @Option(names = "--expires", paramLabel = "TIME", description = "The new key ends after so long, such as 30d.")
        private @Nullable String expires;

        @Override
        void run() {
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("agent", agent);
            putSeconds(this, arguments, "overlap_seconds", "--overlap", overlap);
            putSeconds(this, arguments, "expires_seconds", "--expires", expires);
            show(this, gateway().ask("agent.rotate", arguments), "rotated " + agent);
        }
    }

    private static void putSeconds(
            PosternCommand command, Map<String, Object> arguments, String name, String option, @Nullable String time) {
        if (time != null) {
            arguments.put(
                    name,
                    Times.parse(time)
                            .orElseThrow(() -> command.wrongUsage(option + " takes a time such as 10m, 1h or 30d."))
                            .toSeconds());
        }
    }

    private static void show(PosternCommand command, JsonValue agent, String done) {
        if (command.json()) {
            command.print(Documents.only(agent, "id", "name", "key"));
        } else {
            command.out().println(done + "; its key, shown only now:");
            command.out().println(Documents.text(agent, "key"));
            command.out().flush();
        }
    }

    @Command(name = "list", description = "List agents; of a key only its start is shown.")
    static final class Listing extends PosternCommand {
        @Override
        void run() {
            JsonValue agents = gateway().ask("agent.list", Map.of());
            if (json()) {
                print(agents);
                return;
            }
            Table table = new Table("ID", "NAME", "KEY", "DENIED", "LAST USED", "EXPIRES IN", "STATE");
            for (JsonValue agent : agents.elements()) {
                boolean revoked = Documents.text(agent, "revoked").equals("true");
                for (JsonValue key : Documents.elements(agent, "keys")) {
                    boolean live = Documents.text(key, "live").equals("true");
                    String expires = Documents.text(key, "expires_at");
                    table.row(
                            Documents.text(agent, "id"),
                            Documents.text(agent, "name"),
                            Documents.text(key, "prefix") + "…",
                            Documents.joined(agent, "denied"),
                            Documents.text(key, "last_used"),
                            expires.isEmpty() ? "never" : live ? Documents.left(expires) : "",
                            revoked ? "revoked" : live ? "active" : "ended");
                }
            }
            table.print(out());
        }
    }

    @Command(name = "revoke", description = "Revoke an agent's key at once.")
    static final class Revoke extends PosternCommand {
        @Parameters(paramLabel = "ID|NAME")
        private String agent = "";

        @Override
        void run() {
            JsonValue answer = gateway().ask("agent.revoke", Map.of("agent", agent));
            if (json()) {
                print(answer);
            } else {
                out().println("revoked " + agent);
            }
        }
    }
}
