package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postern portal}: where people decide, and a link that signs the operator in once. */
@Command(name = "portal", description = "Print the portal's address; with --link, one that signs you in once.")
final class PortalCommand extends PosternCommand {
    @Option(names = "--link", description = "Make a sign-in link; it works once, for an hour.")
    private boolean link;

    @Override
    void run() {
        JsonValue status = gateway().ask("status", Map.of());
        Map<String, Object> document = new LinkedHashMap<>();
        String address = Documents.text(status, "url") + "/";
        document.put("portal", address);
        if (link) {
            address = Documents.text(gateway().ask("portal.link", Map.of()), "sign_in");
            document.put("sign_in", address);
        }
        if (json()) {
            print(document);
        } else {
            out().println(address);
        }
    }
}
