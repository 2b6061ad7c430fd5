package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern grants}: the standing ways past the prompt (P4). */
@Command(
        name = "grants",
        description = "List and revoke grants.",
        subcommands = {GrantsCommand.Listing.class, GrantsCommand.Revoke.class})
final class GrantsCommand extends PosternGroup {

    @Command(name = "list", description = "List live grants.")
    static final class Listing extends PosternCommand {
        @Override
        void run() {
            JsonValue grants = gateway().ask("grants.list", Map.of());
            if (json()) {
                print(grants);
                return;
            }
            Table table = new Table(
                    "ID", "AGENT", "TOOL", "SECRET", "FIELD", "DESTINATION", "EXPIRES IN", "USES LEFT", "LAST USED");
            for (JsonValue grant : grants.elements()) {
                String expires = Documents.text(grant, "expires_at");
                String uses = Documents.text(grant, "uses_left");
                table.row(
                        Documents.text(grant, "id"),
                        Documents.text(grant, "agent_name"),
                        Documents.text(grant, "tool"),
                        Documents.text(grant, "secret"),
                        Documents.text(grant, "field"),
                        Documents.text(grant, "destination"),
                        expires.isEmpty() ? "until revoked" : Documents.left(expires),
                        uses.isEmpty() ? "any" : uses,
                        Documents.text(grant, "last_used"));
            }
            table.print(out());
        }
    }

    @Command(
            name = "revoke",
            description = "Revoke grants at once, also for calls that are about to use one.",
            footer = {"", "Example: postern grants revoke --agent ci"})
    static final class Revoke extends PosternCommand {
        @Parameters(paramLabel = "ID", arity = "0..1")
        private @Nullable String id;

        @Option(names = "--agent", paramLabel = "ID|NAME", description = "All grants of this agent.")
        private @Nullable String agent;

        @Option(names = "--all", description = "All grants.")
        private boolean all;

        @Override
        void run() {
            if ((id != null ? 1 : 0) + (agent != null ? 1 : 0) + (all ? 1 : 0) != 1) {
                throw wrongUsage("name one grant, or --agent, or --all.");
            }
            Map<String, Object> which =
                    id != null ? Map.of("id", id) : agent != null ? Map.of("agent", agent) : Map.of("all", true);
            JsonValue answer = gateway().ask("grants.revoke", which);
            if (json()) {
                print(answer);
            } else {
                out().println("revoked " + (id != null ? id : Documents.text(answer, "count") + " grants"));
            }
        }
    }
}
