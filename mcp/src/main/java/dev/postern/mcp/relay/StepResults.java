package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of one call came to, as one result: for each a line of ours, then its content as it was answered.
 * {@code _meta["dev.postern/steps"]} says the same for programs.
 */
final class StepResults {
    private static final String REFUSAL = "dev.postern/refusal";
    private static final String STEPS = "dev.postern/steps";

    /** Each step's text is cut where a result's is (S13); all of them together are no larger than this. */
    private static final int MAX_BYTES = 1 << 20;

    private final List<Object> content = new ArrayList<>();
    private final List<Map<String, Object>> outcomes = new ArrayList<>();
    private int bytes;
    private int failed;
    private boolean stopped;

    boolean hasFailed() {
        return failed > 0;
    }

    /**
     * Takes a step's answer.
     *
     * @return its result; null where it failed, and later steps have nothing to use
     */
    @Nullable
    JsonValue add(String tool, Message answer) {
        JsonValue body = answer.body();
        if (answer.type() != Message.Type.RESULT || body == null) {
            String why = body == null ? null : body.string("message");
            outcome(tool, "failed", null);
            line(tool, "failed: " + (why == null ? "there was no answer" : why));
            return null;
        }
        if ("input_required".equals(body.string("resultType"))) {
            outcome(tool, "failed", null);
            line(tool, "failed: the tool asks for more input. Call it on its own");
            return null;
        }
        JsonValue isError = body.member("isError");
        boolean wrong = isError != null && isError.is(Kind.TRUE);
        JsonValue refusal = body.path(MetaKeys.META, REFUSAL);
        outcome(tool, refusal != null ? "refused" : wrong ? "failed" : "done", refusal);
        line(tool, refusal != null ? "refused" : wrong ? "failed" : "done");
        addContent(body);
        return wrong ? null : body;
    }

    /** A step that was not made, because an earlier one failed or the agent gave up. */
    void skipped(String tool) {
        stopped = true;
        outcome(tool, "skipped", null);
        line(tool, "not run");
    }

    private void addContent(JsonValue result) {
        JsonValue blocks = result.member("content");
        JsonValue structured = result.member("structuredContent");
        boolean empty =
                blocks == null || !blocks.is(Kind.ARRAY) || blocks.elements().isEmpty();
        JsonValue source = empty ? structured : blocks;
        if (source == null) {
            return;
        }
        int size = source.end() - source.start();
        if (bytes + size > MAX_BYTES) {
            content.add(
                    block("[left out: the results of these steps are too large together; call the tool on its own]"));
            return;
        }
        bytes += size;
        if (empty) {
            content.add(block(source.spelling()));
        } else {
            content.addAll(source.elements());
        }
    }

    private void outcome(String tool, String outcome, @Nullable JsonValue refusal) {
        Map<String, Object> step = new LinkedHashMap<>();
        step.put("tool", tool);
        step.put("outcome", outcome);
        if (refusal != null) {
            step.put("refusal", refusal);
        }
        outcomes.add(step);
        if (outcome.equals("failed") || outcome.equals("refused")) {
            failed++;
        }
    }

    private void line(String tool, String what) {
        content.add(block("Step " + outcomes.size() + ", " + tool + ": " + what + "."));
    }

    private static Map<String, Object> block(String text) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "text");
        block.put("text", text);
        return block;
    }

    /** A {@code tools/call} result; an error where steps were left out or all of them failed. */
    byte[] toJson() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("content", content);
        if (stopped || failed == outcomes.size()) {
            result.put("isError", true);
        }
        result.put(MetaKeys.META, Map.of(STEPS, outcomes));
        return JsonWriter.write(result);
    }
}
