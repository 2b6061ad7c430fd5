package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;

/** Prints what became of decisions: {@code {"decided":[ID…],"missed":[ID…]}}. */
final class Decisions {
    private Decisions() {}

    static void print(PosternCommand command, JsonValue answer, String verb) {
        if (command.json()) {
            command.print(answer);
        } else {
            for (JsonValue id : Documents.elements(answer, "decided")) {
                command.out().println(verb + " " + id.string());
            }
            command.out().flush();
        }
        if (!Documents.elements(answer, "missed").isEmpty()) {
            throw new ControlException(
                    ExitCode.FAILED,
                    "no call waits under " + Documents.joined(answer, "missed")
                            + "; it was decided, expired or given up before.");
        }
    }
}
