package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern link}: a one-time link to a secret's value (O1). The operator's own act, which the ledger records. */
@Command(
        name = "link",
        description = {
            "Make a link that gives a secret's value once, to whoever redeems it first.",
            "Redeem it with: curl -sf -X POST URL, or open it in a browser and press the button."
        })
final class LinkCommand extends PosternCommand {
    @Parameters(paramLabel = "NAME", description = "The secret's name.")
    private String name = "";

    @Option(names = "--ttl", paramLabel = "SECONDS", description = "How long it works: 1 to 600, else 120.")
    private @Nullable Long seconds;

    @Override
    void run() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("name", name);
        if (seconds != null) {
            arguments.put("ttl_seconds", seconds);
        }
        JsonValue link = gateway().ask("link.add", arguments);
        if (json()) {
            print(link);
        } else {
            out().println(Documents.text(link, "url"));
        }
    }
}
