package dev.postern.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ToolGuardTest {
    private static final String PASSWORD = "Tr0ub4dor&3 \"quoted\"";

    private final List<String> asked = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private final ToolGuard guard = ToolGuard.of(this::secret, null, () -> now);

    private @Nullable SecretValue secret(String tool, Reference reference) {
        asked.add(tool + " " + reference);
        String value = switch (reference.name()) {
            case "db" -> reference.field() == Field.USERNAME ? "app" : PASSWORD;
            case "port" -> "5432";
            case "broken" -> throw new IllegalStateException("keychain says " + PASSWORD);
            default -> null;
        };
        return value == null ? null : new SecretValue(value.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("R3, S7: the tool gets the value, the agent gets its reference back")
    void echo() {
        List<String> received = new ArrayList<>();
        String answer = guard.call("echo", "{\"text\":\"pw {{vault:db}}\"}", arguments -> {
            received.add(arguments);
            return arguments;
        });

        assertThat(received).containsExactly("{\"text\":\"pw Tr0ub4dor&3 \\\"quoted\\\"\"}");
        assertThat(answer).isEqualTo("{\"text\":\"pw {{vault:db}}\"}");
    }

    @Test
    @DisplayName("S3: in every form, in JSON and in text")
    void echoInEveryForm() {
        byte[] value = PASSWORD.getBytes(StandardCharsets.UTF_8);
        String forms = String.join(
                "\n",
                PASSWORD,
                Base64.getEncoder().encodeToString(value),
                HexFormat.of().formatHex(value),
                "Tr0ub4dor%263%20%22quoted%22",
                "Tr0ub4dor&amp;3 &quot;quoted&quot;");

        String answer = guard.call("echo", "{\"a\":\"{{vault:db}}\"}", arguments -> forms);

        assertThat(answer).isEqualTo(String.join("\n", java.util.Collections.nCopies(5, "{{vault:db}}")));
    }

    @Test
    @DisplayName("The boundary: a hash of the value comes back, the value does not")
    void hash() throws NoSuchAlgorithmException {
        String expected = sha256(PASSWORD);
        String answer = guard.call("hash", "{\"text\":\"{{vault:db}}\"}", arguments -> {
            try {
                return sha256(arguments.substring(9, arguments.length() - 2).replace("\\\"", "\""));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(answer).isEqualTo(expected);
    }

    @Test
    @DisplayName("R8: arguments without a reference are handed on as the same string, and no secret is asked for")
    void nothingToResolve() {
        String arguments = "{ \"text\" : \"plain {\" }";
        assertThat(guard.call("echo", arguments, given -> given)).isSameAs(arguments);
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("R6: one reference without a value, and no tool runs")
    void allOrNothing() {
        ToolRefusedException refused = catchThrowableOfType(
                ToolRefusedException.class,
                () -> guard.call(
                        "echo", "{\"a\":\"{{vault:db}}\",\"b\":\"{{vault:none}}\"}", ToolGuardTest::mustNotRun));

        assertThat(refused.code()).isEqualTo("SECRET_UNRESOLVED");
        assertThat(refused).hasMessageContaining("{{vault:none}}").hasMessageNotContaining(PASSWORD);
    }

    @Test
    @DisplayName("R3, R4: a malformed reference, one in a key, and arguments that are no JSON refuse the call")
    void malformed() {
        assertThatThrownBy(() -> guard.call("echo", "{\"a\":\"{{vault:NO}}\"}", ToolGuardTest::mustNotRun))
                .isInstanceOf(ToolRefusedException.class)
                .hasMessageStartingWith("SECRET_UNRESOLVED: ")
                .hasMessageContaining("/a");
        assertThatThrownBy(() -> guard.call("echo", "{\"{{vault:db}}\":1}", ToolGuardTest::mustNotRun))
                .isInstanceOf(ToolRefusedException.class);
        assertThatThrownBy(() -> guard.call("echo", "{{vault:db}}", ToolGuardTest::mustNotRun))
                .isInstanceOf(ToolRefusedException.class)
                .hasMessageStartingWith("INVALID_ARGS: ");
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("A source that throws refuses the call; what it said is not for the agent")
    void brokenSource() {
        assertThatThrownBy(() -> guard.call("echo", "{\"a\":\"{{vault:broken}}\"}", ToolGuardTest::mustNotRun))
                .isInstanceOf(ToolRefusedException.class)
                .hasMessageStartingWith("SECRET_UNRESOLVED: ")
                .hasMessageNotContaining(PASSWORD)
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("R2: filters shape the value, and what they made is not seen either")
    void filters() {
        List<String> received = new ArrayList<>();
        String answer = guard.call("http", "{\"auth\":\"Basic {{vault:db|basic}}\"}", arguments -> {
            received.add(arguments);
            return "sent " + arguments;
        });

        String pair = Base64.getEncoder().encodeToString(("app:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        assertThat(received).containsExactly("{\"auth\":\"Basic " + pair + "\"}");
        assertThat(answer).isEqualTo("sent {\"auth\":\"Basic {{vault:db}}\"}");
        assertThat(asked).containsExactly("http {{vault:db}}", "http {{vault:db#username}}");
    }

    @Test
    @DisplayName("R11: where the schema admits only an integer, the value is placed as one")
    void scalars() {
        String schema = "{\"type\":\"object\",\"properties\":{\"port\":{\"type\":\"integer\"}}}";
        List<String> received = new ArrayList<>();
        String answer = guard.call("connect", "{\"port\":\"{{vault:port}}\"}", schema, arguments -> {
            received.add(arguments);
            return arguments;
        });

        assertThat(received).containsExactly("{\"port\":5432}");
        assertThat(answer).isEqualTo("{\"port\":\"{{vault:port}}\"}");
    }

    @Test
    @DisplayName("S9: a value delivered lately is taken out of later answers, whichever tool gives them")
    void remembered() {
        guard.call("login", "{\"a\":\"{{vault:db}}\"}", arguments -> "ok");
        assertThat(guard.call("history", "{}", arguments -> "last: " + PASSWORD))
                .isEqualTo("last: {{vault:db}}");

        now = now.plus(Duration.ofMinutes(10));
        assertThat(guard.call("history", "{}", arguments -> "last: " + PASSWORD))
                .contains(PASSWORD);
    }

    @Test
    @DisplayName("A tool that throws: its message without the value, its cause not at all")
    void failure() {
        ToolFailedException failed = catchThrowableOfType(
                ToolFailedException.class,
                () -> guard.call("login", "{\"a\":\"{{vault:db}}\"}", arguments -> {
                    throw new IllegalArgumentException("refused " + PASSWORD, new IllegalStateException(PASSWORD));
                }));

        assertThat(failed).hasMessage("refused {{vault:db}}").hasNoCause();
    }

    @Test
    @DisplayName("S10: an answer that nests too deep to be scrubbed as JSON is scrubbed as text")
    void deep() {
        String deep = "[".repeat(600) + "\"" + "Tr0ub4dor&3 \\\"quoted\\\"" + "\"" + "]".repeat(600);
        assertThat(guard.call("deep", "{\"a\":\"{{vault:db}}\"}", arguments -> deep))
                .contains("{{vault:db}}")
                .doesNotContain("Tr0ub");
    }

    @Test
    @DisplayName("D2: secrets nobody told us about are masked in answers")
    void unknownSecrets() {
        ToolGuard masking = ToolGuard.of((tool, reference) -> null);
        String answer =
                masking.call("env", "{}", arguments -> "{\"url\":\"postgres://app:hunter2hunter2@db.internal/x\"}");
        assertThat(answer).contains("[REDACTED:connection_string]").doesNotContain("hunter2");
    }

    private static String mustNotRun(String arguments) {
        throw new AssertionError("the tool ran");
    }

    private static String sha256(String text) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest);
    }
}
