package dev.postern.gate.scrub;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.detect.Detected;
import dev.postern.gate.detect.Screened;
import dev.postern.gate.detect.Screening;
import dev.postern.gate.scrub.Scrubbers.Lease;
import dev.postern.json.JsonException;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place every byte from a server passes on its way to an agent (S1): answers, errors, notifications, requests,
 * lists, greetings and stderr. Takes {@link Raw}, gives {@link Scrubbed}, or throws; there is no third way (S10).
 *
 * <p>What it looks for, in a message from server S for user U: the values of calls in flight from U to S, and those in
 * S's configuration (R10), as in the same call (S8); and what U was delivered in the last minutes, on any server, as
 * remembered (S9). With none of them alive a message passes unread (S11).
 *
 * <p>How one message is walked is told in {@link Envelopes}. Thread-safe.
 */
public final class ChokePoint {
    private static final Logger log = LoggerFactory.getLogger(ChokePoint.class);

    /** Stands for a server in what is sealed; no server is called so. */
    private static final String APPROVALS = " approvals";

    private final RecentValues recent;
    private final Scrubbers scrubbers;
    private final Screening screening;
    private final BooleanSupplier enabled;
    private final Envelopes envelopes = new Envelopes();
    private final RequestStates states = new RequestStates(InstantSource.system());
    private final RequestStates approvals;

    /**
     * A choke point over a memory of recent values.
     *
     * @param screening looks for secrets nobody told us about in what was scrubbed (D6)
     * @param enabled policy's {@code resultScrubbingEnabled}; only what goes to the agent heeds it (S14)
     */
    public ChokePoint(RecentValues recent, Screening screening, BooleanSupplier enabled) {
        this(recent, screening, enabled, new RequestStates(InstantSource.system()));
    }

    /**
     * As {@link #ChokePoint(RecentValues, Screening, BooleanSupplier)}.
     *
     * @param approvals seals the states of calls that wait for approval; with a key that outlives the process, so do they
     */
    public ChokePoint(RecentValues recent, Screening screening, BooleanSupplier enabled, RequestStates approvals) {
        this.approvals = approvals;
        this.recent = recent;
        this.scrubbers = new Scrubbers(recent, screening.captured());
        this.screening = screening;
        this.enabled = enabled;
    }

    /**
     * Values of one call are about to leave: from now until it is closed they are looked for, then remembered (S9). They
     * stay the caller's, who closes them after this.
     */
    public Delivery deliver(ToolCall call, List<LiveSecret> delivered) {
        return deliver(call, delivered, "");
    }

    /**
     * As {@link #deliver(ToolCall, List)}, for an approved call: where its server asks for more input, the handle in the
     * answer lets the same call go on without being approved again (P7).
     *
     * @param continuation names the approved call and who approved it; empty if nobody had to
     */
    public Delivery deliver(ToolCall call, List<LiveSecret> delivered, String continuation) {
        return deliver(call.caller(), call.tool(), delivered, continuation);
    }

    Delivery deliver(Caller caller, ToolName tool, List<LiveSecret> delivered, String continuation) {
        if (!delivered.isEmpty() && scrubbers.holdsAll(caller.user(), tool.server())) {
            throw new RefusedException(Refusal.of(
                    Disposition.QUEUE_FULL,
                    true,
                    "tasks of the server hold as many secrets as are looked for at a time",
                    "Wait until some of its tasks are over and send the call again"));
        }
        List<Long> ids = scrubbers.add(caller.user(), tool.server(), delivered);
        return new Delivery(caller, tool, delivered, ids, continuation);
    }

    /** Whether values were delivered to this user lately, or are being delivered. */
    public boolean hasValuesOut(String user) {
        return recent.revision(user) != 0;
    }

    /** A state for an agent that is to come back for an approval. */
    public String sealApproval(String approval, String user) {
        return approvals.seal(approval.getBytes(StandardCharsets.UTF_8), user, APPROVALS, "");
    }

    /** The approval that such a state names; empty if it is none of ours, another user's, or too old. */
    public Optional<String> openApproval(String state, String user) {
        return approvals.open(state, user, APPROVALS).map(opened -> new String(opened.state(), StandardCharsets.UTF_8));
    }

    /** Opens the handles that stand in the place of servers' states. */
    public RequestStates states() {
        return states;
    }

    /** Values in a server's configuration: looked for in all it says, for good (R10). Copied. */
    public void configure(String server, List<LiveSecret> configured) {
        scrubbers.configure(server, configured);
    }

    /**
     * Scrubs one whole JSON-RPC message in which a server says what it is and offers: its greeting and its lists. They are
     * the same for every agent and are compared by their hashes, so nothing is looked for in them but known values.
     *
     * @throws ScrubFailedException if it cannot be: then no byte of it may be passed on
     */
    public Scrubbed clean(Raw message, String user, String server) {
        return swapped(message, user, server, "", bytes -> clean(bytes, user, server));
    }

    /**
     * Scrubs one whole JSON-RPC message, then looks for secrets nobody told us about, as the server's mode says (D6): for
     * whatever a server sends but its greeting, its lists and the answers of governed calls.
     *
     * @throws ScrubFailedException if it cannot be: then no byte of it may be passed on
     */
    public Scrubbed screen(Raw message, Caller caller, String server) {
        Scrubbed screened = swapped(message, caller.user(), server, "", bytes -> screen(bytes, caller, server, null));
        for (Detected found : screened.detected()) {
            log.info("server '{}' sent what the rule {} takes for a secret: {}", server, found.rule(), found.action());
        }
        return screened;
    }

