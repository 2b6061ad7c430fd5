package dev.postern.web.http;

/** Where a stream's events are put. Never blocks: a reader that falls too far behind loses the stream and comes again. */
public interface EventSink {
    /**
     * One event.
     *
     * @param event its name, which a page listens to
     * @param data text, of one or more lines; holds no value
     */
    void send(String event, String data);

    /** Ends the stream; the page comes again by itself. */
    void end();
}
