package dev.postern.mcp.client;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.mcp.wire.MetaKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The {@code _meta} members that a modern server wants in each request (2026-07-28, basic, "Per-request protocol
 * fields"). They are put in where missing; what is there stays as the agent wrote it. Immutable.
 */
final class RequestMeta {
    private final List<Member> members;

    RequestMeta(String version, ServerConnection.ClientFace face) {
        this.members = List.of(
                new Member(MetaKeys.PROTOCOL_VERSION, JsonStrings.quote(version)),
                new Member(MetaKeys.CLIENT_INFO, face.clientInfo().spelling()),
                new Member(MetaKeys.CLIENT_CAPABILITIES, face.capabilities().spelling()));
    }

    /** Params that a modern server accepts; the given array itself where nothing was missing. */
    byte[] complete(byte @Nullable [] params) {
        if (params == null) {
            return utf8("{\"_meta\":{" + text(members) + "}}");
        }
        JsonValue root = JsonValue.parse(params);
        if (!root.is(Kind.OBJECT)) {
            return params;
        }
        List<JsonValue> metas = new ArrayList<>();
        root.forEachMember((name, value) -> {
            if (name.string().equals(MetaKeys.META)) {
                metas.add(value);
            }
        });
        Splice splice = new Splice(params);
        if (metas.isEmpty()) {
            splice.insert(root.start() + 1, utf8("\"_meta\":{" + text(members) + "}" + comma(root)));
        }
        // A name given twice is read differently by different servers: complete each of them.
        for (JsonValue meta : metas) {
            if (meta.is(Kind.OBJECT)) {
                List<Member> missing = members.stream()
                        .filter(member -> meta.member(member.name) == null)
                        .toList();
                if (!missing.isEmpty()) {
                    splice.insert(meta.start() + 1, utf8(text(missing) + comma(meta)));
                }
            }
        }
        return splice.apply();
    }

    private static String comma(JsonValue object) {
        boolean[] any = {false};
        object.forEachMember((name, value) -> any[0] = true);
        return any[0] ? "," : "";
    }

    private static String text(List<Member> members) {
        return members.stream()
                .map(member -> JsonStrings.quote(member.name) + ':' + member.json)
                .collect(Collectors.joining(","));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A member's name, and its value as JSON. */
    private record Member(String name, String json) {}
}
