package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.app.control.ControlClient;
import dev.postern.app.posix.KeyboardSignals;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code postern run} where nothing is a terminal: pipes and files, as in scripts and for agents. */
class RunCommandTest {
    private static final String VALUE = "S3cr3t/Va+lue~99#&x";
    private static final String REFERENCE = "{{vault:db}}";
    private static final Leaks LEAKS = new Leaks(VALUE);

    @TempDir
    private static Path shared = Path.of("");

    private static Path data = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void aVault() throws Exception {
        KeyboardSignals.hear();
        data = shared.resolve("data");
        try (RunningGateway gateway = RunningGateway.start(data)) {
            gateway.addSecret("db", VALUE);
            gateway.addSecret("nul", "a value\0with a NUL");
            add(gateway, "bound", Map.of("servers", List.of("files")));
            add(gateway, "host", Map.of("hosts", List.of("example.com")));
            add(gateway, "mine", Map.of("tools", List.of("postern__run")));
            add(gateway, "model", Map.of("tags", List.of("ai-provider")));
            gateway.stop();
        }
    }

    private static void add(RunningGateway gateway, String name, Map<String, List<String>> more) {
        Map<String, Object> arguments = new LinkedHashMap<>(more);
        arguments.put("name", name);
        try (SecretValue value = new SecretValue(("the value of " + name).getBytes(UTF_8))) {
            gateway.control().ask("secret.add", arguments, value, event -> {});
        }
    }

    private static PosternProcess.Finished run(String... arguments) throws IOException, InterruptedException {
        return run(new byte[0], Map.of(), arguments);
    }

    private static PosternProcess.Finished run(byte[] input, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        String[] all = Stream.concat(Stream.of("run"), Arrays.stream(arguments)).toArray(String[]::new);
        PosternProcess.Finished finished = PosternProcess.run(data, input, environment, all);
        LEAKS.assertAbsent("standard output", finished.out().getBytes(UTF_8));
        LEAKS.assertAbsent("standard error", finished.err().getBytes(UTF_8));
        return finished;
    }

