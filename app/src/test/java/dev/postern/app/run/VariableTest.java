package dev.postern.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --env} and a file of variables understand (R1, R4). */
class VariableTest {
    @ParameterizedTest
    @CsvSource({
        "db, {{vault:db}}",
        "vault:db, {{vault:db}}",
        "VAULT:db#username, {{vault:db#username}}",
        "vault:db|uri|base64, {{vault:db|uri|base64}}",
        "{{vault:db}}, {{vault:db}}",
        "secret:0f8fad5b-d9cb-469f-a165-70867728950e.notes, {{secret:0f8fad5b-d9cb-469f-a165-70867728950e.notes}}",
        "postgres://app:{{vault:db|uri}}@host/app, postgres://app:{{vault:db|uri}}@host/app",
    })
    void aReferenceMayStandWithBracesWithoutThemOrAsAName(String written, String text) {
        Variable variable = Variable.ofOption("NAME=" + written);
        assertThat(variable.name()).isEqualTo("NAME");
        assertThat(variable.text()).isEqualTo(text);
        assertThat(variable.references()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"N", "=db", ""})
    void anOptionWithoutANameAndAReferenceIsWrongUsage(String option) {
        assertThatExceptionOfType(ControlException.class)
                .isThrownBy(() -> Variable.ofOption(option))
                .matches(e -> e.exitCode() == ExitCode.WRONG_USAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"N=", "N=Some Text", "N={{vault:A B}}", "N=vault:", "N=x {{secret:1}} y", "N=vault:db|nope"})
    void whatIsNoReferenceIsRefusedAndNotRepeated(String option) {
        assertThatExceptionOfType(ControlException.class)
                .isThrownBy(() -> Variable.ofOption(option))
                .matches(e -> e.exitCode() == ExitCode.REFUSED && e.code().equals("SECRET_UNRESOLVED"))
                .withMessageStartingWith("--env N: ");
    }

    @Test
    void aFileHoldsTextsQuotesCommentsAndReferences(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("run.env"), """
                # a comment

                MODE=production # and why
                export TOKEN={{vault:token}}
                URL = "https://a:{{vault:b|uri}}@host/#x\\n\\"q\\"" # here
                RAW='a\\n # {{vault:c}}'
                EMPTY=
                HASH=a#b
                PLAIN=vault:d
                """);
        List<Variable> variables = EnvironmentFile.read(file);
        assertThat(variables)
                .extracting(Variable::name, Variable::text)
                .containsExactly(
                        tuple("MODE", "production"),
                        tuple("TOKEN", "{{vault:token}}"),
                        tuple("URL", "https://a:{{vault:b|uri}}@host/#x\n\"q\""),
                        tuple("RAW", "a\\n # {{vault:c}}"),
                        tuple("EMPTY", ""),
                        tuple("HASH", "a#b"),
                        tuple("PLAIN", "vault:d"));
        assertThat(variables.stream().flatMap(variable -> variable.references().stream()))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no assignment", "1X=a", "X='open", "X=\"open", "X='a' b", "X-Y=1"})
    void aLineThatIsNoVariableIsNamed(String line, @TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("run.env"), "A=1\n" + line + "\n");
        assertThatExceptionOfType(ControlException.class)
                .isThrownBy(() -> EnvironmentFile.read(file))
                .withMessageContaining("run.env line 2: ")
                .matches(e -> e.exitCode() == ExitCode.FAILED);
    }

    @Test
    void aMalformedReferenceInAFileIsRefused(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("run.env"), "X={{vault:\n");
        assertThatExceptionOfType(ControlException.class)
                .isThrownBy(() -> EnvironmentFile.read(file))
                .matches(e -> e.exitCode() == ExitCode.REFUSED);
    }
}
