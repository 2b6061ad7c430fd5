package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.vault.ServerLogins;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.store.Opened;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What servers gave the gateway is sealed like a secret and is none. */
class SqlServerLoginsTest {
    @TempDir
    private Path data = Path.of("");

    private static String find(ServerLogins logins, String server) {
        return logins.find(server)
                .map(value -> {
                    try (value) {
                        return new String(value.reveal(Reveal.TO_DELIVER), StandardCharsets.UTF_8);
                    }
                })
                .orElse("");
    }

    @Test
    void aLoginIsKeptOverARestartAndARotationOfKeysAndIsNoSecret() {
        try (Opened opened = Opened.in(data)) {
            try (SecretValue login = Opened.secret("token one")) {
                opened.store().logins().save("s", login);
            }
            try (SecretValue login = Opened.secret("token two")) {
                opened.store().logins().save("s", login);
            }
            opened.store().keys().rotate("operator");
            assertThat(opened.store().vault().list()).isEmpty();
            assertThat(opened.find("s")).isEmpty();
            assertThat(opened.store().keys().check().broken()).isEmpty();
        }
        try (Opened opened = Opened.in(data)) {
            assertThat(find(opened.store().logins(), "s")).isEqualTo("token two");
            assertThat(find(opened.store().logins(), "other")).isEmpty();
            assertThat(opened.store().logins().remove("s")).isTrue();
            assertThat(opened.store().logins().remove("s")).isFalse();
            assertThat(find(opened.store().logins(), "s")).isEmpty();
        }
    }

    @Test
    @DisplayName("V2: a login under another server's name does not open")
    void aLoginMovedToAnotherServerDoesNotOpen() throws Exception {
        try (Opened opened = Opened.in(data);
                SecretValue login = Opened.secret("token")) {
            opened.store().logins().save("s", login);
        }
        Opened.tamper(data, "UPDATE server_login SET server = 'other'");
        try (Opened opened = Opened.in(data)) {
            assertThat(find(opened.store().logins(), "other")).isEmpty();
            try (SecretValue login = Opened.secret("token two")) {
                opened.store().logins().save("other", login);
            }
            assertThat(find(opened.store().logins(), "other")).isEqualTo("token two");
        }
    }
}
