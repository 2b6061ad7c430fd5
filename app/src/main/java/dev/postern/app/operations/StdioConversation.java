package dev.postern.app.operations;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.json.JsonValue;
import dev.postern.mcp.relay.AnswerException;
import dev.postern.mcp.relay.Answering;
import dev.postern.mcp.relay.LegacyConversation;
import dev.postern.mcp.relay.Mailbox;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client that speaks MCP line by line, in either era: a message that says in its {@code _meta} which revision it speaks
 * stands alone, anything else belongs to the conversation that {@code initialize} opened. Requests are answered side by
 * side, each on a virtual thread.
 */
final class StdioConversation implements AutoCloseable {
    private static final Duration MAIL_PATIENCE = Duration.ofSeconds(1);

    private final Relay relay;
    private final Caller caller;
    private final Consumer<byte[]> lines;
    private final int maxOpen;
    /** Requests that are to be answered before the conversation ends by itself. */
    private final Answering open = new Answering();

    private final AtomicInteger underWay = new AtomicInteger();
    private final Map<String, Cancellation> modern = new ConcurrentHashMap<>();
    /** Held while mail is taken and written, so that it stays in order. */
    private final ReentrantLock mailOrder = new ReentrantLock();

    private volatile Mailbox.@Nullable Reader mail;
    private volatile @Nullable LegacyConversation legacy;

    StdioConversation(Relay relay, Caller caller, int maxOpen, Consumer<byte[]> lines) {
        this.relay = relay;
        this.caller = caller;
        this.maxOpen = maxOpen;
        this.lines = lines;
    }

    /** Takes one line; never waits for an answer. */
    void receive(byte[] line) {
        if (line.length == 0) {
            return;
        }
        Message message;
        try {
            message = Message.parse(line);
        } catch (MalformedMessageException e) {
            write(JsonRpc.error(null, e.code(), String.valueOf(e.getMessage()), null));
            return;
        }
        if (message.method().equals("initialize")) {
            // At once, so that a client may send on without waiting for the answer.
            answer(message);
        } else if (message.type() == Message.Type.REQUEST) {
            request(message);
        } else {
            accept(message);
        }
    }

    private void request(Message message) {
        if (underWay.incrementAndGet() > maxOpen) {
            underWay.decrementAndGet();
            write(JsonRpc.error(
                    message.id(),
                    JsonRpc.INVALID_REQUEST,
                    maxOpen + " requests are under way: cancel some, or wait for their answers",
                    null));
            return;
        }
        Answering.@Nullable Entry entry = isEndless(message) ? null : open.enter();
        Thread.ofVirtual().name("stdio-request").start(() -> {
            try (entry) {
                answer(message);
            } finally {
                underWay.decrementAndGet();
            }
        });
    }

    private void answer(Message request) {
        try (Answering.@Nullable Entry _ =
                isEndless(request) ? null : relay.answering().enter()) {
            answerAndWrite(request);
        }
    }

    private static boolean isEndless(Message request) {
        return request.method().equals("subscriptions/listen");
    }

    private void answerAndWrite(Message request) {
        Outbound answer;
        try {
            answer = isModern(request) ? answerModern(request) : answerLegacy(request);
        } catch (AnswerException e) {
            write(JsonRpc.error(request.id(), e.code(), String.valueOf(e.getMessage()), e.data()));
            return;
        }
        // What a server said before it answered is told before its answer.
        writeMail();
        if (answer != null) {
            write(answer.bytes());
        }
    }

    private @Nullable Outbound answerModern(Message request) {
        Cancellation cancellation = new Cancellation();
        String id = spelling(request.id());
        modern.put(id, cancellation);
        try {
            Outbound answer = relay.answerModern(caller, new Scope.All(), request, this::send, cancellation);
            return cancellation.isFired() ? null : answer;
        } finally {
            modern.remove(id, cancellation);
        }
    }

    private @Nullable Outbound answerLegacy(Message request) {
        LegacyConversation conversation = legacy;
        if (request.method().equals("initialize")) {
            if (conversation != null) {
                throw new AnswerException(JsonRpc.INVALID_REQUEST, "this conversation is initialized already");
            }
            conversation = relay.open(caller, new Scope.All(), request);
            legacy = conversation;
            deliverMail(conversation);
            return conversation.greet(request);
        }
        if (conversation == null) {
            throw new AnswerException(
                    JsonRpc.INVALID_REQUEST, "the first request is 'initialize', or names its revision in _meta");
        }
        return conversation.answer(request, this::send);
    }

    private void accept(Message message) {
        JsonValue params = message.body();
        if (message.method().equals("notifications/cancelled") && params != null) {
            Cancellation cancelled = modern.get(spelling(params.member("requestId")));
            if (cancelled != null) {
                cancelled.fire();
                return;
            }
        }
        LegacyConversation conversation = legacy;
        if (conversation != null) {
            conversation.accept(message);
        } else {
            relay.acceptModern(caller, new Scope.All(), message);
        }
    }

    /** What belongs to no request comes as soon as the client can read it. */
    private void deliverMail(LegacyConversation conversation) {
        Mailbox.Reader reader = conversation.mailbox().read();
        mail = reader;
        Thread.ofVirtual().name("stdio-mail").start(() -> {
            try {
                while (!conversation.mailbox().isClosed()) {
                    if (reader.await(MAIL_PATIENCE) && !writeMail()) {
                        return;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private boolean writeMail() {
        mailOrder.lock();
        try {
            Mailbox.Reader reader = mail;
            for (Outbound next = poll(reader); next != null; next = poll(reader)) {
                if (!send(next)) {
                    return false;
                }
            }
            return true;
        } finally {
            mailOrder.unlock();
        }
    }

    private static @Nullable Outbound poll(Mailbox.@Nullable Reader reader) {
        return reader == null ? null : reader.poll();
    }

    private boolean send(Outbound message) {
        return write(message.bytes());
    }

    /** A line break between tokens would end the line early; none can stand inside a string. */
    private boolean write(byte[] message) {
        byte[] line = Arrays.copyOf(message, message.length + 1);
        for (int at = 0; at < message.length; at++) {
            if (line[at] == '\n' || line[at] == '\r') {
                line[at] = ' ';
            }
        }
        line[message.length] = '\n';
        try {
            lines.accept(line);
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private static boolean isModern(Message message) {
        JsonValue params = message.body();
        return params != null && params.path(MetaKeys.META, MetaKeys.PROTOCOL_VERSION) != null;
    }

    private static String spelling(@Nullable JsonValue id) {
        return id == null ? "" : id.spelling();
    }

    /**
     * The client has no more to say, and no answer to any question: waits until everything that it asked is answered, since it may
     * close its end before it has read all.
     */
    void awaitAnswers() throws InterruptedException {
        LegacyConversation conversation = legacy;
        if (conversation != null) {
            conversation.clientSaysNoMore();
        }
        open.awaitNone(Duration.ofDays(365));
    }

    @Override
    public void close() {
        modern.values().forEach(Cancellation::fire);
        LegacyConversation conversation = legacy;
        if (conversation != null) {
            conversation.close();
        }
    }
}
