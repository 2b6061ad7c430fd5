package dev.postern.mcp.relay;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.mcp.wire.Message;
import dev.postern.scrub.ScrubFailedException;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What to tell a client when a request other than a governed call has no answer. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /** The answer, or an error response that says why there is none. */
    static Outbound guarded(Message request, Supplier<Outbound> answer) {
        try {
            return answer.get();
        } catch (AnswerException e) {
            return Answers.error(request, e);
        } catch (UpstreamException e) {
            return Answers.error(request, coded(e.kind().name(), e.getMessage() + ". " + next(e.kind())));
        } catch (ScrubFailedException e) {
            return Answers.error(
                    request,
                    coded(
                            "VAULT_SCRUB_FAILED",
                            "the server's answer could not be scrubbed and was withheld. Ask for a smaller or simpler one"));
        } catch (MalformedMessageException e) {
            return Answers.error(request, coded("FAILED", "the server's answer is no JSON-RPC message"));
        } catch (RuntimeException e) {
            LOG.error("a request failed: {}", e.getClass().getName(), e);
            return Answers.error(request, coded("FAILED", "the gateway failed. Ask the operator to look at its log"));
        }
    }

    private static AnswerException coded(String code, String what) {
        return new AnswerException(JsonRpc.INTERNAL_ERROR, code + ": " + what, JsonWriter.write(Map.of("code", code)));
    }

    private static String next(UpstreamException.Kind kind) {
        return switch (kind) {
            case FAILED -> "The next request starts the server again if it must";
            case TIMED_OUT -> "Try again later, or ask the operator to look at the server";
            case CANCELLED -> "Nobody waits for it any more";
            case KILL_SWITCH -> "Ask the operator to end it with 'postern kill off'";
        };
    }
}
