package dev.postern.app.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern approve}: the operator says yes, once or, with terms, also to further calls of the kind (P4). */
@Command(name = "approve", description = "Approve waiting calls, each once.")
final class ApproveCommand extends PosternCommand {
    private static final String ALWAYS = "always";

    @Parameters(paramLabel = "ID", arity = "1..*")
    private List<String> ids = new ArrayList<>();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description =
                    "Also grant further calls of this kind for so long, such as 10m or 1h, or 'always': until revoked.")
    private @Nullable String lifetime;

    @Option(
            names = "--uses",
            paramLabel = "N",
            description = "Also grant N further calls of this kind; with --for, at most N in that time.")
    private @Nullable Integer uses;

    @Override
    void run() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("ids", ids);
        if (lifetime != null && lifetime.equals(ALWAYS)) {
            arguments.put("always", true);
        } else if (lifetime != null) {
            arguments.put(
                    "seconds",
                    Times.parse(lifetime)
                            .orElseThrow(
                                    () -> wrongUsage("--for takes a time such as 90s, 10m, 1h or 7d, or 'always'."))
                            .toSeconds());
        }
        if (uses != null) {
            if (uses < 1) {
                throw wrongUsage("--uses takes a number of further calls, at least 1.");
            }
            arguments.put("uses", uses);
        }
        Decisions.print(this, gateway().ask("approve", arguments), "approved");
    }
}
