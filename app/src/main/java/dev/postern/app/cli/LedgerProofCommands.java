package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;
import dev.postern.store.crypto.SigningKey;
import dev.postern.store.ledger.Checkpoint;
import dev.postern.store.ledger.LedgerProofs;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.store.ledger.Verification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postern ledger verify|key|checkpoint}: what proves the ledger, and checking it (L2). No key is needed, nor a gateway. */
final class LedgerProofCommands {
    private LedgerProofCommands() {}

    @Command(
            name = "verify",
            description = "Check that nothing in the ledger was changed or cut off, from the first entry on.")
    static final class Verify extends PosternCommand {
        @Option(
                names = "--key",
                paramLabel = "FILE",
                description = "The public key that must have signed, as 'ledger key' printed it once.")
        private @Nullable Path key;

        @Option(
                names = "--checkpoint",
                paramLabel = "FILE",
                description = "Checkpoints you kept, as 'ledger checkpoint' prints them, one a line.")
        private @Nullable Path checkpoints;

        @Override
        void run() {
            LedgerProofs proofs = proofs();
            try (LedgerReader ledger = LedgerReader.open(dataDirectory());
                    ProgressBar progress = ProgressBar.of("lines")) {
                Verification verification = ledger.verify(proofs, progress::at);
                progress.close();
                report(verification);
            }
        }

        private LedgerProofs proofs() {
            List<Checkpoint> kept = new ArrayList<>();
            if (checkpoints != null) {
                read(checkpoints).lines().filter(line -> !line.isBlank()).forEach(line -> {
                    try {
                        kept.add(Checkpoint.parse(line.getBytes(StandardCharsets.UTF_8)));
                    } catch (IllegalArgumentException e) {
                        throw wrongUsage("--checkpoint: line " + (kept.size() + 1)
                                + " is no checkpoint of 'postern ledger checkpoint'.");
                    }
                });
            }
            if (key == null) {
                return LedgerProofs.of(kept);
            }
            try {
                return LedgerProofs.of(SigningKey.fromPem(read(key)), kept);
            } catch (IllegalArgumentException e) {
                throw wrongUsage("--key: the file is no public key of 'postern ledger key'.");
            }
        }

        private String read(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw wrongUsage("The file " + Table.visible(file.toString()) + " cannot be read.");
            }
        }

        private void report(Verification verification) {
            switch (verification) {
                case Verification.Intact intact -> {
                    if (json()) {
                        Map<String, Object> document = new LinkedHashMap<>();
                        document.put("intact", true);
                        document.put("entries", intact.entries());
                        document.put("open", intact.open());
                        document.put("hash", intact.hash());
                        document.put("signed", intact.signed());
                        document.put("archived", intact.archived());
                        document.put("deleted", intact.deleted());
                        print(document);
                        return;
                    }
                    out().println("intact: " + intact.entries() + " entries, " + intact.open()
                            + " open; the last hash is " + intact.hash());
                    out().println("signed up to entry " + intact.signed() + "; " + intact.archived() + " in archives, "
                            + intact.deleted() + " deleted with theirs");
                    out().flush();
                }
                case Verification.Broken broken -> {
                    if (json()) {
                        Map<String, Object> document = new LinkedHashMap<>();
                        document.put("intact", false);
                        document.put("chain", broken.chain());
                        document.put("position", broken.position());
                        document.put("id", broken.id());
                        document.put("reason", broken.reason());
                        print(document);
                    }
                    throw new ControlException(
                            ExitCode.FAILED,
                            "the ledger is broken at entry " + broken.position() + " of " + broken.chain() + " (id "
                                    + Table.visible(broken.id()) + "): " + broken.reason() + ".");
                }
            }
        }
    }

    @Command(
            name = "key",
            description = "Print the public key that signs the ledger, to be kept where nobody can change it.")
    static final class Key extends PosternCommand {
        @Override
        void run() {
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                byte[] key = ledger.publicKeys().stream()
                        .findFirst()
                        .orElseThrow(() -> new ControlException(
                                ExitCode.FAILED,
                                "the ledger has not been signed yet; it is with its first thousand entries, and when the"
                                        + " gateway stops."));
                if (json()) {
                    print(Map.of("id", SigningKey.id(key), "pem", SigningKey.pem(key)));
                } else {
                    out().print(SigningKey.pem(key));
                    out().flush();
                }
            }
        }
    }

    @Command(
            name = "checkpoint",
            description = "Print the latest signed checkpoint, to be kept where nobody can change it.")
    static final class Signed extends PosternCommand {
        @Override
        void run() {
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                print(JsonValue.parse(ledger.checkpoint()
                        .orElseThrow(() -> new ControlException(
                                ExitCode.FAILED,
                                "the ledger has not been signed yet; it is with its first thousand entries, and when the"
                                        + " gateway stops."))
                        .json()));
            }
        }
    }
}
