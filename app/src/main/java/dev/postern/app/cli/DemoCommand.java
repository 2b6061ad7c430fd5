package dev.postern.app.cli;

import dev.postern.app.demo.Demo;
import dev.postern.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postern demo}: a guided tour. */
@Command(
        name = "demo",
        description =
                "See it work: a gateway of its own, a real call with a secret, your approval, and what came of it.")
final class DemoCommand extends PosternCommand {
    @Option(names = "--yes", description = "Approve by itself.")
    private boolean yes;

    @Override
    void run() throws IOException, InterruptedException {
        BufferedReader answers = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        new Demo(out(), approval -> decide(approval, answers)).run();
    }

    private boolean decide(JsonValue approval, BufferedReader answers) {
        ApprovalsCommand.show(out(), approval);
        out().print("   approve this call once? [y/N] ");
        if (yes) {
            out().println("yes");
            out().flush();
            return true;
        }
        out().flush();
        try {
            String answer = answers.readLine();
            return answer != null
                    && (answer.strip().equalsIgnoreCase("y") || answer.strip().equalsIgnoreCase("yes"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
