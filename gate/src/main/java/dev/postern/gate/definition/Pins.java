package dev.postern.gate.definition;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.listen.Listeners;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.json.JsonValue;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Tool definitions that a person approved. A definition is pinned when a secret first goes to the tool: whoever approved that
 * call approved the tool as it was. From then on a secret goes to the tool only while its server shows this definition;
 * another one must be accepted by a person. Calls without a secret are not held up.
 *
 * <p>What is decided is decided on the store, so that all nodes agree; memory only spares a look at tools that nobody pinned
 * when servers are listed. Thread-safe.
 */
public final class Pins {
    /** Stands for a definition that cannot be masked. */
    private static final byte[] WITHHELD =
            "{\"description\":\"(withheld: it could not be masked)\"}".getBytes(StandardCharsets.US_ASCII);

    private final PinStore store;
    private final ChokePoint chokePoint;
    private final Predicate<String> isOurs;
    private final InstantSource clock;
    private final Set<ToolName> pinned = ConcurrentHashMap.newKeySet();
    private final Listeners<ToolName> listeners = new Listeners<>("changed definitions");

    /**
     * Pins at rest.
     *
     * @param chokePoint takes values out of a definition that is kept, and masks what looks like a secret
     * @param isOurs tells servers whose tools are Postern's own: nobody but Postern defines those
     */
    public Pins(PinStore store, ChokePoint chokePoint, Predicate<String> isOurs, InstantSource clock) {
        this.store = store;
        this.chokePoint = chokePoint;
        this.isOurs = isOurs;
        this.clock = clock;
        store.pins().forEach(pin -> pinned.add(pin.tool()));
    }

    /**
     * A secret may go to a tool whose definition was never approved, and to one that is as it was approved.
     *
     * @throws RefusedException {@code SECRET_FORBIDDEN} for one that was changed or is no longer listed
     */
    public void check(ToolCall call) {
        if (!isOurs.test(call.tool().server())) {
            find(call.tool()).ifPresent(pin -> check(call, pin));
        }
    }

    private void check(ToolCall call, Pin pin) {
        ToolDefinition definition = call.definition();
        byte[] essence = definition == null ? null : DefinitionText.essence(definition.json());
        if (essence != null && DefinitionText.hash(essence).equals(pin.hash())) {
            return;
        }
        if (essence != null) {
            note(pin, essence, call.caller().user());
        }
        String accept = "postern server accept " + call.tool().server() + " "
                + call.tool().tool();
        throw new RefusedException(Refusal.of(
                Disposition.SECRET_FORBIDDEN,
                false,
                "the definition of " + call.tool() + " is no longer the one a person approved",
                essence == null
                        ? "The server does not list the tool any more; ask the operator to look at the server"
                        : "Ask the operator to look at it with 'postern server tools "
                                + call.tool().server() + " --changed' and to accept it with '" + accept + "'"));
    }

    /**
     * A secret is about to go to a tool, as a person said: its definition is the approved one from now on.
     *
     * @throws RefusedException {@code SECRET_FORBIDDEN} if another one was pinned in the same moment
     */
    public void approved(ToolCall call, String approver) {
        ToolDefinition definition = call.definition();
        if (definition == null || isOurs.test(call.tool().server()) || pinned.contains(call.tool())) {
            return;
        }
        byte[] essence = DefinitionText.essence(definition.json());
        store.pin(new Pin(
                call.tool(),
                DefinitionText.hash(essence),
                kept(call.tool(), essence, call.caller().user()),
                clock.instant(),
                approver,
                null,
                null));
        check(call); // of two that race, one was pinned
    }

    /**
     * A server shows this definition; costs a hash for tools that are pinned, nothing for others.
     *
     * @param user for whom it was listed
     */
    public void seen(String user, ToolName tool, JsonValue definition) {
        if (pinned.contains(tool)) {
            find(tool).ifPresent(pin -> note(pin, DefinitionText.essence(definition), user));
        }
    }

    /** Keeps a definition that is not the pinned one for a person to look at, and forgets it when the pinned one is back. */
    private void note(Pin pin, byte[] essence, String user) {
        String hash = DefinitionText.hash(essence);
        Pin.Seen before = pin.seen();
        boolean isPinned = hash.equals(pin.hash());
        if (isPinned ? before == null : before != null && before.hash().equals(hash)) {
            return;
        }
        store.seen(
                pin.tool(),
                pin.hash(),
                isPinned ? null : new Pin.Seen(hash, kept(pin.tool(), essence, user), clock.instant()));
        listeners.announce(pin.tool());
    }

    /** Tools whose definitions were changed, with what changed; by server and name. */
    public List<ChangedDefinition> changed() {
        return store.pins().stream()
                .flatMap(pin -> changed(pin).stream())
                .sorted(Comparator.comparing(changed -> changed.tool().toString()))
                .toList();
    }

    /** A tool's definition as it was approved; empty if no secret ever went to it. */
    public Optional<Pin> find(ToolName tool) {
        Optional<Pin> found = store.find(tool);
        if (found.isPresent()) {
            pinned.add(tool); // perhaps by another node
        }
        return found;
    }

    /**
     * A person accepts a changed definition: secrets may go to the tool again, each after approval.
     *
     * @param hash of the definition they looked at
     * @return false if the tool's definition is not changed, or changed again since
     */
    public boolean accept(ToolName tool, String hash, String actor) {
        if (!store.accept(tool, hash, actor, clock.instant())) {
            return false;
        }
        listeners.announce(tool);
        return true;
    }

    /** Runs {@code listener} whenever a definition was found changed, changed back, or accepted. */
    public Listeners.Registration listen(Runnable listener) {
        return listeners.add(tool -> listener.run());
    }

    /** The hash is over what a server says; what is kept of it is shown, and must hold no secret whatever the policy says (S14). */
    private byte[] kept(ToolName tool, byte[] essence, String user) {
        try {
            return chokePoint
                    .shown(chokePoint.cleanOwn(essence, user, List.of()), tool)
                    .json();
        } catch (ScrubFailedException e) {
            return WITHHELD;
        }
    }

    private static Optional<ChangedDefinition> changed(Pin pin) {
        return Optional.ofNullable(pin.seen())
                .map(seen -> new ChangedDefinition(
                        pin.tool(),
                        seen.hash(),
                        DefinitionText.readable(pin.definition()),
                        DefinitionText.readable(seen.definition()),
                        pin.pinnedAt(),
                        pin.actor(),
                        seen.at()));
    }
}
