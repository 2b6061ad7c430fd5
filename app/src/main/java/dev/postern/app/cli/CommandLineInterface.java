package dev.postern.app.cli;

import static java.util.Objects.requireNonNull;

import dev.postern.app.config.ConfigException;
import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.store.crypto.KeyException;
import dev.postern.store.file.DataDirectoryException;
import dev.postern.store.sql.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;

/** The command line as a whole: parses, runs, and turns every failure into one plain sentence and an exit code. */
public final class CommandLineInterface {
    private CommandLineInterface() {}

    /** Runs one command on the process's own streams; returns its exit code. */
    public static int run(String... arguments) {
        CommandLine line = new CommandLine(new Postern());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        // A word that starts with @ is a command's or an argument's own, never a file of further words.
        line.setExpandAtFiles(false);
        // From the command's first word on, nothing is an option of ours.
        requireNonNull(line.getSubcommands().get("run")).setStopAtPositional(true);
        line.setParameterExceptionHandler(CommandLineInterface::wrongUsage);
        line.setExecutionExceptionHandler(failures());
        int exitCode = line.execute(arguments);
        // A reader that went away (as in `postern ledger export | head`) must not look like success.
        return line.getOut().checkError() && exitCode == 0 ? ExitCode.FAILED.number() : exitCode;
    }

    private static int wrongUsage(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("postern: " + e.getMessage());
        err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.WRONG_USAGE.number();
    }

    private static IExecutionExceptionHandler failures() {
        return (e, command, parsed) -> {
            PrintWriter err = command.getErr();
            switch (e) {
                case ControlException refused -> {
                    String code = refused.code();
                    err.println((code.isEmpty() ? "postern" : code) + ": " + refused.getMessage());
                    return refused.exitCode().number();
                }
                // These name the operation, the place or the remedy in one sentence of ours.
                case ConfigException ours -> err.println("postern: " + ours.getMessage());
                case DataDirectoryException ours -> err.println("postern: " + ours.getMessage());
                case StoreException ours -> err.println("postern: " + ours.getMessage());
                case KeyException ours -> err.println("postern: " + ours.getMessage());
                case IOException io -> err.println("postern: " + io.getMessage());
                case UncheckedIOException io -> err.println("postern: " + io.getMessage());
                // Its text is not ours and may quote data.
                default ->
                    err.println(
                            "postern: it failed unexpectedly (" + e.getClass().getName() + ").");
            }
            return ExitCode.FAILED.number();
        };
    }
}
