package dev.postern.mcp.client;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the top-level {@code id} of a message that is not kept or not valid JSON, so that its failure harms the right
 * call. Reads a byte at a time with constant memory; takes anything and promises nothing about what is no JSON.
 */
final class TopLevelScan {
    private static final int LONGEST_TOKEN = 64;

    private final ByteArrayOutputStream token = new ByteArrayOutputStream(LONGEST_TOKEN);
    private int depth;
    private boolean inString;
    private boolean escaped;
    private String name = "";
    private @Nullable String id;
    private boolean method;
    private boolean started;
    private boolean object;

    /** A scan of a whole text. */
    static TopLevelScan of(byte[] text) {
        TopLevelScan scan = new TopLevelScan();
        scan.read(text, 0, text.length);
        return scan;
    }

    void read(byte[] text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (inString) {
                string(text[i]);
            } else {
                structure(text[i]);
            }
        }
    }

    /** The id's spelling without quotes, as far as one was seen. */
    @Nullable
    String id() {
        return id;
    }

    /** Whether it is a request or notification of the server's own. */
    boolean hasMethod() {
        return method;
    }

    /** Whether it starts as a message does; noise seldom does. */
    boolean isObject() {
        return object;
    }

    private void string(byte b) {
        if (escaped) {
            escaped = false;
        } else if (b == '\\') {
            escaped = true;
        } else if (b == '"') {
            inString = false;
            return;
        }
        keep(b);
    }

    private void structure(byte b) {
        switch (b) {
            case '"' -> {
                inString = true;
                if (depth == 1) {
                    token.reset();
                }
            }
            case '{', '[' -> depth++;
            case '}', ']' -> {
                endValue();
                depth--;
            }
            case ',' -> endValue();
            case ':' -> {
                if (depth == 1) {
                    name = token.toString(StandardCharsets.UTF_8);
                    token.reset();
                    method |= name.equals("method");
                }
            }
            case ' ', '\t', '\r', '\n' -> {}
            default -> keep(b);
        }
        if (!started && b > ' ') {
            started = true;
            object = b == '{';
        }
    }

    private void endValue() {
        if (depth == 1) {
            if (name.equals("id") && token.size() > 0) {
                id = token.toString(StandardCharsets.UTF_8);
            }
            name = "";
            token.reset();
        }
    }

    private void keep(byte b) {
        if (depth == 1 && token.size() < LONGEST_TOKEN) {
            token.write(b);
        }
    }
}
