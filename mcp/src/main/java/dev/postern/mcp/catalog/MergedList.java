package dev.postern.mcp.catalog;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.json.Splice;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One page of a list that several servers have a part in: their items as they are, but for the name. */
public final class MergedList {
    private final ListKind kind;
    private final ByteArrayOutputStream items = new ByteArrayOutputStream();

    private final boolean hinted;
    private @Nullable CacheHints hints;

    /** @param hinted whether the result says how long it may be kept, and by whom */
    public MergedList(ListKind kind, boolean hinted) {
        this.kind = kind;
        this.hinted = hinted;
    }

    /** An item of ours, JSON. */
    public void addOwn(byte[] item) {
        if (items.size() > 0) {
            items.write(',');
        }
        items.writeBytes(item);
    }

    /**
     * A server's page: a scrubbed list result. An item that has two names is left out: a client may go by the one that was
     * not qualified, and take it for another server's.
     */
    public void add(String server, JsonValue result) {
        JsonValue page = result.member(kind.member());
        if (page != null) {
            page.elements().stream()
                    .filter(item -> item.count("name") <= 1)
                    .forEach(item -> addOwn(renamed(server, item)));
        }
        also(CacheHints.of(result));
    }

    /** A server's part is missing: whoever asks again soon may get it. */
    public void incomplete() {
        also(CacheHints.NONE);
    }

    private void also(CacheHints part) {
        CacheHints all = hints;
        hints = all == null ? part : all.and(part);
    }

    /**
     * The result.
     *
     * @param next where the list goes on; null at its end
     */
    public byte[] toJson(@Nullable Cursor next) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(items.size() + 100);
        ascii(out, "{\"" + kind.member() + "\":[");
        out.writeBytes(items.toByteArray());
        ascii(out, "]");
        if (next != null) {
            ascii(out, ",\"nextCursor\":\"" + next.encode() + "\"");
        }
        if (hinted) {
            CacheHints all = hints == null ? CacheHints.NONE : hints;
            ascii(out, ",\"ttlMs\":" + all.ttlMillis() + ",\"cacheScope\":\"" + all.scope() + "\"");
        }
        ascii(out, "}");
        return out.toByteArray();
    }

    /** What to ask a server for a page with: the client's own {@code _meta}, and the server's cursor. Null for nothing. */
    public static byte @Nullable [] params(@Nullable JsonValue meta, @Nullable String cursor) {
        Map<String, Object> params = new LinkedHashMap<>();
        if (meta != null) {
            params.put("_meta", meta);
        }
        if (cursor != null) {
            params.put("cursor", cursor);
        }
        return params.isEmpty() ? null : JsonWriter.write(params);
    }

    private byte[] renamed(String server, JsonValue item) {
        JsonValue name = item.member("name");
        byte[] bytes = item.bytes();
        if (kind == ListKind.TASKS || name == null || !name.is(Kind.STRING)) {
            return bytes;
        }
        byte[] qualified =
                JsonStrings.quote(Names.qualified(server, name.string())).getBytes(StandardCharsets.UTF_8);
        return new Splice(bytes)
                .replace(name.start() - item.start(), name.end() - item.start(), qualified)
                .apply();
    }

    private static void ascii(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
