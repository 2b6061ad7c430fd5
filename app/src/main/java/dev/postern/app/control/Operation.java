package dev.postern.app.control;

import org.jspecify.annotations.Nullable;

/** One thing the gateway does when a command asks for it. Called on a virtual thread of its own. */
@FunctionalInterface
public interface Operation {
    /**
     * Does it.
     *
     * @return what to answer, in the kinds {@link dev.postern.json.JsonWriter} writes; no values
     * @throws ControlException to fail with an exit code and a sentence
     */
    @Nullable
    Object perform(ControlRequest request, Peer peer) throws Exception;

    /** Whoever asked, for an operation that lasts. */
    interface Peer {
        /**
         * Says what happens meanwhile.
         *
         * @throws java.io.UncheckedIOException if whoever asked is gone
         */
        void send(Object event);

        /**
         * Runs {@code action} once if whoever asked hangs up before the operation is done. Excludes {@link #next()} from then
         * on.
         */
        void onHangUp(Runnable action);

        /** Runs {@code action} once the answer has been sent. */
        void whenAnswered(Runnable action);

        /**
         * Sends a line as it is, its end included: for an operation whose connection becomes a stream of lines.
         *
         * @throws java.io.UncheckedIOException if whoever asked is gone
         */
        void sendLine(byte[] line);

        /** The next line whoever asked sends, without its end; null once they are done, or gone. */
        byte @Nullable [] next();

        /** Once {@link #next()} gave null: whether they are done and read what is still to be said; else they are gone. */
        boolean listensOn();

        /** Ends the connection from this side: {@link #next()} returns null. */
        void hangUp();
    }
}
