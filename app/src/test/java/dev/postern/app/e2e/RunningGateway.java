package dev.postern.app.e2e;

import dev.postern.app.control.ControlClient;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.server.ScriptedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** {@code postern up} in a process of its own, with everything it prints kept. */
final class RunningGateway implements AutoCloseable {
    private final Path data;
    private final Process process;
    private final Path err;
    private final JsonValue ready;

    private RunningGateway(Path data, Process process, Path err, JsonValue ready) {
        this.data = data;
        this.process = process;
        this.err = err;
        this.ready = ready;
    }

    /** Starts on a data directory and waits until it is ready. Unless the options say otherwise, whoever asks waits for long. */
    static RunningGateway start(Path data, String... options) throws IOException {
        Path err = Files.createTempFile("postern-err", ".txt");
        List<String> arguments = new ArrayList<>(List.of("up", "--json", "--port", "0", "--data", data.toString()));
        arguments.addAll(List.of(options));
        for (String patience : List.of("--approval-hold", "--approval-timeout")) {
            if (!arguments.contains(patience)) {
                arguments.addAll(List.of(patience, "3600"));
            }
        }
        Process process = PosternProcess.builder(arguments.toArray(String[]::new))
                .redirectError(err.toFile())
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        if (line == null) {
            throw new AssertionError("the gateway did not start: " + Files.readString(err));
        }
        return new RunningGateway(data, process, err, JsonValue.parse(line.getBytes(StandardCharsets.UTF_8)));
    }

    /** Starts in front of a scripted server {@code s}, with the secret {@code db}. */
    static RunningGateway startScripted(Path data) throws IOException {
        configure(data, Map.of("s", ScriptedServer.command()));
        RunningGateway gateway = start(data);
        gateway.addSecret("db", "a value that is long enough");
        return gateway;
    }

    /** Writes the configuration that the next start, or the running gateway, reads. */
    static void configure(Path data, Map<String, List<String>> commands) throws IOException {
        Map<String, Object> servers = new LinkedHashMap<>();
        commands.forEach((name, command) -> servers.put(
                name,
                Map.of("command", command.getFirst(), "args", command.subList(1, command.size()), "timeout", 60_000)));
        Files.createDirectories(data);
        Files.setPosixFilePermissions(data, java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
        Files.write(data.resolve("postern.json"), dev.postern.json.JsonWriter.write(Map.of("mcpServers", servers)));
    }

    Path data() {
        return data;
    }

    String url() {
        return String.valueOf(ready.string("url"));
    }

    /** The link that signs the operator in, which a first start prints. */
    String signIn() {
        return String.valueOf(ready.string("sign_in"));
    }

    /** The key of the agent that the first start made. */
    String key() {
        JsonValue agent = ready.member("agent");
        if (agent == null) {
            throw new AssertionError("no first agent: this was not the first start");
        }
        return String.valueOf(agent.string("key"));
    }

    ControlClient control() {
        return new ControlClient(data);
    }

    JsonValue ask(String operation, Map<String, ?> arguments) {
        return control().ask(operation, arguments);
    }

    void addSecret(String name, String value) {
        write("secret.add", Map.of("name", name, "username", "kim", "website", "https://x.example"), value);
    }

    void rotateSecret(String name, String value) {
        write("secret.rotate", Map.of("name", name), value);
    }

    void applyPolicy(String document) {
        write("policy.apply", Map.of(), document);
    }

    private void write(String operation, Map<String, ?> arguments, String value) {
        try (SecretValue secret = new SecretValue(value.getBytes(StandardCharsets.UTF_8))) {
            control().ask(operation, arguments, secret, event -> {});
        }
    }

    /** Waits for the next call that asks for approval, and gives it. */
    JsonValue awaitApproval() {
        JsonValue[] seen = new JsonValue[1];
        try {
            control().ask("approvals.watch", Map.of(), null, approval -> {
                seen[0] = approval;
                throw new Seen();
            });
        } catch (Seen e) {
            return seen[0];
        }
        throw new AssertionError("the gateway ended while an approval was awaited");
    }

    /** Waits until so many calls have asked for approval. */
    void awaitApprovals(int count) {
        Set<String> seen = new HashSet<>();
        try {
            control().ask("approvals.watch", Map.of(), null, approval -> {
                if (seen.add(String.valueOf(approval.string("id"))) && seen.size() == count) {
                    throw new Seen();
                }
            });
        } catch (Seen e) {
            return;
        }
        throw new AssertionError("the gateway ended while approvals were awaited");
    }

    /** Approves the next call that asks. */
    JsonValue approveNext() {
        JsonValue approval = awaitApproval();
        ask("approve", Map.of("ids", List.of(String.valueOf(approval.string("id")))));
        return approval;
    }

    String standardError() throws IOException {
        return Files.readString(err);
    }

    long pid() {
        return process.pid();
    }

    /** As {@code kill -9}: nothing is cleaned up. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Ends it as {@code postern stop} does; returns its exit code. */
    int stop() throws InterruptedException {
        ask("stop", Map.of());
        if (!process.waitFor(PosternProcess.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the gateway did not stop");
        }
        return process.exitValue();
    }

    /** The gateway's process and those that it has started. */
    List<ProcessHandle> processes() {
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        process.descendants().forEach(all::add);
        return all;
    }

    /** Whether it says to load balancers that it takes calls. */
    boolean isReady() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url() + "/readyz").toURL().openConnection();
            return connection.getResponseCode() == 200;
        } catch (IOException e) {
            return false; // nobody listens, or no longer to the end
        }
    }

    /** Sends SIGTERM; its exit code comes. */
    CompletableFuture<Integer> terminateLater() {
        process.destroy();
        return process.onExit().thenApply(Process::exitValue);
    }

    /** What it has logged. */
    String log() throws IOException {
        return Files.readString(err);
    }

    /** Sends SIGTERM and waits; the exit code. */
    int terminate() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            process.waitFor();
        }
        Files.deleteIfExists(err);
    }

    private static final class Seen extends RuntimeException {
        Seen() {
            super(null, null, false, false);
        }
    }
}
