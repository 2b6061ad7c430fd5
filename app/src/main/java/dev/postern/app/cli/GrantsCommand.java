package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.Map;
import picocli.CommandLine.Command;
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
            Table table = new Table("ID", "AGENT", "TOOL", "SECRET", "FIELD", "DESTINATION", "EXPIRES IN", "USES LEFT");
            for (JsonValue grant : grants.elements()) {
                String expires = Documents.text(grant, "expires_at");
                String uses = Documents.text(grant, "uses_left");
                table.row(
                        Documents.text(grant, "id"),
                        Documents.text(grant, "agent"),
                        Documents.text(grant, "tool"),
                        Documents.text(grant, "secret"),
                        Documents.text(grant, "field"),
                        Documents.text(grant, "destination"),
                        expires.isEmpty() ? "until revoked" : Documents.left(expires),
                        uses.isEmpty() ? "any" : uses);
            }
            table.print(out());
        }
    }

    @Command(name = "revoke", description = "Revoke a grant at once.")
    static final class Revoke extends PosternCommand {
        @Parameters(paramLabel = "ID")
        private String id = "";

        @Override
        void run() {
            JsonValue answer = gateway().ask("grants.revoke", Map.of("id", id));
            if (json()) {
                print(answer);
            } else {
                out().println("revoked " + id);
            }
        }
    }
}
