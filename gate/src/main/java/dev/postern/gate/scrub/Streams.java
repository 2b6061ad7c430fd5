package dev.postern.gate.scrub;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.scrub.Scrubber;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What servers said last in the notifications that tell a call's progress and its log, so that a value cut across several
 * of them is found (S4): the text of the next is scrubbed as a block that follows them. Nothing is held back for that; so a
 * first piece of a value can be out before the rest is known for what it is, but no more than its first part of less than
 * half (S15).
 *
 * <p>Holds text only while values are looked for, no more than {@link #MOST_BYTES} a stream and {@link #MOST_STREAMS}
 * streams, and wipes what it drops. Thread-safe.
 */
final class Streams {
    private static final int MOST_BYTES = 8192;
    private static final int MOST_STREAMS = 256;
    private static final int LONGEST_ESCAPE = 6;
    /** Where log records that are objects have their text, by the libraries that write them. */
    private static final List<String> TEXT_OF_RECORD = List.of("message", "msg", "text", "line", "chunk");

    private final Map<String, byte[]> tails = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
            boolean full = size() > MOST_STREAMS;
            if (full) {
                Arrays.fill(eldest.getValue(), (byte) 0);
            }
            return full;
        }
    };

    /** Streams that something was added to since idle ones were wiped. */
    private final Set<String> told = new HashSet<>();

    /** Where a notification continues a text. */
    record Piece(String stream, JsonValue text) {}

    /** The text by which a notification continues others of its stream; null if it does not. */
    static @Nullable Piece piece(JsonValue message, String user, String server) {
        String method = message.string("method");
        JsonValue params = message.member("params");
        if (method == null || params == null || !params.is(Kind.OBJECT)) {
            return null;
        }
        JsonValue text;
        JsonValue source;
        switch (method) {
            case "notifications/progress" -> {
                text = params.member("message");
                source = params.member("progressToken");
            }
            case "notifications/message" -> {
                text = textOf(params.member("data"));
                source = params.member("logger");
            }
            default -> {
                return null;
            }
        }
        if (text == null || !text.is(Kind.STRING)) {
            return null;
        }
        return new Piece(user + '\n' + server + '\n' + method + '\n' + (source == null ? "" : source.spelling()), text);
    }

    /** What a log record says: itself, or of an object the member that does. */
    private static @Nullable JsonValue textOf(@Nullable JsonValue data) {
        if (data == null || !data.is(Kind.OBJECT)) {
            return data;
        }
        for (String name : TEXT_OF_RECORD) {
            JsonValue text = data.member(name);
            if (text != null && text.is(Kind.STRING)) {
                return text;
            }
        }
        return null;
    }

    /** The piece's string token, scrubbed as what follows the earlier pieces of its stream. */
    synchronized byte[] scrub(Piece piece, Scrubber scrubber) {
        byte[] token = piece.text.bytes();
        byte[] before = tails.get(piece.stream);
        byte[] scrubbed = before == null ? scrubber.scrub(token) : scrubAfter(before, token, scrubber);
        keep(piece.stream, before, token);
        told.add(piece.stream);
        return scrubbed;
    }

    private static byte[] scrubAfter(byte[] before, byte[] token, Scrubber scrubber) {
        byte[] blocks = join("[{\"text\":\"", before, "\"},{\"text\":", token, "}]");
        byte[] scrubbed = scrubber.scrub(blocks);
        JsonValue last = JsonValue.parse(scrubbed).elements().get(1).member("text");
        byte[] text = last == null ? token : last.bytes();
        Arrays.fill(blocks, (byte) 0);
        return text;
    }

    /** Keeps the content of the last pieces, cut where a character begins. */
    private void keep(String stream, byte @Nullable [] before, byte[] token) {
        byte[] content = Arrays.copyOfRange(token, 1, token.length - 1);
        byte[] all = before == null ? content : join("", before, "", content, "");
        byte[] tail = all;
        if (all.length > MOST_BYTES) {
            int from = all.length - MOST_BYTES;
            while (from < all.length && !standsAlone(all, from)) {
                from++;
            }
            tail = Arrays.copyOfRange(all, from, all.length);
            Arrays.fill(all, (byte) 0);
        }
        byte[] replaced = tails.put(stream, tail);
        if (replaced != null) {
            Arrays.fill(replaced, (byte) 0);
        }
    }

    /** Whether neither a character nor an escape, of at most six bytes, goes on here. */
    private static boolean standsAlone(byte[] content, int at) {
        for (int i = at - LONGEST_ESCAPE; i < at; i++) {
            if (content[i] == '\\') {
                return false;
            }
        }
        return (content[at] & 0xC0) != 0x80;
    }

    /** Wipes what nothing was added to since this was called last. */
    synchronized void wipeIdle() {
        tails.entrySet().removeIf(tail -> {
            boolean idle = !told.contains(tail.getKey());
            if (idle) {
                Arrays.fill(tail.getValue(), (byte) 0);
            }
            return idle;
        });
        told.clear();
    }

    private static byte[] join(String first, byte[] one, String between, byte[] other, String last) {
        byte[] a = first.getBytes(StandardCharsets.UTF_8);
        byte[] b = between.getBytes(StandardCharsets.UTF_8);
        byte[] c = last.getBytes(StandardCharsets.UTF_8);
        byte[] joined = Arrays.copyOf(a, a.length + one.length + b.length + other.length + c.length);
        int at = a.length;
        for (byte[] part : new byte[][] {one, b, other, c}) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }
}
