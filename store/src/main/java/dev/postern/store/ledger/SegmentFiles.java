package dev.postern.store.ledger;

import dev.postern.store.file.PrivateFiles;
import dev.postern.store.ledger.Verification.Broken;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of an archived segment, in {@code ledger-archive} beside the database: one of compressed JSON Lines for each chain,
 * the entries' exactly as an export shows them, and the checkpoint that signs where they end. Mode 0600.
 */
final class SegmentFiles {
    static final String DIRECTORY = "ledger-archive";

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int HASH_LENGTH = 64;
    private static final String PREVIOUS = "\"prev_hash\":\"";
    private static final String HASH = "\",\"hash\":\"";
    private static final String END = "\"}";
    private static final int TAIL_LENGTH = PREVIOUS.length() + HASH_LENGTH + HASH.length() + HASH_LENGTH + END.length();

    private final Path directory;
    private final String name;

    SegmentFiles(Path dataDirectory, String name) {
        this.directory = dataDirectory.resolve(DIRECTORY);
        this.name = name;
    }

    /** Hands over lines of one chain, each without its newline. */
    @FunctionalInterface
    interface Source {
        void writeTo(Consumer<byte[]> sink) throws SQLException;
    }

    private Path file(LineFormat chain) {
        String part = chain == LineFormat.ENTRY ? "" : chain == LineFormat.INTENT ? ".intents" : ".traces";
        return directory.resolve(name + part + ".jsonl.gz");
    }

    private Path checkpoint() {
        return directory.resolve(name + ".checkpoint.json");
    }

    /** Writes a chain's file, flushed to the disk, and under its name only when it is whole. */
    void write(LineFormat chain, Source source) throws IOException, SQLException {
        PrivateFiles.createDirectory(directory);
        Path part = directory.resolve(name + "." + chain.table() + ".part");
        Files.deleteIfExists(part);
        PrivateFiles.createFile(part);
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
                GZIPOutputStream compressed = new GZIPOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
            source.writeTo(line -> {
                try {
                    compressed.write(line);
                    compressed.write('\n');
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            compressed.finish();
            channel.force(true);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        Files.move(part, file(chain), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        PrivateFiles.forceName(file(chain));
    }

    /** Writes the checkpoint beside them. */
    void write(Checkpoint end) throws IOException {
        byte[] json = end.json();
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        PrivateFiles.replace(checkpoint(), line);
    }

    /** Takes every entry's line, without its newline. */
    void export(Consumer<byte[]> sink) throws IOException {
        try (LineInput in = open(LineFormat.ENTRY)) {
            for (byte[] line = in.line(); line != null; line = in.line()) {
                sink.accept(line);
            }
        }
    }

    /** Goes along a chain's file. */
    @Nullable
    Broken check(ChainWalk walk, Runnable step) throws SQLException {
        try (LineInput in = open(walk.format())) {
            for (byte[] line = in.line(); line != null; line = in.line()) {
                Broken broken = check(walk, line);
                if (broken != null) {
                    return broken;
                }
                step.run();
            }
            return null;
        } catch (IOException e) {
            return new Broken(
                    "ledger_archive",
                    walk.last().position() + 1,
                    "",
                    "the file " + file(walk.format()).getFileName() + " cannot be read; bring it back to " + DIRECTORY);
        }
    }

    private static @Nullable Broken check(ChainWalk walk, byte[] line) throws SQLException {
        long position = walk.last().position() + 1;
        String tail = new String(
                line,
                Math.max(0, line.length - TAIL_LENGTH),
                Math.min(line.length, TAIL_LENGTH),
                StandardCharsets.ISO_8859_1);
        int hashAt = PREVIOUS.length() + HASH_LENGTH;
        if (line.length < TAIL_LENGTH
                || !tail.startsWith(PREVIOUS)
                || !tail.startsWith(HASH, hashAt)
                || !tail.endsWith(END)) {
            return new Broken(walk.format().table(), position, "", "it is no line of this chain");
        }
        String previousHash = tail.substring(PREVIOUS.length(), hashAt);
        String hash = tail.substring(hashAt + HASH.length(), tail.length() - END.length());
        // The line as it was hashed: up to the previous hash, and the closing brace.
        byte[] unhashed = Arrays.copyOf(line, line.length - TAIL_LENGTH + hashAt + 2);
        unhashed[unhashed.length - 2] = '"';
        unhashed[unhashed.length - 1] = '}';
        return walk.step(
                position,
                id(line),
                previousHash,
                hash,
                LineFormat.hash(unhashed).equals(hash));
    }

    /** Every line begins with its id. */
    private static String id(byte[] line) {
        String start = new String(line, 0, Math.min(line.length, 100), StandardCharsets.UTF_8);
        String before = "{\"id\":\"";
        int end = start.indexOf('"', before.length());
        return start.startsWith(before) && end > 0 ? start.substring(before.length(), end) : "";
    }

    /** Removes what is there; what is not, is gone already. */
    void delete() throws IOException {
        for (LineFormat chain : new LineFormat[] {LineFormat.ENTRY, LineFormat.INTENT, LineFormat.TRACE}) {
            Files.deleteIfExists(file(chain));
        }
        Files.deleteIfExists(checkpoint());
    }

    private LineInput open(LineFormat chain) throws IOException {
        InputStream file = Files.newInputStream(file(chain));
        try {
            return new LineInput(new GZIPInputStream(file, BUFFER_BYTES));
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Lines as bytes. */
    private static final class LineInput extends BufferedInputStream {
        LineInput(InputStream in) {
            super(in, BUFFER_BYTES);
        }

        byte @Nullable [] line() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
            int b = read();
            if (b < 0) {
                return null;
            }
            while (b >= 0 && b != '\n') {
                line.write(b);
                b = read();
            }
            return line.toByteArray();
        }
    }
}
