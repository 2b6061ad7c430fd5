package dev.postern.app.cli;

import dev.postern.app.config.ConfigEdit;
import dev.postern.app.config.ConfigFile;
import dev.postern.app.config.ConfiguredServer;
import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern server}: the MCP servers in the configuration file, which a running gateway rereads by itself. */
@Command(
        name = "server",
        description = "Add, list and remove MCP servers, list their tools, and sign in at them.",
        subcommands = {
            ServerCommand.Add.class,
            ServerCommand.Listing.class,
            ServerCommand.Remove.class,
            ServerCommand.Tools.class,
            ServerCommand.Accept.class,
            ServerCommand.Login.class,
            ServerCommand.Logout.class
        })
final class ServerCommand extends PosternGroup {

    /** The commands that read or edit the file. */
    abstract static class OnFile extends PosternCommand {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "The configuration (default: postern.json in the data directory).")
        private @Nullable Path config;

        final Path config() {
            return config != null ? config : dataDirectory().resolve(ConfigFile.NAME);
        }
    }

    @Command(
            name = "add",
            description = "Add a server: a command that speaks MCP on its standard streams, or a URL.",
            footer = {"", "Example: postern server add files -- npx -y @modelcontextprotocol/server-filesystem ."})
    static final class Add extends OnFile {
        @Parameters(index = "0", paramLabel = "NAME")
        private String name = "";

        @Parameters(
                index = "1..*",
                arity = "0..*",
                paramLabel = "COMMAND",
                description = "After --: command and arguments.")
        private List<String> command = new ArrayList<>();

        @Option(names = "--url", paramLabel = "URL", description = "Reach it by Streamable HTTP instead.")
        private @Nullable String url;

        @Option(names = "--env", paramLabel = "NAME=TEXT", description = "A variable of the command; repeatable.")
        private Map<String, String> environment = new LinkedHashMap<>();

        @Option(names = "--header", paramLabel = "NAME=TEXT", description = "A header for the URL; repeatable.")
        private Map<String, String> headers = new LinkedHashMap<>();

        @Override
        void run() {
            if ((url == null) == command.isEmpty()) {
                throw wrongUsage("a server is either a command after -- or a --url.");
            }
            Map<String, Object> definition = new LinkedHashMap<>();
            if (url != null) {
                definition.put("type", "http");
                definition.put("url", url);
                if (!headers.isEmpty()) {
                    definition.put("headers", headers);
                }
            } else {
                definition.put("command", command.getFirst());
                definition.put("args", command.subList(1, command.size()));
                if (!environment.isEmpty()) {
                    definition.put("env", environment);
                }
            }
            ConfigEdit.add(config(), name, definition);
            report(this, "added", name);
        }
    }

    @Command(name = "list", description = "List the configured servers.")
    static final class Listing extends OnFile {
        @Override
        void run() {
            List<Object> servers = new ArrayList<>();
            JsonValue logins = logins();
            Table table = new Table("NAME", "KIND", "WHERE", "LOGIN");
            for (ConfiguredServer server : ConfigFile.read(config()).servers(System::getenv)) {
                String kind;
                String where;
                switch (server.launch()) {
                    case ConfiguredServer.Command command -> {
                        kind = "stdio";
                        where = command.command().text();
                    }
                    case ConfiguredServer.Url url -> {
                        kind = "http";
                        where = url.url().text();
                    }
                }
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("name", server.name());
                line.put("kind", kind);
                line.put("where", where);
                JsonValue login = logins == null ? null : logins.member(server.name());
                if (login != null) {
                    line.put("login", login);
                }
                servers.add(line);
                table.row(server.name(), kind, where, login == null ? "" : said(login));
            }
            if (json()) {
                print(servers);
            } else {
                table.print(out());
            }
        }

        /** What the running gateway knows of logins; null without one. */
        private @Nullable JsonValue logins() {
            try {
                return gateway().ask("server.logins", Map.of());
            } catch (ControlException e) {
                return null;
            }
        }

        private static String said(JsonValue login) {
            JsonValue needed = login.member("needs_login");
            boolean refused = needed != null && needed.is(JsonValue.Kind.TRUE);
            return refused ? "sign in again" : "signed in";
        }
    }

    @Command(name = "remove", description = "Remove a server.")
    static final class Remove extends OnFile {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Override
        void run() {
            if (!ConfigEdit.remove(config(), name)) {
                throw new ControlException(ExitCode.FAILED, "there is no server '" + name + "' in " + config() + ".");
            }
            report(this, "removed", name);
        }
    }

    @Command(name = "tools", description = "List the tools of all servers, or of one, or what changed in them.")
    static final class Tools extends PosternCommand {
        @Parameters(paramLabel = "NAME", arity = "0..1")
        private @Nullable String name;

        @Option(names = "--changed", description = "Show what changed in definitions since a person approved them.")
        private boolean changed;

        @Override
        void run() {
            if (changed) {
                showChanged();
                return;
            }
            JsonValue tools = gateway().ask("server.tools", name == null ? Map.of() : Map.of("server", name));
            if (json()) {
                print(tools);
                return;
            }
            Table table = new Table("TOOL", "DESCRIPTION");
            for (JsonValue tool : tools.elements()) {
                String description = Documents.text(tool, "description");
                int end = description.indexOf('\n');
                table.row(Documents.text(tool, "name"), end < 0 ? description : description.substring(0, end));
            }
            table.print(out());
        }

        private void showChanged() {
            JsonValue definitions =
                    gateway().ask("definitions.changed", name == null ? Map.of() : Map.of("server", name));
            if (json()) {
                print(definitions);
            } else if (definitions.elements().isEmpty()) {
                out().println("no definition was changed since it was approved");
            } else {
                definitions.elements().forEach(definition -> show(this, definition));
            }
            out().flush();
        }
    }

    @Command(
            name = "accept",
            description = "Accept a tool's changed definition, so that it can get secrets again.",
            footer = {"", "Example: postern server accept files write_file"})
    static final class Accept extends PosternCommand {
        @Parameters(index = "0", paramLabel = "NAME")
        private String name = "";

        @Parameters(index = "1", paramLabel = "TOOL", description = "As its server names it.")
        private String tool = "";

        @Override
        void run() {
            JsonValue changed = gateway().ask("definitions.changed", Map.of("server", name));
            JsonValue definition = changed.elements().stream()
                    .filter(each -> Documents.text(each, "tool").equals(tool))
                    .findFirst()
                    .orElseThrow(() -> new ControlException(
                            ExitCode.FAILED, "the definition of '" + tool + "' of '" + name + "' is not changed."));
            if (!json()) {
                show(this, definition);
            }
            JsonValue answer = gateway()
                    .ask(
                            "definitions.accept",
                            Map.of("server", name, "tool", tool, "hash", Documents.text(definition, "hash")));
            if (json()) {
                print(answer);
            } else {
                out().println("accepted " + Documents.text(answer, "accepted"));
                out().flush();
            }
        }
    }

    private static void show(PosternCommand command, JsonValue definition) {
        command.out()
                .println(
                        Table.visible(Documents.text(definition, "server") + " · " + Documents.text(definition, "tool"))
                                + ", approved by " + Table.visible(Documents.text(definition, "approved_by")) + " at "
                                + Documents.text(definition, "approved_at"));
        Documents.elements(definition, "lines").forEach(line -> command.out().println(Table.visible(line.string())));
        if (Documents.text(definition, "differs").equals("false")) {
            command.out().println("  (what differs is masked here)");
        }
        command.out().flush();
    }

    @Command(
            name = "login",
            description = "Sign the running gateway in at a server that wants OAuth, with your browser.")
    static final class Login extends PosternCommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Option(
                names = "--client-id",
                paramLabel = "ID",
                description =
                        "As the authorization server knows this gateway; without it, the gateway registers by itself.")
        private @Nullable String clientId;

        @Override
        void run() {
            Map<String, String> arguments = new LinkedHashMap<>(Map.of("server", name));
            if (clientId != null) {
                arguments.put("client_id", clientId);
            }
            JsonValue done = gateway().ask("server.login", arguments, null, event -> {
                if (json()) {
                    print(event);
                } else {
                    out().println("Open this in your browser and sign in:");
                    out().println(Documents.text(event, "url"));
                    out().flush();
                }
            });
            if (json()) {
                print(done);
            } else {
                String scope = Documents.text(done, "scope");
                out().println("signed in at " + name + (scope.isEmpty() ? "" : " with the scope " + scope));
            }
        }
    }

    @Command(name = "logout", description = "Forget the login at a server.")
    static final class Logout extends PosternCommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Override
        void run() {
            gateway().ask("server.logout", Map.of("server", name));
            report(this, "signed out of", name);
        }
    }

    private static void report(PosternCommand command, String verb, String name) {
        if (command.json()) {
            command.print(Map.of("name", name));
        } else {
            command.out().println(verb + " " + name);
        }
    }
}
