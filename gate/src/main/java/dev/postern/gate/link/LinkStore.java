package dev.postern.gate.link;

import dev.postern.secret.SecretValue;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values that wait behind links, sealed. There is no list of them (O3): whoever has no token learns nothing, not even how many
 * there are. What has expired is deleted within a minute by whoever implements this.
 */
public interface LinkStore {
    /**
     * Keeps a value until it is claimed or its time is over. The value is copied.
     *
     * @return false if too many values wait already: nothing was kept
     */
    boolean add(LinkToken token, SecretValue value, LinkOrigin origin, Instant expires);

    /**
     * Takes the value behind a token, and with it the link: of any number of callers one gets it. Taking and opening are one
     * step, and a value that does not open is not taken.
     *
     * @return empty if there is no such link, whether it was claimed, has expired or never was
     * @throws LinkException if it is there and does not open, or the store cannot be used
     */
    Optional<Claimed> claim(LinkToken token);

    /** A value that was taken. Closing wipes it. */
    record Claimed(SecretValue value, LinkOrigin origin) implements AutoCloseable {
        @Override
        public void close() {
            value.close();
        }
    }

    /** The store of links cannot serve. The message names the operation only. */
    final class LinkException extends RuntimeException {
        public LinkException(@Nullable String what) {
            super(what);
        }
    }
}
