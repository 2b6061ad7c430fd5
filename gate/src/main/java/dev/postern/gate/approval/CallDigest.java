package dev.postern.gate.approval;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.vault.Resolved;
import dev.postern.gate.vault.SecretUse;
import dev.postern.json.CanonicalJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What an approval binds (P5): SHA-256 over length-prefixed parts, so that no two calls share a digest by moving a
 * boundary.
 */
final class CallDigest {
    private CallDigest() {}

    /** Equal for the same call sent again while nothing it depends on has changed. */
    static String fingerprint(Resolved resolved) {
        ToolCall call = resolved.call();
        MessageDigest sha = sha256();
        add(sha, "postern call 1");
        add(sha, call.tool().server());
        add(sha, call.tool().tool());
        add(sha, CanonicalJson.of(call.arguments()));
        add(sha, call.caller().agent());
        add(sha, call.definitionHash());
        add(sha, resolved.destination());
        for (SecretUse use : resolved.uses()) {
            add(sha, use.reference().canonical());
            add(sha, use.ledgerName());
            add(sha, Long.toString(use.secret().version()));
        }
        add(sha, Long.toString(resolved.judged().policyRevision()));
        return HexFormat.of().formatHex(sha.digest());
    }

    /** The fingerprint with a nonce: names one approval of one call. */
    static String digest(String fingerprint, String nonce) {
        MessageDigest sha = sha256();
        add(sha, fingerprint);
        add(sha, nonce);
        return HexFormat.of().formatHex(sha.digest());
    }

    private static void add(MessageDigest sha, String part) {
        add(sha, part.getBytes(StandardCharsets.UTF_8));
    }

    private static void add(MessageDigest sha, byte[] part) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        sha.update(part);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
