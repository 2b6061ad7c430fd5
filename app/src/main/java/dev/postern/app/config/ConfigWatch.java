package dev.postern.app.config;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Tells when the file's content has changed, however an editor replaces it: written, renamed over, removed. */
public final class ConfigWatch implements AutoCloseable {
    /** Editors write in several steps; what follows within this time is one change. */
    private static final long SETTLE_MILLIS = 100;

    private final Path file;
    private final Runnable changed;
    private final WatchService watch;
    private final Thread thread;
    private byte[] seen;

    /**
     * Watches from now on.
     *
     * @param changed called on the watching thread, one call at a time
     */
    public ConfigWatch(Path file, Runnable changed) throws IOException {
        this.file = file.toAbsolutePath();
        this.changed = changed;
        this.seen = content();
        this.watch = this.file.getFileSystem().newWatchService();
        Path directory = this.file.getParent();
        if (directory == null) {
            throw new IOException("a file stands in a directory");
        }
        directory.register(
                watch,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY,
                StandardWatchEventKinds.ENTRY_DELETE);
        // A platform thread: it sleeps in the operating system's call, which would hold a carrier.
        this.thread = Thread.ofPlatform().daemon().name("config-watch").start(this::run);
    }

    private void run() {
        try {
            while (true) {
                drain(watch.take());
                settle();
                byte[] now = content();
                if (!Arrays.equals(now, seen)) {
                    seen = now;
                    changed.run();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException e) {
            // Closed: nothing is watched any more.
        }
    }

    /** Waits until the file is left alone. Others in its directory, such as a database, may be written all the time. */
    private void settle() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS);
        for (long left; (left = end - System.nanoTime()) > 0; ) {
            WatchKey key = watch.poll(left, TimeUnit.NANOSECONDS);
            if (key != null && drain(key)) {
                end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_MILLIS);
            }
        }
    }

    /** Whether one of the events is about the file. */
    private boolean drain(WatchKey key) {
        boolean file = false;
        for (WatchEvent<?> event : key.pollEvents()) {
            file |= this.file.getFileName().equals(event.context());
        }
        key.reset();
        return file;
    }

    private byte[] content() {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    @Override
    public void close() {
        try {
            watch.close();
        } catch (IOException e) {
            // It holds nothing that could be lost.
        }
        thread.interrupt();
    }
}
