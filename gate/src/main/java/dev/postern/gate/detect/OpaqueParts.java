package dev.postern.gate.detect;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a message's body that only their maker can read: the protocol's tokens and cursors, which must come back as
 * they were sent, and binary payloads. Nothing in them is taken for a secret.
 */
final class OpaqueParts {
    private static final String[] TOKENS = {"nextCursor", "cursor", "progressToken", "requestState", "taskId"};
    private static final String RELATED_TASK = "io.modelcontextprotocol/related-task";

    private final byte[] body;
    private final List<JsonValue> parts = new ArrayList<>();

    /** @param body the value of {@code result}, {@code params} or {@code error}, JSON */
    OpaqueParts(byte[] body) {
        this.body = body;
        JsonValue root = JsonValue.parse(body);
        tokens(root);
        tokens(root.member("task"));
        JsonValue meta = root.member("_meta");
        tokens(meta);
        tokens(meta == null ? null : meta.member(RELATED_TASK));
        blocks(root.member("content"));
        blocks(root.member("contents"));
        blocks(root.member("messages"));
    }

    private void tokens(@Nullable JsonValue object) {
        if (object != null) {
            for (String token : TOKENS) {
                add(object.member(token));
            }
        }
    }

    /** Content blocks: of results, of resources, and of the messages of prompts and sampling. */
    private void blocks(@Nullable JsonValue content) {
        if (content == null) {
            return;
        }
        if (content.is(Kind.ARRAY)) {
            content.elements().forEach(this::blocks);
            return;
        }
        add(content.member("blob"));
        if (content.member("mimeType") != null) {
            add(content.member("data"));
        }
        blocks(content.member("resource"));
        blocks(content.member("content"));
    }

    private void add(@Nullable JsonValue part) {
        if (part != null && part.is(Kind.STRING)) {
            parts.add(part);
        }
    }

    /** Whether a finding, whose place counts characters, lies in one of them. */
    boolean contain(int start) {
        int offset = offset(start);
        return parts.stream().anyMatch(part -> part.start() <= offset && offset < part.end());
    }

    /** Where the UTF-16 unit with this index begins in the UTF-8. */
    private int offset(int unit) {
        int units = 0;
        int at = 0;
        while (units < unit && at < body.length) {
            int b = body[at] & 0xFF;
            units += b >= 0xF0 ? 2 : 1;
            at += b < 0x80 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
        }
        return at;
    }
}