    private Scrubbed swapped(
            Raw message, String user, String server, String continuation, Function<byte[], Scrubbed> cleaner) {
        StateSwap swap = StateSwap.of(message.bytes(), !continuation.isEmpty());
        if (swap == null) {
            return cleaner.apply(message.bytes());
        }
        Scrubbed scrubbed = cleaner.apply(swap.without());
        String handle = states.seal(swap.state(), user, server, continuation);
        return new Scrubbed(StateSwap.with(scrubbed.bytes(), handle), scrubbed.hits(), scrubbed.detected());
    }

    /** With scrubbing switched off for a test nothing is masked either: that is to show what servers really send (S14). */
    private Scrubbed screen(byte[] message, Caller caller, String server, @Nullable ToolName tool) {
        Scrubbed scrubbed = clean(message, caller.user(), server);
        if (!enabled.getAsBoolean()) {
            return scrubbed;
        }
        Screened screened = screening.message(scrubbed.bytes(), caller, server, tool);
        return new Scrubbed(screened.json(), scrubbed.hits(), screened.found());
    }

    private Scrubbed clean(byte[] message, String user, String server) {
        if (!enabled.getAsBoolean()) {
            return new Scrubbed(message, 0);
        }
        try (Lease lease = scrubbers.lease(user, server)) {
            return lease.scrubber().isEmpty()
                    ? new Scrubbed(message, 0)
                    : envelopes.scrub(message, user, server, lease.scrubber());
        }
    }

    /** Scrubs a line of plain text on its way to our log, such as a server's stderr; holds whatever the policy says (S14). */
    public byte[] cleanLine(Raw line, String user, String server) {
        try (Lease lease = scrubbers.lease(user, server)) {
            return lease.scrubber().scrubText(line.bytes());
        }
    }

    /**
     * Scrubs JSON of the agent's own that we keep or show: an agent that got hold of a value elsewhere and pastes it must
     * not put it into the ledger or an approval (L1, P8). Holds whatever the policy says (S14).
     *
     * @param references spellings that stay as they are, even where a secret's value is part of one ({@code password})
     * @throws ScrubFailedException if it cannot be: then it must be neither kept nor shown
     */
    public byte[] cleanOwn(byte[] json, String user, List<String> references) {
        try (Lease lease = scrubbers.lease(user, null)) {
            if (lease.scrubber().scrubCounting(json).hits() == 0) {
                return json;
            }
        }
        // What overlaps is replaced as one, under the name of the longer: a reference in its own stead.
        List<LiveSecret> kept = references.stream()
                .map(text -> new LiveSecret(text, new SecretValue(text.getBytes(StandardCharsets.UTF_8))))
                .toList();
        try (Lease lease = scrubbers.leaseWith(user, kept)) {
            return lease.scrubber().scrub(json);
        }
    }

    /**
     * Arguments that {@link #cleanOwn} cleaned, for a person to see: what looks like a secret nobody told us about is masked
     * (P8).
     *
     * @throws ScrubFailedException if they cannot be looked through: then they must not be shown
     */
    public Screened shown(byte[] cleaned, ToolName tool) {
        try {
            return screening.recorded(cleaned, tool);
        } catch (JsonException e) {
            throw new ScrubFailedException("the arguments cannot be looked through");
        }
    }

    /** As {@link #cleanOwn}, for lines of our own log. */
    public byte[] cleanLog(byte[] text, String user) {
        try (Lease lease = scrubbers.lease(user, null)) {
            return lease.scrubber().isEmpty() ? text : lease.scrubber().scrubText(text);
        }
    }

    /** As {@link #cleanOwn}, for a text of ours that repeats what the agent wrote: a tool's name, a member's. */
    public String cleanOwnText(String text, String user) {
        try (Lease lease = scrubbers.lease(user, null)) {
            if (lease.scrubber().isEmpty()) {
                return text;
            }
            byte[] written = text.getBytes(StandardCharsets.UTF_8);
            return new String(lease.scrubber().scrubText(written), StandardCharsets.UTF_8);
        }
    }

    /** Wipes what has outlived the memory of recent values. An owner with a clock calls this from time to time (S9). */
    public void wipeLapsed() {
        recent.wipeLapsed();
        screening.captured().wipeLapsed();
        scrubbers.wipeLapsed();
        envelopes.wipeIdle();
    }

    /** Values that are out, and the way back for the answer of the call that took them; closed when the call is over. */
    public final class Delivery implements AutoCloseable {
        private final Caller caller;
        private final ToolName tool;
        private final List<LiveSecret> delivered;
        private final List<Long> ids;
        private final String continuation;

        private Delivery(
                Caller caller, ToolName tool, List<LiveSecret> delivered, List<Long> ids, String continuation) {
            this.caller = caller;
            this.tool = tool;
            this.delivered = delivered;
            this.ids = ids;
            this.continuation = continuation;
        }

        /**
         * Scrubs the call's answer, and looks for secrets nobody told us about. Where it is a task, the call is not over: its values
         * stay live for as long as the server keeps the task.
         *
         * @throws ScrubFailedException as {@link ChokePoint#screen(Raw, Caller, String)}
         */
        public Scrubbed clean(Raw answer) {
            String server = tool.server();
            Duration task = delivered.isEmpty() ? null : TaskLifetime.of(answer.bytes());
            if (task != null) {
                scrubbers.hold(caller.user(), server, ids, task);
            }
            return swapped(answer, caller.user(), server, continuation, bytes -> screen(bytes, caller, server, tool));
        }

        /** Remembers the values once more: the window starts when the call ends. */
        @Override
        public void close() {
            delivered.forEach(secret -> recent.remember(caller.user(), secret));
            scrubbers.remove(caller.user(), tool.server(), ids);
        }
    }
}
