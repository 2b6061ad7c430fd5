package dev.postern.gate.testing;

import dev.postern.gate.approval.Confirmed;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.substitute.Armed;
import dev.postern.gate.upstream.Upstream;
import dev.postern.secret.Reveal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A server that keeps the arguments it got, and answers as a test says: at first with what it was given. */
public final class RecordingUpstream implements Upstream {
    private final List<byte[]> received = new ArrayList<>();
    private final List<byte[]> receivedArrays = new ArrayList<>();
    private final List<Confirmed> confirmed = new ArrayList<>();
    private Function<String, String> answer = arguments ->
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"structuredContent\":" + arguments + "}}";

    @Override
    public Raw execute(Armed call, Cancellation cancellation) {
        byte[] arguments = call.arguments(Reveal.TO_DELIVER);
        synchronized (this) {
            received.add(arguments.clone());
            receivedArrays.add(arguments);
            confirmed.add(call.confirmed());
        }
        String answered = answer.apply(new String(arguments, StandardCharsets.UTF_8));
        return Raw.received(answered.getBytes(StandardCharsets.UTF_8));
    }

    /** From the arguments it got to the whole message it sends back. */
    public void answer(Function<String, String> how) {
        answer = how;
    }

    /** Answers with this result. */
    public void answerResult(String result) {
        answer = ignored -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}";
    }

    public synchronized int calls() {
        return received.size();
    }

    /** The arguments of every call, as they were when it came. */
    public synchronized List<String> received() {
        return received.stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    /** What each call was confirmed as. */
    public synchronized List<Confirmed> confirmed() {
        return List.copyOf(confirmed);
    }

    /** The very arrays the calls came with, as they are now. */
    public synchronized List<byte[]> receivedArrays() {
        return List.copyOf(receivedArrays);
    }
}
