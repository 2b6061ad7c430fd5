package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.posix.DrivenTerminal;
import dev.postern.app.posix.KeyboardSignals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code postern run} at a terminal: the command sits at one as well, and whoever types notices nothing but the scrubbing. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(900)
class RunInTerminalTest {
    private static final String VALUE = "S3cr3t/Va+lue~99#&x";
    /** One long sleep would outlast a signal that came just before it. */
    private static final String UNTIL_HEARD = "until test $heard; do sleep 0.1; done";

    private static final String REFERENCE = "{{vault:db}}";

    @TempDir
    private static Path shared = Path.of("");

    private static Path data = Path.of("");

    @BeforeAll
    static void aVault() throws Exception {
        KeyboardSignals.hear();
        data = shared.resolve("data");
        try (RunningGateway gateway = RunningGateway.start(data)) {
            gateway.addSecret("db", VALUE);
            gateway.stop();
        }
    }

    private static DrivenTerminal run(String script) {
        List<String> command = new ArrayList<>(PosternProcess.builder("run", "-e", "X=db", "--", "sh", "-c", script)
                .command());
        return DrivenTerminal.start(command, Map.of("POSTERN_DATA", data.toString()), 33, 101);
    }

    /** Runs {@code postern run} from a shell, with the streams that its command line says. */
    private static DrivenTerminal shell(String before, String script, String after) {
        StringBuilder line = new StringBuilder(before);
        PosternProcess.builder("run", "-e", "X=db", "--", "sh", "-c", script)
                .command()
                .forEach(word ->
                        line.append(" '").append(word.replace("'", "'\\''")).append('\''));
        return DrivenTerminal.start(
                List.of("/bin/sh", "-c", line + " " + after), Map.of("POSTERN_DATA", data.toString()), 33, 101);
    }

    private static void assertClean(DrivenTerminal terminal) throws InterruptedException {
        new Leaks(VALUE).assertAbsent("the terminal", terminal.shown().getBytes(UTF_8));
    }

    @Test
    void theCommandHasATerminalOfOurSizeAndShowsColours() throws Exception {
        try (DrivenTerminal terminal = run("test -t 0 && test -t 1 && test -t 2 && tty && stty size; "
                + "printf '\\033[31mred\\033[0m <%s>\\n' \"$X\"; exit 5")) {
            terminal.await("/dev/");
            terminal.await("33 101");
            terminal.await("\033[31mred\033[0m <" + REFERENCE + ">\r\n");
            assertThat(terminal.exitCode()).isEqualTo(5);
            assertThat(terminal.modesAreAsBefore()).isTrue();
            assertClean(terminal);
        }
    }

    @Test
    void aPromptWaitsForWhatIsTypedAndTheEchoIsScrubbed() throws Exception {
        try (DrivenTerminal terminal = run("printf 'Password: '; read -r a; [ \"$a\" = \"$X\" ] && echo same")) {
            terminal.await("Password: ");
            terminal.type(VALUE + "\r");
            terminal.await(REFERENCE + "\r\n");
            terminal.await("same");
            assertThat(terminal.exitCode()).isZero();
            assertClean(terminal);
        }
    }

    @Test
    void anInterruptIsTypedIntoTheCommandsTerminal() throws Exception {
        try (DrivenTerminal terminal =
                run("trap 'echo one more; heard=1' INT; echo ready; " + UNTIL_HEARD + "; echo end")) {
            terminal.await("ready");
            terminal.type("\003");
            terminal.await("one more");
            terminal.await("end");
            assertThat(terminal.exitCode()).isZero();
            assertThat(terminal.modesAreAsBefore()).isTrue();
        }
        try (DrivenTerminal terminal = run("echo ready; exec cat")) {
            terminal.await("ready");
            terminal.type("\003");
            assertThat(terminal.exitCode()).isEqualTo(130);
        }
        try (DrivenTerminal terminal = run("echo ready; exec cat")) {
            terminal.await("ready");
            terminal.type("\034");
            assertThat(terminal.exitCode()).isEqualTo(131);
        }
    }

    @Test
    void theEndOfInputIsTypedToo() throws Exception {
        try (DrivenTerminal terminal = run("echo ready; cat; echo after")) {
            terminal.await("ready");
            terminal.type("\004");
            terminal.await("after");
            assertThat(terminal.exitCode()).isZero();
        }
    }

    @Test
    void aWindowThatChangesItsSizeTellsTheCommand() throws Exception {
        try (DrivenTerminal terminal = run("trap 'stty size; exit 6' WINCH; echo ready; sleep 1000 & wait $!")) {
            terminal.await("ready");
            terminal.resize(20, 60);
            terminal.await("20 60");
            assertThat(terminal.exitCode()).isEqualTo(6);
        }
    }

    @Test
    void aSignalToUsIsPassedOnAndTheTerminalIsGivenBack() throws Exception {
        try (DrivenTerminal terminal = run("trap 'echo bye; exit 9' TERM; echo ready; sleep 1000 & wait $!")) {
            terminal.await("ready");
            terminal.signal(15);
            terminal.await("bye");
            assertThat(terminal.exitCode()).isEqualTo(9);
            assertThat(terminal.modesAreAsBefore()).isTrue();
        }
    }

    @Test
    void whatStillRunsInTheTerminalIsNotWaitedFor() throws Exception {
        try (DrivenTerminal terminal = run("trap '' HUP; sleep 30 & echo \"started <$X>\"")) {
            terminal.await("started <" + REFERENCE + ">");
            assertThat(terminal.exitCode()).isZero();
        }
    }

    @Test
    void standardErrorStaysApartWhereItIsAFile() throws Exception {
        Path errors = shared.resolve("errors");
        try (DrivenTerminal terminal =
                shell("", "test -t 1 && test ! -t 2 && echo \"apart $X\"; echo \"error $X\" >&2", "2>" + errors)) {
            terminal.await("apart " + REFERENCE);
            assertThat(terminal.exitCode()).isZero();
        }
        assertThat(errors).hasContent("error " + REFERENCE);
    }

    @Test
    void coloursSurviveWhereOnlyTheOutputIsATerminal() throws Exception {
        try (DrivenTerminal terminal = shell(
                "echo from a pipe |", "test ! -t 0 && test -t 1 && stty size <&1; read -r a; echo \"$a $X\"", "")) {
            terminal.await("33 101\r\n");
            terminal.await("from a pipe " + REFERENCE + "\r\n");
            assertThat(terminal.exitCode()).isZero();
        }
    }

    @Test
    void anInterruptIsHeardOnceWhereTheOutputIsAPipe() throws Exception {
        Path output = shared.resolve("output");
        // Two interrupts would come at once; the second sleep is there to let them.
        try (DrivenTerminal terminal = shell(
                "exec",
                "trap 'echo heard; heard=1' INT; echo ready >&2; " + UNTIL_HEARD + "; sleep 0.5; exit 4",
                ">" + output)) {
            terminal.await("ready");
            terminal.type("\003");
            assertThat(terminal.exitCode()).isEqualTo(4);
        }
        assertThat(output).hasContent("heard");
    }
}
