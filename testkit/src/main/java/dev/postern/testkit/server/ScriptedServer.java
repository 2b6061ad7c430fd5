package dev.postern.testkit.server;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server on standard streams that does what the called tool's name says, sound or broken. Text is kept as
 * ISO 8859-1, a character a byte, so that it is given back exactly.
 *
 * <p>Options: {@code --era=legacy|modern|dual}; {@code --probe=refuse|ignore|exit|break} for {@code server/discover} of
 * a legacy server; {@code --version=DATE}; {@code --initialize=answer|never|exit}; {@code --banner} prints what is no JSON
 * first; {@code --stay} survives the end of its input and SIGTERM; {@code --tools=FILE} lists the array of tools that the file
 * holds when it is asked; {@code --log=FILE} appends the method of each message that arrives.
 */
public final class ScriptedServer {
    private final PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false);
    private final Set<String> options;
    private final String era;
    private final ConcurrentLinkedQueue<String> cancelled = new ConcurrentLinkedQueue<>();
    private @Nullable String askedBy;

    private ScriptedServer(Set<String> options) {
        this.options = options;
        this.era = options.contains("--era=modern") ? "modern" : options.contains("--era=dual") ? "dual" : "legacy";
    }

    /** The command line that starts one. */
    public static List<String> command(String... options) {
        String location = ScriptedServer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                location,
                ScriptedServer.class.getName()));
        command.addAll(List.of(options));
        return command;
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        new ScriptedServer(Set.of(arguments)).run();
    }

    private void run() throws IOException, InterruptedException {
        if (options.contains("--banner")) {
            write("Scripted server ready: {not JSON}");
        }
        if (options.contains("--stay")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stay()));
        }
        InputStream in = new BufferedInputStream(System.in);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b; (b = in.read()) >= 0; ) {
            if (b == '\n') {
                handle(line.toString(StandardCharsets.ISO_8859_1));
                line.reset();
            } else {
                line.write(b);
            }
        }
        if (options.contains("--stay")) {
            stay();
        }
    }

    private static void stay() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitFile(Path file) throws IOException, InterruptedException {
        try (WatchService changes = file.getFileSystem().newWatchService()) {
            requireNonNull(file.toAbsolutePath().getParent()).register(changes, StandardWatchEventKinds.ENTRY_CREATE);
            while (!Files.exists(file)) {
                changes.take().reset();
            }
        }
    }

    private void handle(String line) throws IOException, InterruptedException {
        Map<String, String> message = Members.of(line);
        String id = message.get("id");
        String method = message.containsKey("method") ? Members.unquote(message.get("method")) : "";
        String params = message.getOrDefault("params", "{}");
        String log = option("--log=", "");
        if (!log.isEmpty()) {
            Files.writeString(Path.of(log), method + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        if (method.isEmpty()) {
            // The client's answer to a request of ours is the result of the call that made us ask.
            write("{\"jsonrpc\":\"2.0\",\"id\":" + askedBy + ",\"result\":{\"answer\":" + line + "}}");
        } else if (id == null) {
            if (method.equals("notifications/cancelled")) {
                cancelled.add(Members.of(params).get("requestId"));
            }
        } else {
            switch (method) {
                case "server/discover" -> discover(id, params);
                case "initialize" -> initialize(id);
                case "tools/call" -> call(id, params);
                case "tools/list" -> list(id);
                case "mirror", "again" -> result(id, "{\"seen\":" + params + "}");
                case "subscriptions/listen" -> listen(id);
                default -> error(id, -32601);
            }
        }
    }

    private void discover(String id, String params) {
        if (!era.equals("legacy")) {
            boolean complete = params.contains("io.modelcontextprotocol/protocolVersion")
                    && params.contains("io.modelcontextprotocol/clientCapabilities");
            String versions = era.equals("dual") ? "\"2026-07-28\",\"2025-11-25\"" : "\"2026-07-28\"";
            if (options.contains("--version=none")) {
                write("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32022,\"message\":\"no\","
                        + "\"data\":{\"supported\":[\"2099-01-01\"],\"requested\":\"2026-07-28\"}}}");
            } else if (complete) {
                result(
                        id,
                        "{\"resultType\":\"complete\",\"supportedVersions\":[" + versions
                                + "],\"capabilities\":{\"tools\":{}}}");
            } else {
                error(id, -32602);
            }
        } else if (options.contains("--probe=exit")) {
            System.exit(1);
        } else if (options.contains("--probe=break")) {
            stay();
        } else if (!options.contains("--probe=ignore")) {
            error(id, -32601);
        }
    }

    private void initialize(String id) {
        if (options.contains("--initialize=exit")) {
            System.exit(1);
        } else if (era.equals("modern") && !options.contains("--initialize=never")) {
            error(id, -32601);
        } else if (!options.contains("--initialize=never")) {
            String version = option("--version=", "2025-11-25");
            result(
                    id,
                    "{\"protocolVersion\":\"" + version + "\",\"capabilities\":{\"tools\":{}},"
                            + "\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}");
        }
    }

    private void list(String id) throws IOException {
        String file = option("--tools=", "");
        if (file.isEmpty()) {
            error(id, -32601);
        } else {
            String tools =
                    Files.readString(Path.of(file), StandardCharsets.ISO_8859_1).strip();
            result(id, "{\"resultType\":\"complete\",\"tools\":" + tools + "}");
        }
    }

    private String option(String start, String otherwise) {
        return options.stream()
                .filter(option -> option.startsWith(start))
                .map(option -> option.substring(start.length()))
                .findFirst()
                .orElse(otherwise);
    }

    private void call(String id, String params) throws IOException, InterruptedException {
        Map<String, String> members = Members.of(params);
        Map<String, String> arguments = Members.of(members.getOrDefault("arguments", "{}"));
        String meta = members.getOrDefault("_meta", "{}");
        switch (Members.unquote(members.getOrDefault("name", "\"\""))) {
            // What was sent, exactly.
            case "mirror", "again" -> result(id, "{\"seen\":" + params + "}");
            // Exactly the text it is given; $ID stands for the request's id.
            case "say" ->
                write(Members.unquote(arguments.getOrDefault("text", "\"\"")).replace("$ID", id));
            // A fresh key: in the answer, on standard error and, for the test, in a file.
            case "new-key" -> newKey(id, Path.of(Members.unquote(arguments.getOrDefault("file", "\"\""))));
            // Writes the text it is given into a file.
            case "keep" -> {
                Files.writeString(
                        Path.of(Members.unquote(arguments.getOrDefault("file", "\"\""))),
                        Members.unquote(arguments.getOrDefault("text", "\"\"")));
                result(id, "{\"content\":[{\"type\":\"text\",\"text\":" + arguments.get("text") + "}]}");
            }
            case "exit" -> System.exit(3);
            // Never answers; says in a file, if it is given one, that it was called.
            case "hang" -> {
                if (arguments.containsKey("file")) {
                    Files.createFile(Path.of(Members.unquote(arguments.get("file"))));
                }
            }
            // Says in a file that it was called, and answers when another is there.
            case "slow" -> {
                Files.createFile(Path.of(Members.unquote(arguments.getOrDefault("file", "\"\""))));
                awaitFile(Path.of(Members.unquote(arguments.getOrDefault("until", "\"\""))));
                result(id, "{\"content\":[{\"type\":\"text\",\"text\":\"slow but done\"}]}");
            }
            // Reads nothing from here on.
            case "deaf" -> stay();
            case "large" -> large(id, Integer.parseInt(arguments.getOrDefault("bytes", "0")));
            case "flood" -> flood(id, Integer.parseInt(arguments.getOrDefault("lines", "0")));
            case "close-output" -> {
                out.close();
                stay();
            }
            case "cancelled" -> result(id, "{\"ids\":[" + String.join(",", cancelled) + "]}");
            case "environment" ->
                result(
                        id,
                        "{\"names\":[\""
                                + String.join(
                                        "\",\"", new TreeSet<>(System.getenv().keySet())) + "\"]}");
            case "spawn" ->
                result(
                        id,
                        "{\"pid\":"
                                + new ProcessBuilder("sleep", "3600")
                                        .inheritIO()
                                        .start()
                                        .pid() + "}");
            case "orphan" -> orphan(id);
            case "ask" -> {
                askedBy = id;
                write("{\"jsonrpc\":\"2.0\",\"id\":" + arguments.getOrDefault("id", "\"ask-1\"") + ",\"method\":"
                        + arguments.getOrDefault("method", "\"sampling/createMessage\"")
                        + ",\"params\":{\"odd\":1e400}}");
            }
            case "progress" -> {
                String token = Members.of(meta).get("progressToken");
                for (int i = 1; i <= 3; i++) {
                    Thread.sleep(Long.parseLong(arguments.getOrDefault("pause", "0")));
                    write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                            + token + ", \"progress\":" + i + ".0}}");
                }
                result(id, "{\"content\":[]}");
            }
            default -> error(id, -32602);
        }
    }

    private void listen(String id) {
        String meta = "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" + id + "}";
        write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{" + meta
                + "}}");
        write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{" + meta + "}}");
    }

    private void newKey(String id, Path file) throws IOException {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
        StringBuilder key = new StringBuilder("AKIA");
        new SecureRandom().ints(16, 0, alphabet.length()).forEach(i -> key.append(alphabet.charAt(i)));
        Files.writeString(file, key);
        System.err.println("created the key " + key);
        System.err.flush();
        result(
                id,
                "{\"content\":[{\"type\":\"text\",\"text\":\"Your key: " + key
                        + "\"}],\"structuredContent\":{\"key\":\"" + key + "\"}}");
    }

    /** A grandchild whose parent is gone. */
    private void orphan(String id) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "sleep 3600 >/dev/null 2>&1 & echo $!").start();
        String pid = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        shell.waitFor();
        result(id, "{\"pid\":" + pid + "}");
    }

    private void large(String id, int bytes) {
        out.print("{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"");
        byte[] block = "x".repeat(64 << 10).getBytes(StandardCharsets.ISO_8859_1);
        for (int left = bytes; left > 0; left -= block.length) {
            out.write(block, 0, Math.min(left, block.length));
        }
        out.print("\"}]},\"jsonrpc\":\"2.0\",\"id\":" + id + "}\n");
        out.flush();
    }

    private void flood(String id, int lines) {
        StringBuilder block = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            block.append("noise ").append(i).append('\n');
            if (block.length() > 1 << 16) {
                System.err.print(block);
                block.setLength(0);
            }
        }
        System.err.print(block);
        System.err.println("y".repeat(100_000));
        System.err.flush();
        result(id, "{\"content\":[]}");
    }

    private void result(String id, String result) {
        write("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    private void error(String id, int code) {
        write("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + code + ",\"message\":\"no\"}}");
    }

    private void write(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.ISO_8859_1);
        out.write(bytes, 0, bytes.length);
        out.flush();
    }
}
