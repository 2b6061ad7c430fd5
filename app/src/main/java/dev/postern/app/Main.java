package dev.postern.app;

import dev.postern.app.cli.CommandLineInterface;
import dev.postern.app.connect.Connect;
import java.nio.file.Path;

/** Where the process starts. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Path connectTo = DataDirectoryOption.ofPlainConnect(arguments);
        // A client waits for connect to answer; picocli alone would take longer than all the rest.
        System.exit(connectTo != null ? Connect.run(connectTo) : CommandLineInterface.run(arguments));
    }
}
