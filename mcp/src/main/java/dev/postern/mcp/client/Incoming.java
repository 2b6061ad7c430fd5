package dev.postern.mcp.client;

import dev.postern.gate.scrub.Raw;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving half of a conversation: gives each answer to its request, and notifications and requests to the
 * listener, with the request they belong to. What cannot be read fails the request it would have answered, and no other.
 */
final class Incoming implements Inbox {
    private static final Logger LOG = LoggerFactory.getLogger(Incoming.class);

    private final Conversation conversation;
    private final String serverName;
    private final ServerListener listener;
    private final ConnectionLimits limits;
    /** Requests of the server's that the client has not answered, by the spelling of their ids. */
    private final Map<String, ClientReply> asked = new ConcurrentHashMap<>();

    Incoming(Conversation conversation, String serverName, ServerListener listener, ConnectionLimits limits) {
        this.conversation = conversation;
        this.serverName = serverName;
        this.listener = listener;
        this.limits = limits;
    }

    /** Whether the server waits for the client to answer something. */
    boolean clientIsAsked() {
        return !asked.isEmpty();
    }

    @Override
    public void message(byte[] bytes, @Nullable OpenRequest stream) {
        Message message;
        try {
            message = Message.parse(bytes);
        } catch (MalformedMessageException e) {
            if (!batch(bytes, stream)) {
                unreadable(TopLevelScan.of(bytes), stream, "the server's answer is not a valid message");
            }
            return;
        }
        switch (message.type()) {
            case RESULT, ERROR -> answer(message, stream);
            case NOTIFICATION -> notification(message, stream);
            case REQUEST -> request(message, stream);
        }
    }

    /** Revision 2025-03-26 allowed several messages in one array. */
    private boolean batch(byte[] bytes, @Nullable OpenRequest stream) {
        JsonValue root;
        try {
            root = JsonValue.parse(bytes);
        } catch (JsonException e) {
            return false;
        }
        if (!root.is(JsonValue.Kind.ARRAY)) {
            return false;
        }
        for (JsonValue element : root.elements()) {
            if (element.is(JsonValue.Kind.OBJECT)) {
                message(element.bytes(), stream);
            }
        }
        return true;
    }

    @Override
    public void oversized(TopLevelScan scan, @Nullable OpenRequest stream) {
        unreadable(scan, stream, "the server's answer is larger than the limit");
    }

    private void unreadable(TopLevelScan scan, @Nullable OpenRequest stream, String what) {
        OpenRequest blamed = scan.hasMethod() ? null : stream;
        if (blamed == null && !scan.hasMethod()) {
            String id = scan.id();
            blamed = id != null ? open(id) : scan.isObject() ? onlyOpen() : null;
        }
        if (blamed == null) {
            LOG.warn("server {}: dropped something that is no message", serverName);
        } else {
            blamed.fail(Kind.FAILED, what);
        }
    }

    private void answer(Message message, @Nullable OpenRequest stream) {
        JsonValue id = message.id();
        OpenRequest request;
        if (id == null || id.is(JsonValue.Kind.NULL)) {
            // The server could not read the id of what it refuses.
            request = stream != null ? stream : onlyOpen();
        } else {
            request = open(id.is(JsonValue.Kind.STRING) ? id.string() : id.spelling());
        }
        if (request == null || request.isDone()) {
            LOG.warn("server {}: dropped an answer that nobody waits for", serverName);
            return;
        }
        request.answered(
                id == null || id.is(JsonValue.Kind.NULL) ? message.answering(request.idBytes()) : message.bytes());
    }

    private @Nullable OpenRequest onlyOpen() {
        Iterator<OpenRequest> requests = conversation.openRequests().values().iterator();
        OpenRequest first = requests.hasNext() ? requests.next() : null;
        return requests.hasNext() ? null : first;
    }

    /** Our ids are small numbers; a server may give them back as {@code 7}, {@code 7.0} or {@code "7"}. */
    private @Nullable OpenRequest open(String id) {
        try {
            return id.length() > 20 ? null : conversation.openRequests().get(new BigDecimal(id).longValueExact());
        } catch (ArithmeticException | NumberFormatException notOurs) {
            return null;
        }
    }

