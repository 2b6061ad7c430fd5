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
 * Compatibility"). A server of both eras is spoken to in the client's, so the question is asked in that era first:
 * {@code server/discover} for a modern client, where a result or an error that only a modern server gives settles it, and
 * anything else, silence included, leads to {@code initialize}; {@code initialize} for a legacy client, whose refusal
 * leads to {@code server/discover}.
 */
final class Handshake {
    private static final String NO_COMMON_VERSION = "the server speaks no protocol version that Postern speaks";

    private final Conversation conversation;
    private final long endNanos;
    private boolean probeAnswered;
    private boolean conclusive;

    /** @param patience how long all of it may take */
    Handshake(Conversation conversation, Duration patience) {
        this.conversation = conversation;
        this.endNanos = System.nanoTime() + patience.toNanos();
    }

    /**
     * Shakes hands.
     *
     * @param first the era to try before the other
     * @throws UpstreamException if the two cannot talk
     */
    void shake(Era first) {
        if (first == Era.MODERN && discovers()) {
            return;
        }
        UpstreamException refusal;
        try {
            if (initializes(first)) {
                return;
            }
            refusal = new UpstreamException(Kind.FAILED, "the server refused to shake hands");
        } catch (UpstreamException silent) {
            if (conclusive || first == Era.MODERN || !conversation.isOpen()) {
                throw silent;
            }
            refusal = silent;
        }
        // A modern server refuses that, and may have been too slow for a probe at its start.
        if (probeAnswered || !discovers()) {
            throw refusal;
        }
    }

    /** Whether it failed in a way that a fresh start with the other era first would not mend. */
    boolean isConclusive() {
        return conclusive;
    }

    private UpstreamException noCommonVersion() {
        conclusive = true;
        return new UpstreamException(Kind.FAILED, NO_COMMON_VERSION);
    }

    /** Asks in the modern way; whether the answer shows a modern server, with which we then agree. */
    private boolean discovers() {
        conversation.speak(Era.MODERN, ProtocolVersion.MODERN);
        OpenRequest discovery = conversation.start("server/discover", null, this);
        byte[] answer;
        try {
            answer = discovery.await(null, min(conversation.limits().probe(), left()), () -> false);
        } catch (UpstreamException e) {
            conclusive |= discovery.isHopeless();
            if (conclusive || !conversation.isOpen()) {
                throw e;
            }
            return false;
        } finally {
            conversation.finish(discovery);
        }
        probeAnswered = true;
        return switch (Verdict.of(Message.parse(answer))) {
            case LEGACY -> false;
            case NO_COMMON_VERSION -> throw noCommonVersion();
            case MODERN -> {
                conversation.greeted(answer);
                yield true;
            }
        };
    }

    /** Asks in the legacy way; whether the server agrees. */
    private boolean initializes(Era first) {
        conversation.speak(Era.LEGACY, ProtocolVersion.LEGACY);
        ServerConnection.ClientFace face = conversation.face();
        String params = "{\"protocolVersion\":" + JsonStrings.quote(face.versionToInitialize()) + ",\"capabilities\":"
                + face.capabilities().spelling() + ",\"clientInfo\":"
                + face.clientInfo().spelling() + "}";
        OpenRequest request = conversation.start("initialize", params.getBytes(StandardCharsets.UTF_8), this);
        try {
            // A server that is silent here is most likely slow to start; a modern one has to refuse.
            byte[] answer = request.await(null, first == Era.MODERN ? left() : leftBeforeProbe(), () -> false);
            Message message = Message.parse(answer);
            JsonValue result = message.body();
            String version =
                    message.type() == Message.Type.RESULT && result != null ? result.string("protocolVersion") : null;
            if (version == null) {
                return false;
            }
            if (!ProtocolVersion.isSpoken(Era.LEGACY, version)) {
                throw noCommonVersion();
            }
            conversation.speak(Era.LEGACY, version);
            conversation.notify("notifications/initialized", null);
            conversation.greeted(answer);
            return true;
        } finally {
            conclusive |= request.isHopeless();
            conversation.finish(request);
        }
    }

    /** So that there is time left for the other question. */
    private Duration leftBeforeProbe() {
        Duration left = left();
        Duration probe = conversation.limits().probe();
        return probe.compareTo(left.dividedBy(2)) < 0 ? left.minus(probe) : left.dividedBy(2);
    }

    /** Whether an error response is one that only a modern server gives. */
    static boolean isModernError(Message error) {
        return Verdict.of(error) == Verdict.MODERN || Verdict.of(error) == Verdict.NO_COMMON_VERSION;
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
