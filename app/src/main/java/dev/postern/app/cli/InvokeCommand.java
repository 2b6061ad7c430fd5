package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern invoke}: calls a tool through the same governed path as an agent's call. */
@Command(name = "invoke", description = "Call a tool; a reference asks for approval like any agent's call.")
final class InvokeCommand extends PosternCommand {
    @Parameters(paramLabel = "SERVER__TOOL")
    private String tool = "";

    @Option(names = "--args", paramLabel = "JSON|@FILE", description = "The arguments (default: {}).")
    private String arguments = "{}";

    @Override
    void run() throws IOException {
        try (SecretValue document = new SecretValue(document())) {
            JsonValue answer = gateway().ask("invoke", Map.of("tool", tool), document, approval -> {
                if (!json()) {
                    ApprovalsCommand.show(err(), approval);
                }
            });
            if (json()) {
                print(answer);
            } else {
                show(answer);
            }
            JsonValue error = answer.member("isError");
            if (error != null && error.is(Kind.TRUE)) {
                throw new ControlException(ExitCode.FAILED, "the tool reported an error.");
            }
        }
    }

    private byte[] document() throws IOException {
        byte[] document = arguments.startsWith("@")
                ? Files.readAllBytes(Path.of(arguments.substring(1)))
                : arguments.getBytes(StandardCharsets.UTF_8);
        try {
            if (JsonValue.parse(document).is(Kind.OBJECT)) {
                return document;
            }
        } catch (JsonException e) {
            throw wrongUsage("--args is not valid JSON: " + e.getMessage() + ".");
        }
        throw wrongUsage("--args is not a JSON object.");
    }

    private void show(JsonValue result) {
        for (JsonValue block : Documents.elements(result, "content")) {
            String text = block.string("text");
            out().println(text != null ? text : block.spelling());
        }
        out().flush();
    }
}
