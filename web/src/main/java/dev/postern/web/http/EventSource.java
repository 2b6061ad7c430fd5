package dev.postern.web.http;

/** What feeds a stream of server-sent events. */
@FunctionalInterface
public interface EventSource {
    /** Starts to feed a sink, from any thread; closing what is returned stops it. */
    AutoCloseable subscribe(EventSink sink) throws Exception;
}
