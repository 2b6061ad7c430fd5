package dev.postern.gate.call;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * One tool call, for the ledger and the operator; not the JSON-RPC id, which the client chooses. A UUID of version 7 (RFC
 * 9562): it begins with the time, so that an index over millions of calls grows at its end alone.
 */
public record CallId(String value) {
    private static final SecureRandom RANDOM = new SecureRandom();

    public static CallId random() {
        byte[] random = new byte[10];
        RANDOM.nextBytes(random);
        ByteBuffer bytes = ByteBuffer.wrap(random);
        long high = (System.currentTimeMillis() << 16) | 0x7000 | (bytes.getShort() & 0x0fff);
        long low = 0x8000000000000000L | (bytes.getLong() & 0x3fffffffffffffffL);
        return new CallId(new UUID(high, low).toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
