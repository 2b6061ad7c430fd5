package dev.postern.app.cli;

import dev.postern.app.connect.Connect;
import picocli.CommandLine.Command;

/** {@code postern connect} with its help; the plain form never comes here (see {@link dev.postern.app.Main}). */
@Command(
        name = "connect",
        description = {
            "Be an MCP server on standard streams, for clients that start one; joins the running gateway.",
            "The agent key comes from $" + Connect.KEY_VARIABLE + "."
        })
final class ConnectCommand extends PosternCommand {
    @Override
    void run() {}

    @Override
    public Integer call() {
        return Connect.run(dataDirectory());
    }
}
