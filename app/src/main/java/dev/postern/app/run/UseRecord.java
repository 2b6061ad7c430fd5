package dev.postern.app.run;

import dev.postern.app.control.ControlClient;
import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.operations.CommandUse;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.store.file.DataDirectoryException;
import dev.postern.store.ledger.LedgerAppender;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Writes a command's use of secrets into the ledger: through the gateway where one runs, for it alone may write then; else
 * directly, holding the data directory for as long as that takes. Never for as long as the command runs: a gateway can start meanwhile.
 */
final class UseRecord {
    private final Path dataDirectory;
    private final CommandUse use;

    UseRecord(Path dataDirectory, CommandUse use) {
        this.dataDirectory = dataDirectory;
        this.use = use;
    }

    /** @throws ControlException if it cannot be made durable: then nothing may leave (L3) */
    void intend() {
        write(client -> client.ask("run.intend", use.document(null)), ledger -> ledger.intend(use.intent()));
    }

    /** @throws ControlException if it cannot be written */
    void close(CommandUse.Ended ended) {
        write(client -> client.ask("run.close", use.document(ended)), ledger -> ledger.append(use.entry(ended)));
    }

    private void write(Consumer<ControlClient> throughGateway, Consumer<Ledger> directly) {
        ControlClient gateway = new ControlClient(dataDirectory);
        if (asked(gateway, throughGateway)) {
            return;
        }
        try (LedgerAppender appender = LedgerAppender.open(dataDirectory)) {
            directly.accept(appender.ledger());
        } catch (LedgerUnavailableException e) {
            throw new ControlException(
                    ExitCode.FAILED, "LEDGER_UNAVAILABLE", "the ledger cannot make an entry durable.");
        } catch (DataDirectoryException held) {
            // A gateway may have started in between.
            if (!asked(gateway, throughGateway)) {
                throw held;
            }
        }
    }

    private static boolean asked(ControlClient gateway, Consumer<ControlClient> question) {
        try {
            question.accept(gateway);
            return true;
        } catch (ControlException e) {
            if (e.exitCode() == ExitCode.NOT_RUNNING) {
                return false;
            }
            throw e;
        }
    }
}
