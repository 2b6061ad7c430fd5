package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.reference.Placement;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.ReferenceFinder;
import dev.postern.reference.ReferenceLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code postern refs}: the references in JSON arguments, as the gateway would find them (R1 to R7). */
@Command(name = "refs", description = "Print the references in the JSON arguments on standard input.")
final class RefsCommand extends PosternCommand {
    /** Deeper than any limit on references, so that it is the limit that speaks. */
    private static final int MAX_DEPTH = 1 << 20;

    @Override
    void run() throws IOException {
        List<Placement> placements = find(System.in.readAllBytes());
        if (json()) {
            List<Object> documents = new ArrayList<>();
            for (Placement placement : placements) {
                Map<String, Object> document = new LinkedHashMap<>();
                document.put("pointer", placement.pointer());
                document.put("reference", placement.reference().canonical());
                documents.add(document);
            }
            print(documents);
        } else {
            placements.forEach(placement -> out().println(
                            placement.pointer() + " " + placement.reference().canonical()));
            out().flush();
        }
    }

    private static List<Placement> find(byte[] arguments) {
        try {
            return ReferenceFinder.find(JsonValue.parse(arguments, MAX_DEPTH), ReferenceLimits.defaults());
        } catch (JsonException e) {
            throw new ControlException(ExitCode.FAILED, "the input is not valid JSON: " + e.getMessage() + ".");
        } catch (ReferenceException e) {
            throw new ControlException(ExitCode.REFUSED, "SECRET_UNRESOLVED", e.getMessage());
        }
    }
}
