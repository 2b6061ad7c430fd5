package dev.postern.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events (WHATWG HTML, "Event stream interpretation") from a stream cut at any byte. Data stays bytes.
 * An event larger than the limit is shown to a {@link TopLevelScan} and not kept. Used by one thread at a time.
 */
final class EventStream {
    private static final int CHUNK_BYTES = 16 << 10;
    private static final int MAX_FIELD_BYTES = 8 << 10;
    private static final byte[] DATA = {'d', 'a', 't', 'a'};
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final int maxDataBytes;
    private final Sink sink;

    /** What is known of the line being read: its name up to the colon, then where its value goes. */
    private final byte[] name = new byte[16];

    private int nameLength;
    private boolean inValue;
    private boolean valueStarted;
    private boolean lineEmpty = true;
    private boolean afterReturn;
    private boolean firstLine = true;

    private byte[] value = new byte[256];
    private int valueLength;
    private byte[] data = new byte[0];
    private int dataLength;
    private boolean hasData;
    private @Nullable TopLevelScan oversized;
    private String type = "";
    private String lastEventId = "";
    private long retryMillis = -1;

    EventStream(int maxDataBytes, Sink sink) {
        this.maxDataBytes = maxDataBytes;
        this.sink = sink;
    }

    /** What becomes of the events. */
    interface Sink {
        /**
         * An event with data.
         *
         * @param type its {@code event} field; empty for a message
         * @param data the sink's to keep
         */
        void event(String type, byte[] data);

        /** A message larger than the limit. */
        void oversized(TopLevelScan scan);
    }

    /** The id of the last event that had one; empty before. */
    String lastEventId() {
        return lastEventId;
    }

    /** How long the server asks to wait before reconnecting; negative if it did not say. */
    long retryMillis() {
        return retryMillis;
    }

    /** Reads to the end of the stream. An event that is not complete by then is dropped, as the standard says. */
    void readAll(InputStream input) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int read; (read = input.read(chunk)) >= 0; ) {
            read(chunk, read);
        }
    }

    void read(byte[] chunk, int length) {
        int at = 0;
        while (at < length) {
            byte b = chunk[at];
            if (b == '\n' && afterReturn) {
                afterReturn = false;
                at++;
            } else if (b == '\n' || b == '\r') {
                afterReturn = b == '\r';
                endLine();
                at++;
            } else {
                afterReturn = false;
                at = inValue ? valueRun(chunk, at, length) : name(chunk, at);
            }
        }
    }

    private int name(byte[] chunk, int at) {
        lineEmpty = false;
        if (chunk[at] == ':') {
            inValue = true;
            if (isData()) {
                startDataLine();
            }
        } else if (nameLength < name.length) {
            name[nameLength++] = chunk[at];
            if (firstLine && nameLength == 3 && Arrays.equals(name, 0, 3, BYTE_ORDER_MARK, 0, 3)) {
                nameLength = 0;
                lineEmpty = true;
            }
        }
        return at + 1;
    }

    /** Takes the value's bytes up to the end of the line or of the chunk. */
    private int valueRun(byte[] chunk, int from, int length) {
        int start = from;
        if (!valueStarted) {
            valueStarted = true;
            if (chunk[start] == ' ') {
                start++;
            }
        }
        int end = start;
        while (end < length && chunk[end] != '\n' && chunk[end] != '\r') {
            end++;
        }
        if (isData()) {
            appendData(chunk, start, end);
        } else {
            int kept = Math.min(end - start, MAX_FIELD_BYTES - valueLength);
            if (valueLength + kept > value.length) {
                value = Arrays.copyOf(value, MAX_FIELD_BYTES);
            }
            System.arraycopy(chunk, start, value, valueLength, kept);
            valueLength += kept;
        }
        return end;
    }

    private boolean isData() {
        return Arrays.equals(name, 0, nameLength, DATA, 0, DATA.length);
    }

    private void startDataLine() {
        if (hasData) {
            appendData(new byte[] {'\n'}, 0, 1);
        }
        hasData = true;
    }

    private void appendData(byte[] from, int start, int end) {
        int added = end - start;
        if (oversized != null) {
            oversized.read(from, start, end);
        } else if (added > maxDataBytes - dataLength) {
            oversized = new TopLevelScan();
            oversized.read(data, 0, dataLength);
            oversized.read(from, start, end);
            data = new byte[0];
            dataLength = 0;
        } else {
            if (dataLength + added > data.length) {
                data = Arrays.copyOf(
                        data, (int) Math.min(maxDataBytes, Math.max(dataLength + added, data.length * 2L)));
            }
            System.arraycopy(from, start, data, dataLength, added);
            dataLength += added;
        }
    }

    private void endLine() {
        if (lineEmpty) {
            dispatch();
        } else if (isData()) {
            if (!inValue) {
                startDataLine();
            }
        } else {
            field(new String(name, 0, nameLength, StandardCharsets.UTF_8));
        }
        nameLength = 0;
        valueLength = 0;
        inValue = false;
        valueStarted = false;
        lineEmpty = true;
        firstLine = false;
    }

    private void field(String field) {
        String text = new String(value, 0, valueLength, StandardCharsets.UTF_8);
        switch (field) {
            case "event" -> type = text;
            case "id" -> {
                if (text.indexOf('\0') < 0) {
                    lastEventId = text;
                }
            }
            case "retry" -> {
                if (text.matches("[0-9]{1,9}")) {
                    retryMillis = Long.parseLong(text);
                }
            }
            default -> {}
        }
    }

    private void dispatch() {
        TopLevelScan scan = oversized;
        String finished = type.equals("message") ? "" : type;
        byte[] complete = Arrays.copyOf(data, dataLength);
        type = "";
        hasData = false;
        data = new byte[0];
        dataLength = 0;
        oversized = null;
        if (scan != null) {
            sink.oversized(scan);
        } else if (complete.length > 0) {
            sink.event(finished, complete);
        }
    }
}
