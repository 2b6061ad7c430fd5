package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code postern vault}: the keys behind the secrets (V2). */
@Command(
        name = "vault",
        description = "Rotate and check the vault's keys.",
        subcommands = {VaultCommand.RotateKey.class, VaultCommand.Check.class})
final class VaultCommand extends PosternGroup {

    @Command(name = "rotate-key", description = "Make a new key and wrap every data key anew, while calls go on.")
    static final class RotateKey extends PosternCommand {
        @Override
        void run() {
            JsonValue answer = gateway().ask("vault.rotate-key", Map.of());
            if (json()) {
                print(answer);
            } else {
                out().println("rotated; " + Documents.text(answer, "rewrapped") + " data keys wrapped anew");
            }
        }
    }

    @Command(name = "check", description = "Open every secret once and say which do not open; shows no value.")
    static final class Check extends PosternCommand {
        @Override
        void run() {
            JsonValue answer = gateway().ask("vault.check", Map.of());
            if (json()) {
                print(answer);
            } else {
                out().println(Documents.text(answer, "opened") + " values open");
            }
            String broken = Documents.joined(answer, "broken");
            if (!broken.isEmpty()) {
                throw new ControlException(ExitCode.FAILED, "these do not open: " + broken + ".");
            }
        }
    }
}
