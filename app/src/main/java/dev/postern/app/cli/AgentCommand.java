package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern agent}: who may call (A1). */
@Command(
        name = "agent",
        description = "Add, list and revoke agents and their keys.",
        subcommands = {AgentCommand.Add.class, AgentCommand.Listing.class, AgentCommand.Revoke.class})
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

        @Override
        void run() {
            JsonValue agent = gateway().ask("agent.add", Map.of("name", name, "deny", denied));
            if (json()) {
                print(Documents.only(agent, "id", "name", "key"));
            } else {
                out().println("added " + name + "; its key, shown only now:");
                out().println(Documents.text(agent, "key"));
            }
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
            Table table = new Table("ID", "NAME", "KEY", "DENIED", "LAST USED", "STATE");
            for (JsonValue agent : agents.elements()) {
                table.row(
                        Documents.text(agent, "id"),
                        Documents.text(agent, "name"),
                        Documents.text(agent, "key_prefix") + "…",
                        Documents.joined(agent, "denied"),
                        Documents.text(agent, "last_used"),
                        Documents.text(agent, "revoked").equals("true") ? "revoked" : "active");
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
