package dev.postern.app.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern deny}: the operator says no; the agent sees it. */
@Command(name = "deny", description = "Deny waiting calls.")
final class DenyCommand extends PosternCommand {
    @Parameters(paramLabel = "ID", arity = "1..*")
    private List<String> ids = new ArrayList<>();

    @Option(names = "--note", paramLabel = "TEXT", description = "What the agent is told.")
    private @Nullable String note;

    @Override
    void run() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("ids", ids);
        if (note != null) {
            arguments.put("note", note);
        }
        Decisions.print(this, gateway().ask("deny", arguments), "denied");
    }
}
