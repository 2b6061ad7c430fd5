package dev.postern.gate.testing;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reading what a call came to. */
public final class Outcomes {
    private Outcomes() {}

    /** The outcome of a call that runs on a thread of its own. */
    public static Outcome of(CompletableFuture<Outcome> running) {
        try {
            return running.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** The answer's bytes as text. */
    public static String answer(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Answered(var message) -> new String(message.bytes(), StandardCharsets.UTF_8);
            case Outcome.Refused(Refusal why) -> throw new AssertionError("refused: " + why.text());
        };
    }

    public static Refusal refusal(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Answered ignored -> throw new AssertionError("the call ran");
            case Outcome.Refused(Refusal why) -> why;
        };
    }

    public static Disposition disposition(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Answered ignored -> Disposition.EXECUTED;
            case Outcome.Refused(Refusal why) -> why.disposition();
        };
    }
}
