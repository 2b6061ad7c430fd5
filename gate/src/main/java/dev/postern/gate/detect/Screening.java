package dev.postern.gate.detect;

import dev.postern.detect.DetectionRules;
import dev.postern.detect.Finding;
import dev.postern.detect.JsonMasker;
import dev.postern.detect.ResponseSanitizer;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.detect.Detected.Direction;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks through what passes the gate for secrets that nobody told us about, and does with them what the server's mode says
 * (D6). Comes after scrubbing, so a value that is known already stands there as its reference and is left alone. Every
 * string is looked at by itself, names of members included; numbers are not. Thread-safe.
 */
public final class Screening {
    /** How many values one message can have captured: what is beyond them is masked. As many as a call may refer to (R7). */
    private static final int MAX_CAPTURED = 16;

    private static final Set<String> ROUTING = Set.of("jsonrpc", "id", "method");

    private final DetectionSettings settings;
    private final CapturedValues captured;
    private volatile @Nullable Compiled compiled;

    /** What the rules are used through. */
    private record Compiled(DetectionRules rules, JsonMasker json, ResponseSanitizer text) {}

    public Screening(DetectionSettings settings, CapturedValues captured) {
        this.settings = settings;
        this.captured = captured;
    }

    /** Where captured values are kept. */
    public CapturedValues captured() {
        return captured;
    }

    /** What becomes of findings on the way to and from this server. */
    public DetectionModes modes(String server) {
        return settings.modes(server);
    }

    /**
     * Looks through a server's message.
     *
     * @param message one whole JSON-RPC message; of an envelope, what it is routed by is not looked at
     * @param tool the tool whose answer it is; null where it is none's
     * @throws ScrubFailedException if it is to be changed and cannot be walked: then it must not be passed on (S10)
     */
    public Screened message(byte[] message, Caller caller, String server, @Nullable ToolName tool) {
        DetectionMode mode = modes(server).results();
        if (mode == DetectionMode.OFF) {
            return new Screened(message, List.of());
        }
        Pass pass = new Pass(mode, Direction.RESULT, caller, server, tool == null ? null : tool.tool());
        try {
            JsonValue root = JsonValue.parse(message);
            if (!root.is(Kind.OBJECT)) {
                return new Screened(pass.value(message), pass.found);
            }
            Splice splice = new Splice(message);
            root.forEachMember((name, value) -> {
                if (!ROUTING.contains(name.string()) && mayHoldText(value)) {
                    byte[] before = value.bytes();
                    byte[] after = pass.value(before);
                    if (!Arrays.equals(after, before)) {
                        splice.replace(value, after);
                    }
                }
            });
            return new Screened(splice.apply(), pass.found);
        } catch (JsonException e) {
            if (mode == DetectionMode.REPORT) {
                return new Screened(message, List.of());
            }
            throw new ScrubFailedException("the message is not valid JSON");
        }
    }

    /** Looks through the arguments of a call, to mask or capture. */
    Screened arguments(byte[] arguments, Caller caller, ToolName tool, DetectionMode mode) {
        Pass pass = new Pass(mode, Direction.ARGUMENTS, caller, tool.server(), tool.tool());
        return new Screened(pass.value(arguments), pass.found);
    }

    /** Arguments as they are recorded: masked whatever the mode is (L1), and what was found in them. */
    public Screened recorded(byte[] arguments, ToolName tool) {
        List<Detected> found = new ArrayList<>();
        byte[] masked = compiled()
                .json
                .mask(arguments, path(tool.server(), tool.tool()), (finding, value) -> {
                    found.add(detected(Direction.ARGUMENTS, finding, DetectionMode.REPORT, null));
                    return ResponseSanitizer.replacement(finding.category());
                })
                .json();
        return new Screened(masked, found);
    }

    /** A text of ours, such as an error's or a line of the log, with what is found masked (D7). */
    public String masked(String text) {
        return compiled().text.scanAndMask(text).text();
    }

    /** As {@link #masked(String)}, for UTF-8; the very same array where nothing was found. */
    public byte[] masked(byte[] text) {
        var result = compiled().text.scanAndMask(text);
        return result.changed() ? result.text().getBytes(StandardCharsets.UTF_8) : text;
    }

    /** Reads the rules now, so that the first call need not wait for them. */
    public void warmUp() {
        var _ = compiled();
    }

    private Compiled compiled() {
        DetectionRules rules = settings.rules();
        Compiled known = compiled;
        if (known == null || known.rules != rules) {
            known = new Compiled(rules, JsonMasker.of(rules), ResponseSanitizer.of(rules));
            compiled = known;
        }
        return known;
    }

    private static Detected detected(
            Direction direction, Finding finding, DetectionMode action, @Nullable String reference) {
        return new Detected(
                direction, finding.rule(), finding.category(), action, finding.start(), finding.end(), reference);
    }

    /** What allow lists know a tool by. */
    private static String path(String server, @Nullable String tool) {
        return tool == null ? server : server + "/" + tool;
    }

    private static boolean mayHoldText(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT, ARRAY, STRING -> true;
            case NUMBER, TRUE, FALSE, NULL -> false;
        };
    }

    /** One look at one message. */
    private final class Pass {
        private final DetectionMode mode;
        private final Direction direction;
        private final Caller caller;
        private final String server;
        private final @Nullable String tool;
        private final List<Detected> found = new ArrayList<>();
        private int references;

        Pass(DetectionMode mode, Direction direction, Caller caller, String server, @Nullable String tool) {
            this.mode = mode;
            this.direction = direction;
            this.caller = caller;
            this.server = server;
            this.tool = tool;
        }

        /** The same array if nothing was replaced. */
        byte[] value(byte[] json) {
            OpaqueParts[] opaque = new OpaqueParts[1];
            return compiled()
                    .json
                    .mask(json, path(server, tool), (finding, value) -> {
                        if (direction == Direction.RESULT && opaque[0] == null) {
                            opaque[0] = new OpaqueParts(json);
                        }
                        return opaque[0] != null && opaque[0].contain(finding.start())
                                ? null
                                : replacement(finding, value);
                    })
                    .json();
        }

        private @Nullable String replacement(Finding finding, SecretValue value) {
            String reference = mode == DetectionMode.CAPTURE && references < MAX_CAPTURED
                    ? captured.capture(caller, value, origin(finding))
                    : null;
            if (reference != null) {
                references++;
                found.add(detected(direction, finding, DetectionMode.CAPTURE, reference));
                return reference;
            }
            DetectionMode action = mode == DetectionMode.CAPTURE ? DetectionMode.MASK : mode;
            found.add(detected(direction, finding, action, null));
            return action == DetectionMode.MASK ? ResponseSanitizer.replacement(finding.category()) : null;
        }

        /** For the person who is asked later: where it was captured and what it looks like. */
        private String origin(Finding finding) {
            String place = tool == null ? server : server + "__" + tool;
            return (direction == Direction.RESULT ? "captured from " : "captured from the agent's call of ") + place
                    + ", " + finding.category() + " (" + finding.rule() + ")";
        }
    }
}
