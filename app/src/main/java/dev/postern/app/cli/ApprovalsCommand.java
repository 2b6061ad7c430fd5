package dev.postern.app.cli;

import dev.postern.gate.approval.RiskReason;
import dev.postern.json.JsonValue;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code postern approvals}: what waits for a person (P8). */
@Command(
        name = "approvals",
        description = "Show the calls that wait for a person.",
        subcommands = ApprovalsCommand.Watch.class)
final class ApprovalsCommand extends PosternCommand {
    @Override
    void run() {
        JsonValue approvals = gateway().ask("approvals.list", Map.of());
        if (json()) {
            print(approvals);
        } else if (approvals.elements().isEmpty()) {
            out().println("nothing waits for approval");
        } else {
            approvals.elements().forEach(approval -> show(out(), approval));
        }
    }

    @Command(name = "watch", description = "Show calls as they come to wait, until interrupted.")
    static final class Watch extends PosternCommand {
        @Override
        void run() {
            gateway().ask("approvals.watch", Map.of(), null, approval -> {
                if (json()) {
                    print(approval);
                } else {
                    show(out(), approval);
                }
            });
        }
    }

    /** The whole call, untruncated, and no value. */
    static void show(PrintWriter out, JsonValue approval) {
        out.println("┌ " + line(approval, "id") + "   risk " + line(approval, "risk") + "   "
                + Documents.left(Documents.text(approval, "expires_at")) + " left");
        out.println("│ agent       " + line(approval, "agent"));
        out.println("│ tool        " + line(approval, "server") + " · " + line(approval, "tool"));
        for (JsonValue secret : Documents.elements(approval, "secrets")) {
            String website = line(secret, "website");
            String username = line(secret, "username");
            out.println("│ secret      " + line(secret, "name") + (website.isEmpty() ? "" : " — " + website)
                    + (username.isEmpty() ? "" : " (" + username + ")") + " — " + line(secret, "field"));
        }
        if (!line(approval, "destination").isEmpty()) {
            out.println("│ destination " + line(approval, "destination"));
        }
        for (JsonValue reason : Documents.elements(approval, "risk_reasons")) {
            out.println("│ note        " + RiskReason.valueOf(reason.string()).text());
        }
        JsonValue arguments = approval.member("arguments");
        out.println("│ arguments   " + (arguments == null ? "" : Table.visible(arguments.spelling())));
        String id = line(approval, "id");
        out.println("└ postern approve " + id + "   or   postern deny " + id);
        out.flush();
    }

    private static String line(JsonValue document, String name) {
        return Table.visible(Documents.text(document, name));
    }
}
