package dev.postern.gate.call;

import dev.postern.json.CanonicalJson;
import dev.postern.json.JsonValue;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A tool as its server defines it. The hash is over the canonical form, so that white space does not change it (P5). */
public record ToolDefinition(JsonValue json, String hash) {
    public static ToolDefinition of(JsonValue json) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(CanonicalJson.of(json));
            return new ToolDefinition(json, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The schema of the arguments, or null where the server gave none. */
    public @Nullable JsonValue inputSchema() {
        return json.member("inputSchema");
    }
}
