package dev.postern.gate.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.detect.DetectionSettings;
import dev.postern.gate.detect.Screening;
import dev.postern.gate.testing.TestClock;
import dev.postern.json.JsonStrings;
import dev.postern.scrub.RecentValues;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D6 for what a server says outside of answers, and what the default mode must let pass. */
class ScreeningTest {
    private static final String KEY = "AKIAQ3EGUHPZLMKWXRT7";

    private final TestClock clock = new TestClock();
    private final Caller agent = new Caller("agent", "agent", "user", Set.of());
    private final ChokePoint chokePoint = new ChokePoint(
            new RecentValues(clock),
            new Screening(DetectionSettings.of(DetectionModes.DEFAULTS), new CapturedValues(clock)),
            () -> true);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"%s\"}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":{\"a\":[\"%s\"]}}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1,\"message\":\"at %s\"}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/new\",\"params\":{\"x\":\"%s\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[{\"role\":"
                        + "\"user\",\"content\":{\"type\":\"text\",\"text\":\"%s\"}}],\"systemPrompt\":\"%s\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"%s\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"no %s\",\"data\":{\"k\":\"%s\"}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"contents\":[{\"uri\":\"file:///a\",\"text\":\"A=%s\"}]}}",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"%s\"}}]"
            })
    @DisplayName("Notifications, requests, errors, resources and what a later protocol adds")
    void everyKind(String message) {
        assertThat(screen(message.replace("%s", KEY))).isEqualTo(message.replace("%s", "{{vault:captured.1}}"));
    }

    @Test
    @DisplayName("What a server says of itself and its lists is compared by hashes and stays")
    void definitions() {
        byte[] list = bytes("{\"result\":{\"tools\":[{\"name\":\"a\",\"description\":\"such as " + KEY + "\"}]}}");
        assertThat(chokePoint.clean(Raw.received(list), "user", "files").bytes())
                .isSameAs(list);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Presigned URLs and links people must be able to open.
                "https://bucket.s3.eu-central-1.amazonaws.com/report.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
                        + "AKIAIOSFODNN7EXAMPLE%2F20261130%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20261130T070000Z"
                        + "&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature="
                        + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
                "https://bucket.s3.amazonaws.com/a?X-Amz-Credential=AKIAQ3EGUHPZLMKWXRT7%2F20261130%2Fus-east-1%2Fs3%2F"
                        + "aws4_request&X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024",
                "https://storage.googleapis.com/b/o?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=svc%40p.iam."
                        + "gserviceaccount.com%2F20261130%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Signature="
                        + "247a2aa45f169edf4d187d54e7cc46e4731b1e6273242c4f4c39a1d2507a0e58",
                "https://acct.blob.core.windows.net/c/b?sv=2024-11-04&se=2026-11-30T08%3A00%3A00Z&sr=b&sp=r&sig="
                        + "Z%2FRHIX5Xcg0Mq2rqI3OlWTjEg2tYkboXr1P9ZUXDtkk%3D",
                "https://meet.example.com/j/84123456789?from=calendar",
                "http://127.0.0.1:7437/l/kq3wBSTdT1UPb6ynOvA0n2ZyyRZtM2Kbf2ZBYHHuFQw",
                // Hashes and ids.
                "commit 3f786850e387550fdab836ed7e6dc881de23001b (HEAD -> main)",
                "index 89e6c98..1b2c3d4 100644",
                "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  a.tar.gz",
                "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "d41d8cd98f00b204e9800998ecf8427e",
                "\"integrity\": \"sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==\"",
                "ETag: W/\"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
                "request id 5f0c1ad2-7d0e-4f65-9a53-1d6a6f9c2e0b",
                "{\"id\":\"01JDXK3V9QG2M7T8R5W4Z6Y1BC\",\"uuid\":\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\"}",
                "docker.io/library/nginx@sha256:0d17b565c37bcbd895e9d92315a05c1c3c9a29f762b011a10c54a66cd53c9b31",
                // Public keys and certificates.
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl kim@example.com",
                "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9\n"
                        + "q9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==\n-----END PUBLIC KEY-----",
                "-----BEGIN CERTIFICATE-----\nMIIBtjCCAVugAwIBAgITBmyf1XSXNmY/Owua2eiedgPySjAKBggqhkjOPQQDAjA5\n"
                        + "MQswCQYDVQQGEwJVUzEPMA0GA1UEChMGQW1hem9uMRkwFwYDVQQDExBBbWF6b24g\n-----END CERTIFICATE-----",
                "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEYeH5vBYJKwYBBAHaRw8BAQdAlY8n\n-----END PGP PUBLIC KEY BLOCK-----",
                "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 github.com (RSA)",
                // Examples and placeholders of documentation.
                "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
                "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                "export API_KEY=your-api-key-here",
                "password: <your password>",
                "PASSWORD=${DB_PASSWORD}",
                "token = os.environ[\"TOKEN\"]",
                "postgres://user:password@localhost:5432/db",
                "postgresql://db:5432/app?contact=ops@example.com",
                // Tokens that are there to be given back.
                "{\"nextPageToken\":\"CAUQAA\",\"next_cursor\":\"dXNlcjpXMDdRQ1JQQTQ=\"}",
                "{\"tokenizer\":\"cl100k_base\",\"sync_token\":\"s72594_4483_1934\"}",
                "the maximum is 4096 tokens, and max_tokens: 1024",
                "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
            })
    @DisplayName("In the default mode presigned URLs, hashes, ids, public keys and examples pass, every byte")
    void falseAlarms(String text) {
        byte[] message = bytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
                + JsonStrings.quote(text) + "}]}}");
        Scrubbed screened = chokePoint.screen(Raw.received(message), agent, "files");
        assertThat(screened.detected()).isEmpty();
        assertThat(screened.bytes()).isSameAs(message);
    }

    private String screen(String message) {
        return new String(
                chokePoint.screen(Raw.received(bytes(message)), agent, "files").bytes(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
