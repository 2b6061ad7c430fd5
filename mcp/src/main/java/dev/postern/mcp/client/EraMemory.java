package dev.postern.mcp.client;

import dev.postern.mcp.client.ServerConnection.ClientFace;
import dev.postern.mcp.wire.Era;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The eras that servers met before were spoken to in, so that only a server's first start pays for the question
 * (2026-07-28, versioning: "clients should cache the result"). A server is known by a hash of its name, command and
 * arguments, or URL, under a key of this memory's own, since values may be among them; and by the client's era, since a
 * server may have both. Thread-safe.
 */
final class EraMemory {
    private static final int MAX_SERVERS = 1_000;
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final Map<String, Era> eras = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Era> eldest) {
            return size() > MAX_SERVERS;
        }
    };

    EraMemory() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    synchronized @Nullable Era recall(@Nullable String fingerprint) {
        return fingerprint == null ? null : eras.get(fingerprint);
    }

    synchronized void note(@Nullable String fingerprint, Era era) {
        if (fingerprint != null) {
            eras.put(fingerprint, era);
        }
    }

    synchronized void forget(@Nullable String fingerprint) {
        if (fingerprint != null) {
            eras.remove(fingerprint);
        }
    }

    /** What a server is remembered by; null for one in this process, where asking costs nothing. */
    @Nullable
    String fingerprint(ServerSpec spec, ClientFace face) {
        Mac mac = mac();
        add(mac, face.era().name().getBytes(StandardCharsets.UTF_8));
        add(mac, spec.name().getBytes(StandardCharsets.UTF_8));
        switch (spec.transport()) {
            case ServerSpec.Stdio stdio -> {
                add(mac, stdio.command());
                stdio.arguments().forEach(argument -> add(mac, argument));
            }
            case ServerSpec.Http http -> add(mac, http.endpoint().toString().getBytes(StandardCharsets.UTF_8));
            case ServerSpec.InProcess inside -> {
                return null;
            }
        }
        return Base64.getEncoder().encodeToString(mac.doFinal());
    }

    private static void add(Mac mac, SecretValue value) {
        byte[] bytes = value.reveal(Reveal.TO_DELIVER);
        add(mac, bytes);
        Arrays.fill(bytes, (byte) 0);
    }

    private static void add(Mac mac, byte[] bytes) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        mac.update(bytes);
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
