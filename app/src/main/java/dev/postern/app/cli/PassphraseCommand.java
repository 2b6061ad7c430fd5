package dev.postern.app.cli;

import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code postern passphrase}: what the operator proves with that it is them, here and in the portal. */
@Command(
        name = "passphrase",
        description = "Set the operator's passphrase, for the portal and for commands that decide.",
        subcommands = {PassphraseCommand.Set.class})
final class PassphraseCommand extends PosternGroup {

    @Command(
            name = "set",
            description =
                    "Set or change it. The new one comes from a hidden prompt or standard input; where one is set, it "
                            + "is asked for (or taken from POSTERN_PASSPHRASE).")
    static final class Set extends PosternCommand {
        @Override
        void run() throws IOException {
            try (SecretValue chosen = ValueInput.read("New passphrase: ", false);
                    SecretValue again = PassphraseInput.prompt("Again: ")) {
                if (again != null && !chosen.sameAs(again)) {
                    throw wrongUsage("the two passphrases differ.");
                }
                gateway().ask("passphrase.set", Map.of(), chosen, event -> {});
            }
            if (json()) {
                print(Map.of("set", true));
            } else {
                out().println("the passphrase is set; commands that decide ask for it");
            }
        }
    }
}
