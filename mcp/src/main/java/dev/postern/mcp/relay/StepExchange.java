package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.json.Splice;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a call as its steps see it. Progress of each step, on whatever scale, becomes progress of the whole, which
 * must only grow: so many steps, and a part of the next.
 */
final class StepExchange implements Exchange {
    private final Exchange whole;
    private final @Nullable JsonValue token;
    private final int steps;
    private int begun;
    private int told;

    StepExchange(Exchange whole, @Nullable JsonValue token, int steps) {
        this.whole = whole;
        this.token = token;
        this.steps = steps;
    }

    /** The next step begins. */
    synchronized void begin(String tool) {
        begun++;
        told = 0;
        if (token == null) {
            return;
        }
        Map<String, Object> params = new LinkedHashMap<>();
        params.put(MetaKeys.PROGRESS_TOKEN, token);
        params.put("progress", begun - 1);
        params.put("total", steps);
        params.put("message", "Step " + begun + " of " + steps + ": " + tool);
        whole.send(Outbound.ours(JsonRpc.notification("notifications/progress", JsonWriter.write(params))));
    }

    @Override
    public boolean send(Outbound message) {
        return whole.send(
                message.message().method().equals("notifications/progress") ? message.edited(this::rescaled) : message);
    }

    private synchronized byte[] rescaled(Message message) {
        JsonValue params = message.body();
        JsonValue progress = params == null ? null : params.member("progress");
        if (params == null || progress == null) {
            return message.bytes();
        }
        told++;
        JsonValue total = params.member("total");
        byte[] scaled = utf8(Double.toString(begun - 1 + told / (told + 1.0)));
        byte[] whole = utf8(Integer.toString(steps));
        Splice splice = new Splice(message.bytes());
        if (total == null) {
            splice.replace(progress, scaled);
        } else if (total.start() < progress.start()) {
            splice.replace(total, whole).replace(progress, scaled);
        } else {
            splice.replace(progress, scaled).replace(total, whole);
        }
        return splice.apply();
    }

    @Override
    public void pause(Duration until) {
        whole.pause(until);
    }

    /** Steps have no headers of their own: nobody but us has named their parameters. */
    @Override
    public @Nullable Map<String, String> headerParameters() {
        return null;
    }

    @Override
    public Exchange carrier() {
        return whole.carrier();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
