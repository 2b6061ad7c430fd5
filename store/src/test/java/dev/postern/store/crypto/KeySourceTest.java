package dev.postern.store.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.secret.SecretValue;
import dev.postern.store.file.DataDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** V2: where the root key comes from. */
final class KeySourceTest {
    private static final byte[] KEY =
            HexFormat.of().parseHex("fbff00112233445566778899aabbccddeeff102030405060708090a0b0c0d0e0");

    @TempDir
    Path temporary;

    private DataDirectory directory;

    @BeforeEach
    void open() {
        directory = DataDirectory.open(temporary.resolve("data"));
    }

    @AfterEach
    void close() {
        directory.close();
    }

    @Test
    void aGivenKeyIsReadAsHexBase64OrBase64Url() {
        byte[] wrapped = KeyRing.generate(new RootKey(AesKey.of(KEY)), 1);
        for (String text : new String[] {
            HexFormat.of().formatHex(KEY),
            HexFormat.of().withUpperCase().formatHex(KEY),
            Base64.getEncoder().encodeToString(KEY),
            Base64.getUrlEncoder().withoutPadding().encodeToString(KEY) + "\n"
        }) {
            assertThat(given(text).create(directory).key().opens(1, wrapped)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "hunter2", "zz00112233445566778899aabbccddeeff102030405060708090a0b0c0d0e0f0", "AAAA", "ääää"
            })
    void whatIsNoKeyIsRefusedWithoutQuotingIt(String text) {
        assertThatThrownBy(() -> given(text).create(directory))
                .isInstanceOf(KeyException.class)
                .hasMessage("POSTERN_KEY does not hold a key: 32 bytes are needed, in base64 or hex.");
    }

    @Test
    void theKeyFileIsMadeOnTheFirstStartForItsOwnerOnly() throws IOException {
        RootKey made = KeySource.file().create(directory).key();
        Path file = directory.path().resolve("postern.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        byte[] wrapped = KeyRing.generate(made, 1);
        assertThat(KeySource.file().create(directory).key().opens(1, wrapped)).isTrue();
    }

    @Test
    void aKeyFileThatOthersCanReadIsRefused() throws IOException {
        KeySource.Made made = KeySource.file().create(directory);
        Files.setPosixFilePermissions(directory.keyFile(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> KeySource.file().find(directory.keyFile(), made.trace(), key -> true))
                .isInstanceOf(KeyException.class)
                .hasMessageEndingWith("can be read by other users: run chmod 600 on it.");
    }

    @Test
    void aMissingKeyFileIsNotReplacedByANewOne() {
        KeySource.Made made = KeySource.file().create(directory);
        directory.keyFile().toFile().delete();
        assertThatThrownBy(() -> KeySource.file().find(directory.keyFile(), made.trace(), key -> true))
                .isInstanceOf(KeyException.class)
                .hasMessageContaining("is missing");
        assertThat(directory.keyFile()).doesNotExist();
    }

    @Test
    void aPassphraseGivesTheSameKeyAgainAndAnotherPassphraseAnother() {
        KeySource.Made made = passphrase("correct horse").create(directory);
        byte[] wrapped = KeyRing.generate(made.key(), 1);
        assertThat(passphrase("correct horse").find(directory.keyFile(), made.trace(), key -> key.opens(1, wrapped)))
                .isNotNull();
        assertThat(passphrase("correct house").find(directory.keyFile(), made.trace(), key -> key.opens(1, wrapped)))
                .isNull();
    }

    private static KeySource given(String text) {
        return KeySource.given(new SecretValue(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static KeySource passphrase(String text) {
        return KeySource.passphrase(new SecretValue(text.getBytes(StandardCharsets.UTF_8)));
    }
}
