package dev.postern.store.crypto;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.store.file.DataDirectory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where the root key comes from (V2): exactly one of three. */
public sealed interface KeySource {
    /** The name of the environment variable that holds a key. */
    String ENVIRONMENT_VARIABLE = "POSTERN_KEY";

    /** A key of 32 bytes in hex, base64 or base64url, such as {@code POSTERN_KEY} holds. */
    static KeySource given(SecretValue encoded) {
        return new Given(encoded);
    }

    /** The file {@code postern.key} in the data directory, made on the first start. */
    static KeySource file() {
        return new File();
    }

    /** A passphrase, in UTF-8. */
    static KeySource passphrase(SecretValue passphrase) {
        return new Passphrase(passphrase);
    }

    /** What a vault remembers of its root key: the kind of its source, and how to derive it where that is needed. */
    record Trace(Kind kind, @Nullable KeyDerivation derivation) {}

    /** A root key and what to remember of it. */
    record Made(RootKey key, Trace trace) {}

    /** The kinds of source, as they are stored. */
    enum Kind {
        GIVEN,
        FILE,
        PASSPHRASE
    }

    Kind kind();

    /**
     * A root key for a vault without keys.
     *
     * @throws KeyException if what is given is no key, or the key file cannot be made
     */
    Made create(DataDirectory directory);

    /**
     * The root key of a vault that left this trace. Changes nothing, and needs no lock.
     *
     * @param keyFile where the key file is, should this source have one
     * @param opens whether a key is that of the vault
     * @return null if this source's key is another
     * @throws KeyException if what is given is no key, or the key file cannot be read
     */
    @Nullable
    RootKey find(Path keyFile, Trace trace, Predicate<RootKey> opens);

    /**
     * A root key to replace the one in use. The vault stores what it wraps, and then calls {@link #settle}; a crash before,
     * between or after leaves a vault that this source opens.
     *
     * @throws KeyException as {@link #create}
     */
    default Made createNext(DataDirectory directory) {
        return create(directory);
    }

    /** Finishes a replacement that was cut short before it was settled: where only the next key opens the vault. */
    default void settleIfNext(DataDirectory directory, Predicate<RootKey> opens) {}

    /** The key of {@link #createNext} is now the vault's. */
    default void settle(DataDirectory directory) {}

    /** The key if it opens the vault; else it is wiped. */
    private static @Nullable RootKey tried(RootKey key, Predicate<RootKey> opens) {
        if (opens.test(key)) {
            return key;
        }
        key.close();
        return null;
    }

    /** {@link #given}. */
    record Given(SecretValue encoded) implements KeySource {
        @Override
        public Kind kind() {
            return Kind.GIVEN;
        }

        @Override
        public Made create(DataDirectory directory) {
            return new Made(decode(), new Trace(Kind.GIVEN, null));
        }

        @Override
        public @Nullable RootKey find(Path keyFile, Trace trace, Predicate<RootKey> opens) {
            return tried(decode(), opens);
        }

        private RootKey decode() {
            byte[] text = encoded.reveal(Reveal.TO_SEAL);
            try {
                return KeyText.decode(text, ENVIRONMENT_VARIABLE);
            } finally {
                Arrays.fill(text, (byte) 0);
            }
        }
    }

    /** {@link #file}. */
    record File() implements KeySource {
        @Override
        public Kind kind() {
            return Kind.FILE;
        }

        @Override
        public Made create(DataDirectory directory) {
            return new Made(KeyFile.readOrCreate(directory.keyFile()), new Trace(Kind.FILE, null));
        }

        @Override
        public @Nullable RootKey find(Path keyFile, Trace trace, Predicate<RootKey> opens) {
            RootKey key = tried(KeyFile.read(keyFile), opens);
            return key == null && KeyFile.hasNext(keyFile) ? tried(KeyFile.read(KeyFile.next(keyFile)), opens) : key;
        }

        @Override
        public void settleIfNext(DataDirectory directory, Predicate<RootKey> opens) {
            Path keyFile = directory.keyFile();
            if (KeyFile.hasNext(keyFile)) {
                RootKey current = tried(KeyFile.read(keyFile), opens);
                if (current == null) {
                    KeyFile.settle(keyFile);
                } else {
                    current.close();
                }
            }
        }

        @Override
        public Made createNext(DataDirectory directory) {
            Path next = KeyFile.next(directory.keyFile());
            KeyFile.create(next);
            return new Made(KeyFile.read(next), new Trace(Kind.FILE, null));
        }

        @Override
        public void settle(DataDirectory directory) {
            KeyFile.settle(directory.keyFile());
        }
    }

    /** {@link #passphrase}. */
    record Passphrase(SecretValue passphrase) implements KeySource {
        @Override
        public Kind kind() {
            return Kind.PASSPHRASE;
        }

        @Override
        public Made create(DataDirectory directory) {
            KeyDerivation derivation = KeyDerivation.random();
            return new Made(derive(derivation), new Trace(Kind.PASSPHRASE, derivation));
        }

        @Override
        public @Nullable RootKey find(Path keyFile, Trace trace, Predicate<RootKey> opens) {
            KeyDerivation derivation = trace.derivation();
            return derivation == null ? null : tried(derive(derivation), opens);
        }

        private RootKey derive(KeyDerivation derivation) {
            byte[] bytes = passphrase.reveal(Reveal.TO_SEAL);
            try {
                return derivation.derive(bytes);
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }
}
