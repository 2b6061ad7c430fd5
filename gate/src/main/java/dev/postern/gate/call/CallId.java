package dev.postern.gate.call;

import java.util.UUID;

/** One tool call, for the ledger and the operator; not the JSON-RPC id, which the client chooses. */
public record CallId(String value) {
    public static CallId random() {
        return new CallId(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
