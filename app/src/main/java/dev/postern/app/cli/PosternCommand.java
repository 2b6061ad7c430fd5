package dev.postern.app.cli;

import dev.postern.app.DataDirectoryOption;
import dev.postern.app.control.ControlClient;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command has: {@code --data}, {@code --json}, {@code --help}, and its way to the gateway. */
@Command(mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, sortOptions = false)
abstract class PosternCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data directory (default: $POSTERN_DATA, else ~/.postern).")
    private @Nullable Path data;

    @Option(names = "--json", description = "Write a document for machines.")
    private boolean json;

    /** Does it. Failures are exceptions. */
    abstract void run() throws Exception;

    @Override
    public Integer call() throws Exception {
        run();
        return ExitCode.DONE.number();
    }

    final Path dataDirectory() {
        return data != null ? data : DataDirectoryOption.ofEnvironment();
    }

    final ControlClient gateway() {
        return new ControlClient(dataDirectory(), PassphraseInput::ask);
    }

    final boolean json() {
        return json;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints a document as one line. */
    final void print(JsonValue document) {
        out().println(document.spelling());
        out().flush();
    }

    final void print(Object document) {
        out().println(new String(JsonWriter.write(document), StandardCharsets.UTF_8));
        out().flush();
    }

    final ParameterException wrongUsage(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
