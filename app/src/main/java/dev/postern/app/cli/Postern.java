package dev.postern.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root of all commands. */
@Command(
        name = "postern",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "Lets an AI agent use a secret that it can never read.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UpCommand.class,
            DemoCommand.class,
            StatusCommand.class,
            StopCommand.class,
            PortalCommand.class,
            PassphraseCommand.class,
            ConnectCommand.class,
            ServerCommand.class,
            ImportCommand.class,
            SecretCommand.class,
            AgentCommand.class,
            ApprovalsCommand.class,
            ApproveCommand.class,
            DenyCommand.class,
            GrantsCommand.class,
            KillCommand.class,
            PolicyCommand.class,
            InvokeCommand.class,
            RunCommand.class,
            RefsCommand.class,
            ScrubCommand.class,
            ScanCommand.class,
            RedactCommand.class,
            LedgerCommand.class,
            VaultCommand.class,
            LinkCommand.class,
            RehearseCommand.class,
        },
        footer = {
            "",
            "Every command takes --help, --json and --data DIR (default $POSTERN_DATA, else ~/.postern).",
            "Exit codes: 0 done; 1 failed; 2 wrong usage; 3 refused; 4 denied or expired; 5 gateway not running."
        })
final class Postern implements Runnable {
    @Spec
    private CommandSpec spec;

    Postern() {
        this.spec = CommandSpec.create();
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing.");
    }
}
