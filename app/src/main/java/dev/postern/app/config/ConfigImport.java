package dev.postern.app.config;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Brings servers from other clients' configuration files into ours. Their files are only read. A server whose name is
 * taken, or that would not start from here, is left out with the reason.
 */
public final class ConfigImport {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final Pattern INPUT = Pattern.compile("\\$\\{input:([A-Za-z0-9_.-]{1,64})}");

    private ConfigImport() {}

    /**
     * One server that was found.
     *
     * @param definition what is to be added; null if it is left out
     * @param note why it is left out, or what is to be done after it was added; may be empty
     */
    public record Step(Path source, String name, @Nullable JsonValue definition, String note) {}

    /**
     * Where a client keeps its servers: those of the files that exist.
     *
     * @param client {@code claude}, {@code cursor} or {@code vscode}
     * @param home the user's home
     * @param project where the client was started, for servers of one project
     */
    public static List<Path> files(String client, Path home, Path project) {
        Path linux = home.resolve(".config");
        Path mac = home.resolve("Library").resolve("Application Support");
        List<Path> files = switch (client) {
            case "claude" ->
                List.of(
                        linux.resolve("Claude/claude_desktop_config.json"),
                        mac.resolve("Claude/claude_desktop_config.json"),
                        home.resolve(".claude.json"),
                        project.resolve(".mcp.json"));
            case "cursor" -> List.of(home.resolve(".cursor/mcp.json"), project.resolve(".cursor/mcp.json"));
            case "vscode" ->
                List.of(
                        linux.resolve("Code/User/mcp.json"),
                        mac.resolve("Code/User/mcp.json"),
                        project.resolve(".vscode/mcp.json"));
            default -> List.of();
        };
        return files.stream().filter(Files::isRegularFile).toList();
    }

    /**
     * What an import would do.
     *
     * @param environment the variables that definitions may name
     * @throws ConfigException if a file cannot be read
     */
    public static List<Step> plan(List<Path> sources, Path target, Function<String, @Nullable String> environment) {
        Set<String> taken = new HashSet<>(ConfigFile.read(target).names());
        List<Step> steps = new ArrayList<>();
        for (Path source : sources) {
            ConfigFile file = ConfigFile.read(source);
            for (String section : List.of("mcpServers", "servers")) {
                JsonValue servers = file.section(section);
                if (servers != null) {
                    servers.forEachMember((token, definition) -> {
                        Step step = step(source, token.string(), definition, taken, environment);
                        if (step.definition() != null) {
                            taken.add(step.name());
                        }
                        steps.add(step);
                    });
                }
            }
        }
        return steps;
    }

    private static Step step(
            Path source,
            String name,
            JsonValue found,
            Set<String> taken,
            Function<String, @Nullable String> environment) {
        if (taken.contains(name)) {
            return new Step(source, name, null, "a server of that name is there already");
        }
        if (isOurs(found)) {
            return new Step(source, name, null, "it is Postern itself");
        }
        Set<String> inputs = new HashSet<>();
        String text = INPUT.matcher(found.spelling()).replaceAll(match -> {
            String secret = match.group(1).toLowerCase(Locale.ROOT);
            inputs.add(secret);
            return "{{vault:" + secret + "}}";
        });
        JsonValue definition = withDirectory(JsonValue.parse(text.getBytes(StandardCharsets.UTF_8)), source);
        try {
            ConfigFile.parse(source, alone(name, definition)).servers(environment);
        } catch (ConfigException e) {
            return new Step(source, name, null, String.valueOf(e.getMessage()));
        }
        String note = inputs.isEmpty()
                ? ""
                : "add its values: postern secret add " + String.join(", postern secret add ", inputs);
        return new Step(source, name, definition, note);
    }

    private static boolean isOurs(JsonValue definition) {
        String command = definition.is(Kind.OBJECT) ? definition.string("command") : null;
        Path program =
                command == null || command.isEmpty() ? null : Path.of(command).getFileName();
        return program != null && program.toString().equals("postern");
    }

    /** A relative {@code cwd} is meant from where its file is. */
    private static JsonValue withDirectory(JsonValue definition, Path source) {
        JsonValue directory = definition.is(Kind.OBJECT) ? definition.member("cwd") : null;
        Path base = source.toAbsolutePath().getParent();
        if (directory == null
                || base == null
                || !directory.is(Kind.STRING)
                || directory.string().contains("${")) {
            return definition;
        }
        byte[] absolute = JsonStrings.quote(
                        base.resolve(directory.string()).normalize().toString())
                .getBytes(StandardCharsets.UTF_8);
        return JsonValue.parse(
                new Splice(definition.text()).replace(directory, absolute).apply());
    }

    private static byte[] alone(String name, JsonValue definition) {
        return ("{\"mcpServers\":{" + JsonStrings.quote(name) + ":" + definition.spelling() + "}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Does it. A file that is there is copied first, next to itself.
     *
     * @return the copy; null where there was no file, or nothing to add
     */
    public static @Nullable Path apply(List<Step> steps, Path target, LocalDateTime now) {
        if (steps.stream().allMatch(step -> step.definition() == null)) {
            return null;
        }
        Path copy = null;
        if (Files.exists(target)) {
            copy = target.resolveSibling(target.getFileName() + ".backup-" + STAMP.format(now));
            try {
                Files.copy(target, copy);
            } catch (IOException e) {
                throw new ConfigException(copy + " cannot be written, so nothing was imported.");
            }
        }
        for (Step step : steps) {
            JsonValue definition = step.definition();
            if (definition != null) {
                ConfigEdit.add(target, step.name(), definition);
            }
        }
        return copy;
    }
}
