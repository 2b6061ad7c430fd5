package dev.postern.mcp.relay;

/** What an endpoint offers. */
public sealed interface Scope {
    /** {@code /mcp}: every configured server under {@code server__name}, and our own tools. */
    record All() implements Scope {}

    /** {@code /mcp/SERVER}: one server as it is, names unprefixed. */
    record One(String server) implements Scope {}
}
