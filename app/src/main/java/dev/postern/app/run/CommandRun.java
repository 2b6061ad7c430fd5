package dev.postern.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.operations.CommandUse;
import dev.postern.app.posix.Child;
import dev.postern.app.posix.ChildEnvironment;
import dev.postern.app.posix.Platform;
import dev.postern.app.posix.PosixException;
import dev.postern.app.wiring.KeySources;
import dev.postern.detect.ResponseSanitizer;
import dev.postern.detect.SanitizationResult;
import dev.postern.gate.call.CallId;
import dev.postern.json.JsonWriter;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubber;
import dev.postern.secret.Reveal;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.sql.StoreSnapshot;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One command with secrets in its environment, from the look into the vault to its exit code. */
public final class CommandRun {
    /** Keys to the vault and to the gateway: ours, and no command's unless the operator says so. */
    private static final Set<String> OURS = Set.of("POSTERN_KEY", "POSTERN_PASSPHRASE", "POSTERN_AGENT_KEY");

    /** What a shell says of a command that could not be started. */
    private static final int NOT_STARTED = 126;

    private final Path dataDirectory;
    private final List<String> command;
    private final List<Variable> variables;

    /**
     * Prepares it.
     *
     * @param command the program and its arguments
     * @param variables for its environment; of two with one name the later counts
     */
    public CommandRun(Path dataDirectory, List<String> command, List<Variable> variables) {
        this.dataDirectory = dataDirectory;
        this.command = List.copyOf(command);
        Map<String, Variable> byName = new LinkedHashMap<>();
        variables.forEach(variable -> byName.put(variable.name(), variable));
        this.variables = List.copyOf(byName.values());
    }

    /**
     * Runs it to its end.
     *
     * @param messages for a sentence about what went wrong beside the command
     * @return the command's exit code, or 128 and the number of the signal that ended it
     * @throws ControlException if it was not started, or its output could not be scrubbed; names the remedy
     */
    public int run(PrintWriter messages) throws InterruptedException {
        if (!Platform.isSupported()) {
            throw new ControlException(ExitCode.FAILED, "this command needs Linux or macOS.");
        }
        Path program = Program.find(command.getFirst(), searchPath());
        Scrubber scrubber;
        CommandUse use;
        try (ChildEnvironment environment = ChildEnvironment.inheritedWithout(OURS)) {
            try (GivenSecrets given = given()) {
                fill(environment, given);
                scrubber = Scrubber.of(given.live());
                use = use(given, scrubber);
            }
            try (scrubber) {
                return run(program, environment, scrubber, use, messages);
            }
        } catch (PosixException e) {
            throw new ControlException(ExitCode.FAILED, e.getMessage() + ". Nothing was started.");
        }
    }

    private int run(Path program, ChildEnvironment environment, Scrubber scrubber, CommandUse use, PrintWriter messages)
            throws InterruptedException {
        @Nullable UseRecord record = use.secretRefs().isEmpty() ? null : new UseRecord(dataDirectory, use);
        try (StandardStreams streams = new StandardStreams()) {
            SignalRelay signals = new SignalRelay(streams);
            if (record != null) {
                record.intend();
            }
            int exitCode = NOT_STARTED;
            try {
                Child child = Child.start(program, command, environment, streams.forChild());
                environment.close();
                signals.to(child);
                streams.start(scrubber);
                exitCode = child.waitFor();
                signals.ended();
                streams.finish();
            } finally {
                streams.close();
                if (record != null) {
                    long millis = Duration.between(use.at(), Instant.now()).toMillis();
                    close(
                            record,
                            new CommandUse.Ended(exitCode, millis, streams.outputBytes(), streams.hits()),
                            messages);
                }
            }
            if (streams.unscrubbed()) {
                throw new ControlException(
                        ExitCode.REFUSED,
                        ScrubFailedException.CODE,
                        "a part of the output could not be scrubbed and was withheld.");
            }
            return exitCode;
        }
    }

    /** The command has run, whatever becomes of its entry. */
    private static void close(UseRecord record, CommandUse.Ended ended, PrintWriter messages) {
        try {
            record.close(ended);
        } catch (RuntimeException e) {
            messages.println("postern: how the command ended could not be written to the ledger;"
                    + " its entry will read 'outcome unknown'.");
            messages.flush();
        }
    }

    private GivenSecrets given() {
        if (variables.stream().allMatch(variable -> variable.references().isEmpty())) {
            return GivenSecrets.none(variables);
        }
        if (Files.notExists(DataDirectory.databaseIn(dataDirectory))) {
            throw new ControlException(
                    ExitCode.FAILED,
                    "there is no vault in " + dataDirectory + "; run 'postern up' and 'postern secret add NAME',"
                            + " or name another directory with --data. Nothing was started.");
        }
        return StoreSnapshot.read(dataDirectory, KeySources.of(System::getenv), snapshot -> {
            if (snapshot.killed()) {
                throw new ControlException(
                        ExitCode.REFUSED,
                        "KILL_SWITCH",
                        "the kill switch is on, and no secret leaves; end it with 'postern kill off'."
                                + " Nothing was started.");
            }
            return GivenSecrets.resolve(variables, snapshot.vault());
        });
    }

    private static void fill(ChildEnvironment environment, GivenSecrets given) {
        given.variables().forEach((name, value) -> {
            byte[] bytes = value.reveal(Reveal.TO_DELIVER);
            try {
                environment.put(name, bytes);
            } catch (IllegalArgumentException e) {
                throw new ControlException(
                        ExitCode.FAILED,
                        "the value for " + name + " holds a NUL, which no environment can. Nothing was started.");
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        });
    }

    /** For the ledger: what was run, and which variables hold references. */
    private CommandUse use(GivenSecrets given, Scrubber scrubber) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put(
                "command",
                command.stream()
                        .map(word -> new String(scrubber.scrubText(word.getBytes(UTF_8)), UTF_8))
                        .toList());
        Map<String, String> texts = new LinkedHashMap<>();
        variables.stream()
                .filter(variable -> !variable.references().isEmpty())
                .forEach(variable -> texts.put(variable.name(), variable.text()));
        arguments.put("env", texts);
        return new CommandUse(
                CallId.random(),
                Instant.now(),
                texts.isEmpty() ? new byte[] {'{', '}'} : masked(JsonWriter.write(arguments)),
                given.ledgerNames(),
                given.references());
    }

    /** L1, D7: what is kept holds no secret either that nobody told us about. */
    private static byte[] masked(byte[] arguments) {
        SanitizationResult result = ResponseSanitizer.withDefaultRules().scanAndMask(arguments);
        return result.changed() ? result.text().getBytes(UTF_8) : arguments;
    }

    private @Nullable String searchPath() {
        return variables.stream()
                .filter(variable ->
                        variable.name().equals("PATH") && variable.references().isEmpty())
                .map(Variable::text)
                .findFirst()
                .orElseGet(() -> System.getenv("PATH"));
    }
}
