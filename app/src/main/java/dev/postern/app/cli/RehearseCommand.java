package dev.postern.app.cli;

import dev.postern.app.demo.Demo;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import picocli.CommandLine.Command;

/** Goes through the whole story in silence, so that the launcher can record the classes of a start. */
@Command(name = "rehearse", hidden = true, description = "Used by the launcher.")
final class RehearseCommand extends PosternCommand {
    @Override
    void run() throws IOException, InterruptedException {
        new Demo(new PrintWriter(Writer.nullWriter()), approval -> true).rehearse();
    }
}