    private static PosternProcess.Finished shell(String script) throws IOException, InterruptedException {
        return run("--env", "X=db", "--", "sh", "-c", script);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    @DisplayName("The hash of the value comes back, the value does not")
    void theCommandHasTheValueAndWhoReadsItsOutputHasNot() throws Exception {
        PosternProcess.Finished finished = shell("printf %s \"$X\" | sha256sum; echo \"is $X.\"; echo \"not $X\" >&2");
        assertThat(finished.exitCode()).as(finished.err()).isZero();
        assertThat(finished.out()).isEqualTo(sha256(VALUE.getBytes(UTF_8)) + "  -\nis " + REFERENCE + ".\n");
        assertThat(finished.err()).isEqualTo("not " + REFERENCE + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "printf %s \"$X\" | base64",
                "printf %s \"user:$X\" | base64",
                "printf %s \"$X\" | od -An -tx1 | tr -d ' \\n'",
                "echo S3cr3t%2FVa%2blue%7E99%23%26x",
                "printf '{\"a\":\"S3cr3t\\\\/Va+lue~99#\\\\u0026x\"}\\n'",
                "printf %s \"${X%lue*}\"; printf '%s\\n' \"${X#*Va+}\"",
                "printf '%s\\033[1m%s\\033[0m\\n' \"${X%lue*}\" \"${X#*Va+}\"",
            })
    @DisplayName("S3, S4")
    void theValueIsFoundInItsFormsAndAcrossWrites(String script) throws Exception {
        PosternProcess.Finished finished = shell(script);
        assertThat(finished.exitCode()).as(finished.err()).isZero();
        assertThat(finished.out()).contains(REFERENCE).doesNotContain("lue");
    }

    @Test
    void aReferenceStandsInTextWithFiltersOrAlone() throws Exception {
        PosternProcess.Finished finished = run(
                "--env",
                "URL=postgres://app:{{vault:db|uri}}@host",
                "-e",
                "USER_NAME=vault:db#username",
                "-e",
                "MINE={{vault:mine}}",
                "--",
                "sh",
                "-c",
                "printf %s \"$URL\" | sha256sum; printf %s \"$USER_NAME\" | sha256sum; echo $URL");
        assertThat(finished.exitCode()).as(finished.err()).isZero();
        assertThat(finished.out().lines())
                .containsExactly(
                        sha256("postgres://app:S3cr3t%2FVa%2Blue~99%23%26x@host".getBytes(UTF_8)) + "  -",
                        sha256("kim".getBytes(UTF_8)) + "  -",
                        "postgres://app:" + REFERENCE + "@host");
    }

    @Test
    void aFileOfVariablesIsReadAndAnOptionWinsOverIt() throws Exception {
        Path file = Files.writeString(
                directory.resolve("run.env"), "MODE=production\nexport X=\"<{{vault:db}}>\"\nY=from file\n");
        PosternProcess.Finished finished =
                run("--env-file", file.toString(), "--env", "Y={{vault:mine}}", "sh", "-c", "echo \"$MODE $X $Y\"");
        assertThat(finished.out()).isEqualTo("production <" + REFERENCE + "> {{vault:mine}}\n");
    }

    @ParameterizedTest
    @CsvSource({"exit 0, 0", "exit 7, 7", "exit 255, 255", "kill -INT $$, 130", "kill -TERM $$, 143", "kill -9 $$, 137"
    })
    void theExitCodeIsTheCommands(String script, int exitCode) throws Exception {
        assertThat(shell(script).exitCode()).isEqualTo(exitCode);
    }

    @Test
    void standardInputPassesByteForByte() throws Exception {
        byte[] input = new byte[1_000_000];
        new Random(1).nextBytes(input);
        PosternProcess.Finished finished = run(input, Map.of(), "-e", "X=db", "sha256sum");
        assertThat(finished.out()).isEqualTo(sha256(input) + "  -\n");
    }

    @Test
    void optionsAndWordsAreTheCommandsFromItsNameOn() throws Exception {
        Path words = Files.writeString(directory.resolve("words"), "expanded\n");
        PosternProcess.Finished finished =
                run("printf", "%s|", "--env", "-e", "--help", "--", "@" + words, "ünïcode", "", "a b");
        assertThat(finished.exitCode()).as(finished.err()).isZero();
        assertThat(finished.out()).isEqualTo("--env|-e|--help|--|@" + words + "|ünïcode||a b|");
    }

    @Test
    void keysToTheVaultAndDescriptorsStayBehind() throws Exception {
        PosternProcess.Finished finished = run(
                new byte[0],
                Map.of("POSTERN_AGENT_KEY", "k", "POSTERN_PASSPHRASE", "p", "KEPT", "ö", "X", "before"),
                "-e",
                "X=db",
                "--",
                "sh",
                "-c",
                "env | grep -c '^X='; env | grep POSTERN_; echo $KEPT; ls /proc/self/fd | wc -l; "
                        + "grep SigBlk /proc/self/status; tr '\\0' ' ' </proc/$PPID/cmdline | grep -c S3''cr3t");
        // 0, 1, 2 and that of the directory itself.
        assertThat(finished.out()).isEqualTo("1\nPOSTERN_DATA=" + data + "\nö\n4\nSigBlk:\t0000000000000000\n0\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X=nope                 | 3 | SECRET_UNRESOLVED: --env X: there is no secret for {{vault:nope}}
            X={{vault:A B}}        | 3 | SECRET_UNRESOLVED: --env X:
            X={{vault:db#notes}}   | 3 | SECRET_UNRESOLVED: --env X: the field of {{vault:db#notes}} is empty
            X=bound                | 3 | SECRET_FORBIDDEN: --env X: the destination rules
            X=host                 | 3 | SECRET_FORBIDDEN: --env X: the destination rules
            X=model                | 3 | SECRET_FORBIDDEN: --env X: {{vault:model}} is tagged ai-provider
            X=nul                  | 1 | holds a NUL
            X                      | 2 | NAME=REF
            """)
    @DisplayName("R4, R6, P9, V5")
    void whatCannotBeGivenStartsNothing(String variable, int exitCode, String says) throws Exception {
        Path marker = directory.resolve("started");
        PosternProcess.Finished finished = run("-e", "OK=db", "-e", variable, "--", "touch", marker.toString());
        assertThat(finished.exitCode()).as(finished.err()).isEqualTo(exitCode);
        assertThat(finished.err()).contains(says).doesNotContain("Exception");
        assertThat(marker).doesNotExist();
    }

    @Test
    void aCommandThatIsMissingIsSaid() throws Exception {
        assertThat(run("-e", "X=db").exitCode()).isEqualTo(2);
        PosternProcess.Finished unknown = run("-e", "X=db", "no-such-command-here");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).contains("'no-such-command-here' was not found");
        PosternProcess.Finished notExecutable = run("-e", "X=db", directory.toString());
        assertThat(notExecutable.exitCode()).isEqualTo(1);
        assertThat(notExecutable.err()).contains("not an executable file");
    }

    @Test
    void aVaultThatIsMissingDamagedOrLockedStartsNothing() throws Exception {
        Path marker = directory.resolve("started");
        Path none = directory.resolve("none");
        refused(none, marker, "there is no vault in " + none);
        assertThat(none).doesNotExist();
        Path copy = copyOfData("damaged");
        Files.writeString(copy.resolve("postern.db"), "this is no database. ".repeat(500));
        refused(copy, marker, "damaged");
        Path keyless = copyOfData("keyless");
        Files.delete(keyless.resolve("postern.key"));
        refused(keyless, marker, "key file");
    }

    private static void refused(Path vault, Path marker, String says) throws Exception {
        PosternProcess.Finished finished = PosternProcess.run(vault, "run", "-e", "X=db", "touch", marker.toString());
        assertThat(finished.exitCode()).as(finished.err()).isEqualTo(1);
        assertThat(finished.err()).contains(says).doesNotContain("Exception");
        assertThat(marker).doesNotExist();
    }

    private Path copyOfData(String name) throws IOException {
        Path copy = directory.resolve(name);
        Files.createDirectory(copy, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String file : List.of("postern.db", "postern.key")) {
            Files.copy(data.resolve(file), copy.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        return copy;
    }

    @Test
    @DisplayName("A3, L1, L2, L3, S9, V1")
    void besideARunningGatewayItReadsTheVaultAndLeavesTheLedgerToIt() throws Exception {
        Path vault = directory.resolve("vault");
        try (RunningGateway gateway = RunningGateway.start(vault)) {
            gateway.addSecret("db", VALUE);
            PosternProcess.Finished finished = PosternProcess.run(
                    vault, "run", "-e", "X={{vault:db}}", "sh", "-c", "# typed: " + VALUE + "\necho \"$X\"; exit 3");
            assertThat(finished.exitCode()).as(finished.err()).isEqualTo(3);
            assertThat(finished.out()).isEqualTo(REFERENCE + "\n");

            // The gateway remembers what was delivered, so no tool's answer shows it either.
            PosternProcess.Finished echo = PosternProcess.run(
                    vault, "invoke", "playground__echo", "--args", "{\"text\":\"it was " + VALUE + "\"}");
            assertThat(echo.out()).contains("it was " + REFERENCE);
            LEAKS.assertAbsent("a later answer", echo.out().getBytes(UTF_8));

            JsonValue entry = entries(vault).getFirst();
            assertThat(entry.string("tool")).isEqualTo("run");
            assertThat(entry.string("server")).isEqualTo("postern");
            assertThat(entry.string("agent")).isEqualTo("command-line");
            assertThat(entry.string("approver")).isEqualTo("operator");
            assertThat(entry.string("disposition")).isEqualTo("EXECUTED");
            assertThat(entry.string("error")).isEqualTo("exit code 3");
            assertThat(Json.at(entry, "scrub_hits").spelling()).isEqualTo("1");
            assertThat(Json.at(entry, "secret_refs").spelling()).contains(".password");
            assertThat(Json.at(entry, "arguments", "env", "X").string()).isEqualTo(REFERENCE);
            LEAKS.assertAbsent("the ledger", entry.bytes());
            assertThat(PosternProcess.run(vault, "ledger", "verify").out()).contains("intact: 2 entries, 0 open");

            new ControlClient(vault).ask("kill", Map.of("on", true));
            Path marker = directory.resolve("started");
            PosternProcess.Finished killed = PosternProcess.run(vault, "run", "-e", "X=db", "touch", marker.toString());
            assertThat(killed.exitCode()).isEqualTo(3);
            assertThat(killed.err()).startsWith("KILL_SWITCH: ");
            assertThat(marker).doesNotExist();
            gateway.stop();
        }
        LEAKS.assertAbsentUnder(vault);
    }

    private static List<JsonValue> entries(Path vault) throws Exception {
        String lines = PosternProcess.run(vault, "ledger", "export").out();
        return lines.lines().map(line -> JsonValue.parse(line.getBytes(UTF_8))).toList();
    }

    @Test
    @DisplayName("L2: without a gateway, two at once, and one that outlives the start of a gateway")
    void theLedgerIsNeverHeldWhileACommandRuns() throws Exception {
        Path vault = copyOfData("vault");
        int before = entries(vault).size();
        ProcessBuilder builder = PosternProcess.builder("run", "-e", "X=db", "--", "sh", "-c", "echo ready; read -r a");
        builder.environment().put("POSTERN_DATA", vault.toString());
        Process waiting = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        waiting.inputReader(UTF_8).readLine();
        assertThat(PosternProcess.run(vault, "run", "-e", "X=db", "true").exitCode())
                .isZero();
        assertThat(PosternProcess.run(vault, "ledger", "verify").out())
                .contains("intact: " + (before + 1) + " entries, 1 open");
        try (RunningGateway gateway = RunningGateway.start(vault)) {
            waiting.getOutputStream().close();
            assertThat(waiting.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(PosternProcess.run(vault, "ledger", "verify").out())
                    .contains("intact: " + (before + 2) + " entries, 0 open");
            gateway.stop();
        }
        // Its start could not know that the command was still there.
        assertThat(entries(vault).subList(before, entries(vault).size()))
                .extracting(entry -> String.valueOf(entry.string("code")))
                .containsExactly("null", "OUTCOME_UNKNOWN");
    }

    @Test
    void aPromptWithoutALineEndIsThereWhileTheCommandWaits() throws Exception {
        Process process = started("sh", "-c", "printf 'Password: S3c'; read -r a; echo \" got $a\"");
        InputStream out = process.getInputStream();
        assertThat(new String(out.readNBytes(13), UTF_8)).isEqualTo("Password: S3c");
        try (OutputStream in = process.getOutputStream()) {
            in.write("an answer\n".getBytes(UTF_8));
        }
        assertThat(new String(out.readAllBytes(), UTF_8)).isEqualTo(" got an answer\n");
        assertThat(process.waitFor()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"INT, 2", "TERM, 15", "HUP, 1", "USR1, 10"})
    void aSignalReachesTheCommandWhichDecidesHowToEnd(String name, int number) throws Exception {
        Process process = started(
                "sh",
                "-c",
                "sleep 1000 >/dev/null 2>&1 & p=$!; trap 'echo heard; kill $p; exit 9' " + name
                        + "; echo ready; wait $p");
        var lines = process.inputReader(UTF_8);
        assertThat(lines.readLine()).isEqualTo("ready");
        new ProcessBuilder("sh", "-c", "kill -" + number + " " + process.pid())
                .start()
                .waitFor();
        assertThat(lines.readLine()).isEqualTo("heard");
        assertThat(process.waitFor()).isEqualTo(9);
    }

    @Test
    void aReaderThatGoesAwayEndsTheCommandAsItWouldWithoutUs() throws Exception {
        Process process = started("yes");
        process.getInputStream().read();
        process.getInputStream().close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(141);
    }

    @Test
    void whatTheCommandLeavesRunningIsStillHeard() throws Exception {
        PosternProcess.Finished finished =
                shell("(while kill -0 $$; do sleep 0.05; done 2>/dev/null; echo \"late $X\") & echo early");
        assertThat(finished.out()).isEqualTo("early\nlate " + REFERENCE + "\n");
    }

    @Test
    @DisplayName("scrub --text: the same pump")
    void scrubbedTextIsThereWhileMoreIsAwaited() throws Exception {
        Path values = Files.writeString(directory.resolve("values.json"), "{\"{{vault:db}}\":\"" + VALUE + "\"}");
        Process process = PosternProcess.builder("scrub", "--text", "--values", values.toString())
                .start();
        OutputStream in = process.getOutputStream();
        in.write(("first " + VALUE + " then").getBytes(UTF_8));
        in.flush();
        String expected = "first " + REFERENCE + " then";
        assertThat(new String(process.getInputStream().readNBytes(expected.length()), UTF_8))
                .isEqualTo(expected);
        in.write(" more".getBytes(UTF_8));
        in.close();
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEqualTo(" more");
        assertThat(process.waitFor()).isZero();
    }

    private static Process started(String... command) throws IOException {
        ProcessBuilder builder =
                PosternProcess.builder(Stream.concat(Stream.of("run", "-e", "X=db", "--"), Arrays.stream(command))
                        .toArray(String[]::new));
        builder.environment().put("POSTERN_DATA", data.toString());
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
