package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.ProtocolVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds out a server's era and agrees on a revision (2026-07-28, versioning and the two transports' "Backward
 * Compatibility"): {@code server/discover} first; a result or an error that only a modern server gives settles it, and
 * anything else, silence included, leads to {@code initialize}. A server of both eras is spoken to in the modern one.
 */
final class Handshake {
    private static final String NO_COMMON_VERSION = "the server speaks no protocol version that Postern speaks";

    private final Conversation conversation;
    private final long endNanos;
    private boolean conclusive;

    /** @param patience how long all of it may take */
    Handshake(Conversation conversation, Duration patience) {
        this.conversation = conversation;
        this.endNanos = System.nanoTime() + patience.toNanos();
    }

    /**
     * Shakes hands.
     *
     * @param probe whether to try the modern era first
     * @throws UpstreamException if the two cannot talk
     */
    void shake(boolean probe) {
        OpenRequest discovery = probe ? discover() : null;
        if (discovery == null || !settle(discovery)) {
            initialize(discovery);
        }
    }

    /** Whether it failed in a way that a fresh start without a probe would not mend. */
    boolean isConclusive() {
        return conclusive;
    }

    private UpstreamException noCommonVersion() {
        conclusive = true;
        return new UpstreamException(Kind.FAILED, NO_COMMON_VERSION);
    }

    private OpenRequest discover() {
        conversation.speak(Era.MODERN, ProtocolVersion.MODERN);
        OpenRequest discovery = conversation.start("server/discover", null, this);
        try {
            discovery.await(null, min(conversation.limits().probe(), left()), () -> false);
        } catch (UpstreamException e) {
            if (!conversation.isOpen() || discovery.isHopeless()) {
                conclusive = discovery.isHopeless();
                throw e;
            }
        }
        return discovery;
    }

    /** Whether the probe's answer shows a modern server, with which we then agree. */
    private boolean settle(OpenRequest discovery) {
        byte[] answer = discovery.answerNow();
        Verdict verdict = answer == null ? Verdict.LEGACY : Verdict.of(Message.parse(answer));
        if (answer == null || verdict == Verdict.LEGACY) {
            return false;
        }
        conversation.finish(discovery);
        if (verdict == Verdict.NO_COMMON_VERSION) {
            throw noCommonVersion();
        }
        conversation.speak(Era.MODERN, ProtocolVersion.MODERN);
        conversation.greeted(answer);
        return true;
    }

    private void initialize(@Nullable OpenRequest discovery) {
        conversation.speak(Era.LEGACY, ProtocolVersion.LEGACY);
        ServerConnection.ClientFace face = conversation.face();
        String params = "{\"protocolVersion\":" + JsonStrings.quote(ProtocolVersion.LEGACY) + ",\"capabilities\":"
                + face.capabilities().spelling() + ",\"clientInfo\":"
                + face.clientInfo().spelling() + "}";
        OpenRequest request = conversation.start("initialize", params.getBytes(StandardCharsets.UTF_8), this);
        try {
            byte[] answer = request.await(null, left(), () -> false);
            Message message = Message.parse(answer);
            JsonValue result = message.body();
            String version =
                    message.type() == Message.Type.RESULT && result != null ? result.string("protocolVersion") : null;
            if (version == null) {
                // A slow modern server has answered the probe by now, and refuses this.
                if (discovery != null && settle(discovery)) {
                    return;
                }
                throw new UpstreamException(Kind.FAILED, "the server refused to shake hands");
            }
            if (!ProtocolVersion.isSpoken(Era.LEGACY, version)) {
                throw noCommonVersion();
            }
            conversation.speak(Era.LEGACY, version);
            conversation.notify("notifications/initialized", null);
            conversation.greeted(answer);
        } finally {
            conversation.finish(request);
            if (discovery != null) {
                conversation.finish(discovery);
            }
        }
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** What an answer to the probe says of the server. */
    private enum Verdict {
        MODERN,
        LEGACY,
        NO_COMMON_VERSION;

        static Verdict of(Message answer) {
            JsonValue body = answer.body();
            if (body == null) {
                return LEGACY;
            }
            if (answer.type() == Message.Type.RESULT) {
                return common(body.member("supportedVersions"));
            }
            JsonValue code = body.member("code");
            return switch (code == null ? "" : code.spelling()) {
                case "" + JsonRpc.UNSUPPORTED_PROTOCOL_VERSION -> common(body.path("data", "supported"));
                case "" + JsonRpc.HEADER_MISMATCH, "" + JsonRpc.MISSING_CLIENT_CAPABILITY -> MODERN;
                default -> LEGACY;
            };
        }

        /** A list without a modern version of ours but with a legacy one is an offer to speak that. */
        private static Verdict common(@Nullable JsonValue versions) {
            if (versions == null || !versions.is(JsonValue.Kind.ARRAY)) {
                return LEGACY;
            }
            Verdict verdict = NO_COMMON_VERSION;
            for (JsonValue version : versions.elements()) {
                String text = version.is(JsonValue.Kind.STRING) ? version.string() : "";
                if (ProtocolVersion.isSpoken(Era.MODERN, text)) {
                    return MODERN;
                }
                if (ProtocolVersion.isSpoken(Era.LEGACY, text)) {
                    verdict = LEGACY;
                }
            }
            return verdict;
        }
    }
}
