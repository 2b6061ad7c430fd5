package dev.postern.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A noun whose verbs are commands. */
@Command(mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, synopsisSubcommandLabel = "COMMAND")
abstract class PosternGroup implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing.");
    }
}
