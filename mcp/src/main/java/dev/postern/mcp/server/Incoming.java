package dev.postern.mcp.server;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.mcp.wire.Message;
import java.util.List;

/**
 * What a client posted.
 *
 * @param messages one message, or those of a batch, which 2025-03-26 had
 */
record Incoming(List<Message> messages, boolean isBatch) {
    private static final int MAX_BATCH = 100;

    /** @throws MalformedMessageException if it is neither */
    static Incoming parse(byte[] body) {
        if (!startsAsArray(body)) {
            return new Incoming(List.of(Message.parse(body)), false);
        }
        try {
            List<JsonValue> elements = JsonValue.parse(body).elements();
            if (elements.isEmpty() || elements.size() > MAX_BATCH) {
                throw new MalformedMessageException(
                        JsonRpc.INVALID_REQUEST, "a batch has 1 to " + MAX_BATCH + " messages");
            }
            return new Incoming(
                    elements.stream()
                            .map(element -> Message.parse(element.bytes()))
                            .toList(),
                    true);
        } catch (JsonException e) {
            throw new MalformedMessageException(
                    JsonRpc.PARSE_ERROR, "the message is not valid JSON: " + e.getMessage());
        }
    }

    Message single() {
        return messages.getFirst();
    }

    private static boolean startsAsArray(byte[] body) {
        for (byte b : body) {
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b == '[';
            }
        }
        return false;
    }

    /** Whether one of the messages asks for something and wants no answer. */
    boolean hasRequestWithoutId() {
        return messages.stream()
                .anyMatch(message -> message.type() == Message.Type.NOTIFICATION && !message.isNamedNotification());
    }

    /** How many of the messages want an answer. */
    int requests() {
        return (int) messages.stream()
                .filter(message -> message.type() == Message.Type.REQUEST)
                .count();
    }
}
