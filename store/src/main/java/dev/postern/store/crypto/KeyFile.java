package dev.postern.store.crypto;

import dev.postern.store.file.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/**
 * The key file: one line of base64, mode 0600. While keys are rotated, the next key stands beside it as
 * {@code postern.key.next}; whichever of the two opens the vault is the right one, so a crash at any step loses nothing.
 */
final class KeyFile {
    private KeyFile() {}

    /** @throws KeyException if the file is missing, open to other users, unreadable or holds no key */
    static RootKey read(Path file) {
        byte[] text = new byte[0];
        try {
            if (!PrivateFiles.isPrivate(file)) {
                throw new KeyException("The key file " + file + " can be read by other users: run chmod 600 on it.");
            }
            text = Files.readAllBytes(file);
            return KeyText.decode(text, "The key file " + file);
        } catch (NoSuchFileException e) {
            throw new KeyException("The key file " + file + " is missing, and the vault cannot be opened without it.");
        } catch (IOException e) {
            throw new KeyException("The key file " + file + " cannot be read.");
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /** For a vault without keys: an existing file is used, else one is made, on the disk before this returns. */
    static RootKey readOrCreate(Path file) {
        if (Files.notExists(file)) {
            create(file);
        }
        return read(file);
    }

    /** Writes a file with a new random key, replacing what is there. */
    static void create(Path file) {
        try (AesKey key = AesKey.random()) {
            byte[] bytes = key.getEncoded();
            byte[] text = KeyText.encode(bytes);
            byte[] line = Arrays.copyOf(text, text.length + 1);
            line[text.length] = '\n';
            try {
                PrivateFiles.replace(file, line);
            } finally {
                Arrays.fill(bytes, (byte) 0);
                Arrays.fill(text, (byte) 0);
                Arrays.fill(line, (byte) 0);
            }
        } catch (IOException e) {
            throw new KeyException("The key file " + file + " cannot be written.");
        }
    }

    static boolean hasNext(Path file) {
        return Files.exists(next(file));
    }

    /** Puts the next key in the place of the one before it. */
    static void settle(Path file) {
        try {
            Files.move(next(file), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            PrivateFiles.forceName(file);
        } catch (IOException e) {
            throw new KeyException("The key file " + file + " cannot be replaced by " + next(file) + ".");
        }
    }

    static Path next(Path file) {
        return file.resolveSibling(file.getFileName() + ".next");
    }
}
