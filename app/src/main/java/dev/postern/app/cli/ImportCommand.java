package dev.postern.app.cli;

import dev.postern.app.config.ConfigFile;
import dev.postern.app.config.ConfigImport;
import dev.postern.app.config.ConfigImport.Step;
import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern import}: servers that another client knows, into the configuration file. */
@Command(
        name = "import",
        description = "Bring in the MCP servers of another client; its own file stays as it is.",
        footer = {"", "Example: postern import claude --dry-run"})
final class ImportCommand extends PosternCommand {
    @Parameters(
            paramLabel = "SOURCE",
            description = "claude (Desktop and Code), cursor, vscode, or a file of the same format.")
    private String source = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Where to add them (default: postern.json in the data directory).")
    private @Nullable Path config;

    @Option(names = "--dry-run", description = "Say what would be added, and change nothing.")
    private boolean dryRun;

    @Override
    void run() {
        Path target = config != null ? config : dataDirectory().resolve(ConfigFile.NAME);
        List<Step> steps = ConfigImport.plan(files(), target, System::getenv);
        Path copy = dryRun ? null : ConfigImport.apply(steps, target, LocalDateTime.now(ZoneId.systemDefault()));
        if (json()) {
            print(document(steps, copy));
            return;
        }
        Table table = new Table("NAME", dryRun ? "WOULD BE" : "DONE", "FROM", "NOTE");
        for (Step step : steps) {
            table.row(
                    step.name(),
                    step.definition() == null ? "left out" : "added",
                    step.source().toString(),
                    step.note());
        }
        table.print(out());
        if (copy != null) {
            out().println("the file as it was: " + copy);
        }
    }

    private List<Path> files() {
        List<Path> files = ConfigImport.files(source, Path.of(System.getProperty("user.home")), Path.of(""));
        if (!files.isEmpty()) {
            return files;
        }
        if (List.of("claude", "cursor", "vscode").contains(source)) {
            throw new ControlException(
                    ExitCode.FAILED, "no configuration of " + source + " was found; name its file instead.");
        }
        Path file = Path.of(source);
        if (!Files.isRegularFile(file)) {
            throw wrongUsage("'" + source + "' is neither claude, cursor, vscode nor a file.");
        }
        return List.of(file);
    }

    private static Map<String, Object> document(List<Step> steps, @Nullable Path copy) {
        List<Object> servers = new ArrayList<>();
        for (Step step : steps) {
            servers.add(Map.of(
                    "name", step.name(),
                    "added", step.definition() != null,
                    "source", step.source().toString(),
                    "note", step.note()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("servers", servers);
        if (copy != null) {
            document.put("backup", copy.toString());
        }
        return document;
    }
}
