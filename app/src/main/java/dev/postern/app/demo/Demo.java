package dev.postern.app.demo;

import dev.postern.app.config.ConfigFile;
import dev.postern.app.control.ControlClient;
import dev.postern.app.wiring.Gateway;
import dev.postern.app.wiring.GatewaySettings;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import dev.postern.store.ledger.LedgerLine;
import dev.postern.store.ledger.LedgerReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The guided tour. */
public final class Demo {
    private static final String NAME = "demo_password";
    private static final String REFERENCE = "{{vault:" + NAME + "}}";
    private static final int VALUE_BYTES = 18;
    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\
            "clientInfo":{"name":"postern-rehearsal","version":"1"}}}""";

    private final PrintWriter out;
    private final Predicate<JsonValue> operator;

    /**
     * A tour that has not begun.
     *
     * @param operator shown each waiting call; whether to approve it
     */
    public Demo(PrintWriter out, Predicate<JsonValue> operator) {
        this.out = out;
        this.operator = operator;
    }

    /** Tells the story from start to end, in a directory that is gone afterwards. */
    public void run() throws IOException, InterruptedException {
        inGatewayOfItsOwn((control, agent, directory, gateway) -> tell(control, agent, directory, gateway.url()));
    }

    /** The story, and what else a gateway does in its first minute. */
    public void rehearse() throws IOException, InterruptedException {
        inGatewayOfItsOwn((control, agent, directory, gateway) -> {
            tell(control, agent, directory, gateway.url());
            try (SecretValue key = new SecretValue(keyOf(gateway).getBytes(StandardCharsets.UTF_8));
                    ControlClient.Stream stdio = control.open("connect", Map.of(), key)) {
                stdio.out().write((INITIALIZE + "\n").getBytes(StandardCharsets.UTF_8));
                stdio.endInput();
                stdio.in().transferTo(OutputStream.nullOutputStream());
            }
        });
    }

    private static void inGatewayOfItsOwn(Story story) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("postern-demo");
        try (Gateway gateway = Gateway.start(new GatewaySettings(
                        directory,
                        directory.resolve(ConfigFile.NAME),
                        GatewaySettings.DEFAULT_HOST,
                        0,
                        GatewaySettings.DEFAULT_APPROVAL_TIMEOUT,
                        GatewaySettings.DEFAULT_APPROVAL_TIMEOUT));
                DemoAgent agent = new DemoAgent(gateway.url() + "/mcp", keyOf(gateway))) {
            story.tell(new ControlClient(directory), agent, directory, gateway);
        } finally {
            delete(directory);
        }
    }

    @FunctionalInterface
    private interface Story {
        void tell(ControlClient control, DemoAgent agent, Path directory, Gateway gateway)
                throws IOException, InterruptedException;
    }

    private static String keyOf(Gateway gateway) {
        var first = gateway.firstAgent();
        if (first == null) {
            throw new IllegalStateException("a new data directory has a first agent");
        }
        return first.key();
    }

    private void tell(ControlClient control, DemoAgent agent, Path directory, String url)
            throws IOException, InterruptedException {
        step("A gateway of its own runs at " + url + ", with a small playground server behind it.");
        String hash = store(control);
        step("The operator stored a password. Nobody can read it back; its SHA-256 starts with " + hash.substring(0, 16)
                + ".");

        Map<String, String> note = new LinkedHashMap<>();
        note.put("name", "login");
        note.put("text", "user=kim password=" + REFERENCE);
        step("An agent writes a note. Where the password belongs, it writes a reference:");
        show("playground__note_write", note);
        approved(control, () -> agent.call("playground__note_write", note));

        step("It reads the note back in a later call, without any reference. The tool kept the real password:");
        show("playground__note_read", Map.of("name", "login"));
        said(agent.call("playground__note_read", Map.of("name", "login")));

        step("Did the tool really get it? The agent asks for the SHA-256 of what arrives there:");
        show("playground__sha256", Map.of("text", REFERENCE));
        JsonValue digest = approved(control, () -> agent.call("playground__sha256", Map.of("text", REFERENCE)));
        boolean same = digest != null && text(digest).equals(hash);
        out.println(
                same
                        ? "   That is the hash of the stored password: the tool got the value, the agent never did."
                        : "   No call was approved, so no tool got the value.");
        out.println();
        step("Both calls are in the ledger, references intact:");
        ledger(directory);
        out.println("Now for real: postern up");
        out.flush();
    }

    private void ledger(Path directory) {
        try (LedgerReader ledger = LedgerReader.open(directory)) {
            for (LedgerLine line : ledger.tail(10)) {
                if (!line.secretRefs().isEmpty()) {
                    out.println("   " + line.at() + "  " + line.server() + "__" + line.tool() + "  "
                            + line.disposition() + "  approved by " + line.approver());
                    out.println("      " + line.arguments());
                }
            }
        }
        out.println();
        out.flush();
    }

    /** Stores a value nobody has seen; returns its hash in hex. */
    private static String store(ControlClient control) {
        byte[] random = new byte[VALUE_BYTES];
        new SecureRandom().nextBytes(random);
        byte[] value = java.util.Base64.getUrlEncoder().encode(random);
        try (SecretValue secret = new SecretValue(value)) {
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("name", NAME);
            arguments.put("username", "kim");
            arguments.put("website", "https://example.com");
            control.ask("secret.add", arguments, secret, event -> {});
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        } finally {
            Arrays.fill(random, (byte) 0);
            Arrays.fill(value, (byte) 0);
        }
    }

    /** Makes a call that waits for the operator, lets them decide, and shows what the agent saw; null if it was denied. */
    private @org.jspecify.annotations.Nullable JsonValue approved(ControlClient control, Call call)
            throws IOException, InterruptedException {
        Thread decisions = Thread.ofVirtual().name("demo-operator").start(() -> decideOne(control));
        JsonValue result = call.make();
        decisions.join();
        said(result);
        return result.member("isError") == null ? result : null;
    }

    /** Waits for one request and decides it, through the socket that the command line uses. */
    private void decideOne(ControlClient control) {
        try {
            control.ask("approvals.watch", Map.of(), null, approval -> {
                boolean yes = operator.test(approval);
                String id = String.valueOf(approval.string("id"));
                control.ask(yes ? "approve" : "deny", Map.of("ids", List.of(id)));
                throw new Decided();
            });
        } catch (Decided e) {
            // One was all there was to decide.
        }
    }

    private void step(String sentence) {
        out.println("── " + sentence);
        out.flush();
    }

    private void show(String tool, Map<String, String> arguments) {
        out.println("   agent writes   " + tool + " "
                + new String(dev.postern.json.JsonWriter.write(arguments), StandardCharsets.UTF_8));
        out.flush();
    }

    private void said(JsonValue result) {
        out.println("   agent sees     " + text(result));
        out.println();
        out.flush();
    }

    private static String text(JsonValue result) {
        JsonValue content = result.member("content");
        return content == null || content.elements().isEmpty()
                ? ""
                : String.valueOf(content.elements().getFirst().string("text"));
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the demo's directory could not be removed", e);
        }
    }

    @FunctionalInterface
    private interface Call {
        JsonValue make() throws IOException, InterruptedException;
    }

    /** Ends the watching. Carries nothing. */
    private static final class Decided extends RuntimeException {
        Decided() {
            super(null, null, false, false);
        }
    }
}
