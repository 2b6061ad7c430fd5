package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern secret}: the vault, write-only (V1). */
@Command(
        name = "secret",
        description = "Add, list, rotate and remove secrets. A value goes in and never comes out.",
        subcommands = {
            SecretCommand.Add.class,
            SecretCommand.Listing.class,
            SecretCommand.Rotate.class,
            SecretCommand.Remove.class
        })
final class SecretCommand extends PosternGroup {

    @Command(name = "add", description = "Add a secret; its value comes from a hidden prompt or standard input.")
    static final class Add extends PosternCommand {
        @Parameters(paramLabel = "NAME", description = "1 to 64 of a-z 0-9 _ . -")
        private String name = "";

        @Option(names = "--username", paramLabel = "TEXT", description = "Who the value belongs to.")
        private @Nullable String username;

        @Option(names = "--website", paramLabel = "URL", description = "Where it is used.")
        private @Nullable String website;

        @Option(names = "--notes", paramLabel = "TEXT", description = "Kept encrypted; {{vault:NAME#notes}}.")
        private @Nullable String notes;

        @Option(names = "--description", paramLabel = "TEXT", description = "What agents see of it.")
        private @Nullable String description;

        @Option(names = "--tag", paramLabel = "TAG", description = "Repeatable; ai-provider is never delivered.")
        private List<String> tags = new ArrayList<>();

        @Option(names = "--allow-server", paramLabel = "SERVER", description = "Only to this server; repeatable.")
        private List<String> servers = new ArrayList<>();

        @Option(names = "--allow-tool", paramLabel = "SERVER__TOOL", description = "Only to this tool; repeatable.")
        private List<String> tools = new ArrayList<>();

        @Option(names = "--allow-host", paramLabel = "HOST", description = "Only to this host; repeatable.")
        private List<String> hosts = new ArrayList<>();

        @Option(names = "--raw", description = "Keep a trailing newline.")
        private boolean raw;

        @Override
        void run() throws IOException {
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("name", name);
            putIfPresent(arguments, "username", username);
            putIfPresent(arguments, "website", website);
            putIfPresent(arguments, "notes", notes);
            putIfPresent(arguments, "description", description);
            arguments.put("tags", tags);
            arguments.put("servers", servers);
            arguments.put("tools", tools);
            arguments.put("hosts", hosts);
            write(this, "secret.add", arguments, raw, "added");
        }
    }

    @Command(name = "rotate", description = "Give a secret a new value; its version grows by one.")
    static final class Rotate extends PosternCommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Option(names = "--description", paramLabel = "TEXT", description = "A new description; else it stays.")
        private @Nullable String description;

        @Option(names = "--raw", description = "Keep a trailing newline.")
        private boolean raw;

        @Override
        void run() throws IOException {
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("name", name);
            putIfPresent(arguments, "description", description);
            write(this, "secret.rotate", arguments, raw, "rotated");
        }
    }

    @Command(name = "list", description = "List secrets without their values.")
    static final class Listing extends PosternCommand {
        @Override
        void run() {
            JsonValue secrets = gateway().ask("secret.list", Map.of());
            if (json()) {
                print(secrets);
                return;
            }
            Table table = new Table("NAME", "FIELDS", "WEBSITE", "USERNAME", "VERSION", "DESCRIPTION");
            for (JsonValue secret : secrets.elements()) {
                table.row(
                        Documents.text(secret, "name"),
                        Documents.joined(secret, "fields"),
                        Documents.text(secret, "website"),
                        Documents.text(secret, "username"),
                        Documents.text(secret, "version"),
                        Documents.text(secret, "description"));
            }
            table.print(out());
        }
    }

    @Command(name = "remove", description = "Remove a secret and every version of it.")
    static final class Remove extends PosternCommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Override
        void run() {
            JsonValue answer = gateway().ask("secret.remove", Map.of("name", name));
            if (json()) {
                print(answer);
            } else {
                out().println("removed " + name);
            }
        }
    }

    private static void write(
            PosternCommand command, String operation, Map<String, Object> arguments, boolean raw, String done)
            throws IOException {
        String name = String.valueOf(arguments.get("name"));
        try (SecretValue value = ValueInput.read("Value of " + name + ": ", raw)) {
            JsonValue answer = command.gateway().ask(operation, arguments, value, event -> {});
            String warning = answer.string("warning");
            if (warning != null) {
                command.err().println("postern: " + warning);
                command.err().flush();
            }
            if (command.json()) {
                command.print(Documents.only(answer, "id", "name", "version"));
            } else {
                command.out().println(done + " " + name + "; an agent writes {{vault:" + name + "}}");
            }
        }
    }

    private static void putIfPresent(Map<String, Object> arguments, String name, @Nullable String value) {
        if (value != null) {
            arguments.put(name, value);
        }
    }
}
