package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A1: where a passphrase is set, a program of this user needs it to decide. */
class PassphraseTest {
    private static final String PASSPHRASE = "correct horse battery";
    private static final Map<String, String> KNOWS = Map.of("POSTERN_PASSPHRASE", PASSPHRASE);

    @TempDir
    private Path data = Path.of("");

    @Test
    @DisplayName(
            "A1: writing a secret, ending a kill, applying a policy and signing in take the passphrase; the rest does not")
    void decidingTakesThePassphrase() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data)) {
            assertThat(run(Map.of(), "a value that is long", "secret", "add", "before")
                            .exitCode())
                    .isZero();
            assertThat(run(Map.of(), PASSPHRASE, "passphrase", "set").exitCode())
                    .isZero();

            PosternProcess.Finished refused = run(Map.of(), "a value that is long", "secret", "add", "after");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err()).startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(KNOWS, "a value that is long", "secret", "add", "after")
                            .exitCode())
                    .isZero();
            assertThat(run(Map.of("POSTERN_PASSPHRASE", "nope nope nope"), "x", "secret", "add", "more")
                            .err())
                    .startsWith("PASSPHRASE_WRONG: ");

            assertThat(run(Map.of(), "", "link", "before").err()).startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(KNOWS, "", "link", "before").exitCode()).isZero();
            assertThat(run(Map.of(), "", "agent", "add", "more").err()).startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(KNOWS, "", "agent", "add", "more").exitCode()).isZero();
            assertThat(run(Map.of(), "", "agent", "rotate", "more").err()).startsWith("PASSPHRASE_REQUIRED: ");

            assertThat(run(Map.of(), "", "kill", "on").exitCode()).isZero();
            assertThat(run(Map.of(), "", "kill", "off").err()).startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(KNOWS, "", "kill", "off").exitCode()).isZero();
            assertThat(run(Map.of(), "{}", "policy", "apply", "-").err()).startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(Map.of(), "", "approve", "00000000-0000-0000-0000-000000000000")
                            .err())
                    .startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(Map.of(), "", "portal", "--link").err()).startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(Map.of(), "something quite else", "passphrase", "set")
                            .err())
                    .startsWith("PASSPHRASE_REQUIRED: ");
            assertThat(run(Map.of(), "", "secret", "list").out()).contains("before", "after");
            assertThat(gateway.standardError()).doesNotContain(PASSPHRASE);
        }
    }

    @Test
    @DisplayName("The first start prints a link that signs in once; portal --link makes another")
    void theFirstStartPrintsALinkThatSignsIn() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data)) {
            String first = gateway.signIn();
            assertThat(first).startsWith(gateway.url() + "/sign-in/link/");
            assertThat(follow(first)).isEqualTo(303);
            assertThat(follow(first)).isEqualTo(404);
            String later = run(Map.of(), "", "portal", "--link").out().strip();
            assertThat(follow(later)).isEqualTo(303);
            assertThat(run(Map.of(), "", "portal").out().strip()).isEqualTo(gateway.url() + "/");
        }
    }

    @Test
    @DisplayName("A1: a link that was made before the passphrase no longer signs in once there is one")
    void aLinkFromBeforeThePassphraseEnds() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data)) {
            assertThat(run(Map.of(), PASSPHRASE, "passphrase", "set").exitCode())
                    .isZero();
            assertThat(follow(gateway.signIn())).isEqualTo(404);
            String later = run(KNOWS, "", "portal", "--link").out().strip();
            assertThat(follow(later)).isEqualTo(303);
        }
    }

    private static int follow(String link) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(link))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString("passphrase="))
                    .build();
            return client.send(request, BodyHandlers.ofString()).statusCode();
        }
    }

    private PosternProcess.Finished run(Map<String, String> environment, String input, String... command)
            throws Exception {
        return PosternProcess.run(data, PosternProcess.utf8(input), environment, command);
    }
}
