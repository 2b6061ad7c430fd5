package dev.postern.app.cli;

import dev.postern.app.run.CommandRun;
import dev.postern.app.run.EnvironmentFile;
import dev.postern.app.run.Variable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern run}: a command with secrets in its environment, its output scrubbed as it streams. */
@Command(
        name = "run",
        description = {
            "Run a command with secrets in its environment, and take them out of what it prints.",
            "Ends with the command's own exit code."
        })
final class RunCommand extends PosternCommand {
    @Option(
            names = {"-e", "--env"},
            paramLabel = "NAME=REF",
            description = "A variable: {{vault:NAME}} with any text around it, vault:NAME, or a secret's name.")
    private List<String> variables = new ArrayList<>();

    @Option(
            names = "--env-file",
            paramLabel = "FILE",
            description = "Variables from a file of NAME=text; references in it stand in double braces.")
    private List<Path> files = new ArrayList<>();

    @Parameters(paramLabel = "CMD", arity = "1..*", description = "The command and its arguments.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Variable> all = new ArrayList<>();
        for (Path file : files) {
            all.addAll(EnvironmentFile.read(file));
        }
        variables.forEach(variable -> all.add(Variable.ofOption(variable)));
        return new CommandRun(dataDirectory(), command, all).run(err());
    }

    @Override
    void run() {
        throw new IllegalStateException("its exit code is the command's");
    }
}