    private void notification(Message message, @Nullable OpenRequest stream) {
        byte[] bytes = message.bytes();
        OpenRequest related = stream;
        JsonValue params = message.body();
        switch (message.method()) {
            case "notifications/progress" -> {
                JsonValue token = params == null ? null : params.member(MetaKeys.PROGRESS_TOKEN);
                OpenRequest owner =
                        token == null ? null : conversation.progressTokens().owner(token);
                if (token != null && owner != null) {
                    owner.heard();
                    related = owner;
                    bytes = conversation.progressTokens().restore(bytes, token);
                }
            }
            case "notifications/cancelled" -> {
                JsonValue id = params == null ? null : params.member("requestId");
                if (id != null && conversation.era() == Era.LEGACY) {
                    asked.remove(id.spelling());
                } else if (id != null && related == null) {
                    related = open(id.spelling());
                }
            }
            default -> {
                JsonValue subscription = params == null ? null : params.path(MetaKeys.META, MetaKeys.SUBSCRIPTION_ID);
                if (subscription != null && related == null) {
                    related = open(
                            subscription.is(JsonValue.Kind.STRING) ? subscription.string() : subscription.spelling());
                }
            }
        }
        if (stream != null) {
            stream.heard();
        }
        Object tag = tag(related);
        byte[] restored = bytes;
        guarded(() -> listener.notification(Raw.received(restored), message.method(), tag));
    }

    private void request(Message message, @Nullable OpenRequest stream) {
        JsonValue id = message.id();
        if (id == null) {
            throw new IllegalStateException("a request without an id is a notification");
        }
        if (conversation.era() == Era.MODERN) {
            LOG.warn("server {}: dropped a request, which a modern server does not send", serverName);
            return;
        }
        if (message.method().equals("ping")) {
            conversation.link().send(JsonRpc.result(id.bytes(), "{}".getBytes(StandardCharsets.US_ASCII)));
            return;
        }
        if (asked.size() >= limits.maxServerRequests()) {
            conversation
                    .link()
                    .send(JsonRpc.error(id, JsonRpc.INTERNAL_ERROR, "too many requests wait for the client", null));
            return;
        }
        OpenRequest related = stream != null ? stream : onlyOpen();
        ClientReply reply = new ClientReply(id);
        asked.put(id.spelling(), reply);
        Object tag = tag(related);
        guarded(() -> listener.request(Raw.received(message.bytes()), message.method(), tag, reply));
    }

    private static @Nullable Object tag(@Nullable OpenRequest request) {
        return request == null ? null : request.tag();
    }

    @Override
    public void paused(OpenRequest request, Duration until) {
        guarded(() -> listener.paused(request.tag(), until));
    }

    @Override
    public void stderr(byte[] line) {
        guarded(() -> listener.stderr(Raw.received(line)));
    }

    /** A fault of the listener's costs one message, not the thread that reads all of them. */
    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            // Its text may quote the message.
            LOG.error(
                    "server {}: a message was lost to {}",
                    serverName,
                    e.getClass().getName());
        }
    }

    @Override
    public void ended(String why) {
        conversation.end(why);
        // The thread that noticed may be one that closing waits for.
        Thread.ofVirtual()
                .name("postern-server-close")
                .start(() -> conversation.link().close());
    }

    /** Where the client's answer to one request of the server's goes. */
    private final class ClientReply implements ServerListener.Reply {
        private final JsonValue id;

        ClientReply(JsonValue id) {
            this.id = id;
        }

        @Override
        public void send(byte[] response) {
            // Gone from the map if the server gave up waiting or used the id again.
            if (!asked.remove(id.spelling(), this) || !conversation.isOpen()) {
                return;
            }
            byte[] answer;
            try {
                answer = Message.parse(response).answering(id.bytes());
            } catch (MalformedMessageException e) {
                answer = JsonRpc.error(id, JsonRpc.INTERNAL_ERROR, "the client's answer cannot be read", null);
            }
            conversation.link().send(answer);
        }
    }
}
