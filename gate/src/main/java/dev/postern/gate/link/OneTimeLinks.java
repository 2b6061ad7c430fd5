package dev.postern.gate.link;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.link.LinkStore.Claimed;
import dev.postern.json.JsonWriter;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes links and redeems them (O1 to O3). Thread-safe. */
public final class OneTimeLinks {
    private static final Logger log = LoggerFactory.getLogger(OneTimeLinks.class);

    /** The path under which a link is redeemed, before its token. */
    public static final String PATH = "/api/vault/otl/";

    /** How long a link to a secret works where nobody says. */
    public static final Duration DEFAULT_LIFETIME = Duration.ofMinutes(2);

    /** How long a link works at most. */
    public static final Duration MAX_LIFETIME = Duration.ofMinutes(10);

    /** The lifetimes of a link to a value that is in no vault. */
    public static final List<Duration> HANDED_LIFETIMES =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(10));

    /** What a person's own act is called in the ledger and in destination rules. */
    static final ToolName MAKE = new ToolName("postern", "link");

    private static final ToolName REDEEM = new ToolName("postern", "redeem");

    /** Nobody knows who: that is the nature of a link. */
    private static final String HOLDER = "link holder";

    private final LinkStore store;
    private final Ledger ledger;
    private final BiConsumer<String, LiveSecret> remember;
    private final Predicate<String> killed;
    private final String url;
    private final InstantSource clock;

    /**
     * Links of one gateway.
     *
     * @param remember puts a redeemed value into a user's memory of recent values (S9); it stays the caller's
     * @param killed whether the kill switch stops the links of an agent, by its name; of the empty name, those of people (A3)
     * @param url where the gateway is reached, such as {@code http://127.0.0.1:7437}
     */
    public OneTimeLinks(
            LinkStore store,
            Ledger ledger,
            BiConsumer<String, LiveSecret> remember,
            Predicate<String> killed,
            String url,
            InstantSource clock) {
        this.store = store;
        this.ledger = ledger;
        this.remember = remember;
        this.killed = killed;
        this.url = url;
        this.clock = clock;
    }

    /** A link as it is shown, once. */
    public record Made(String url, Instant expires) {
        @Override
        public String toString() {
            return "Made[hidden, expires=" + expires + "]";
        }
    }

    /** Too many values wait behind links already. */
    public static final class TooManyLinksException extends RuntimeException {
        TooManyLinksException() {
            super("too many links wait to be redeemed; some end within ten minutes", null, false, false);
        }
    }

    /**
     * The lifetime of a link to a secret.
     *
     * @param seconds null for the default
     * @throws IllegalArgumentException if it is not 1 to 600
     */
    public static Duration lifetime(@Nullable Long seconds) {
        if (seconds == null) {
            return DEFAULT_LIFETIME;
        }
        if (seconds < 1 || seconds > MAX_LIFETIME.toSeconds()) {
            throw new IllegalArgumentException("a link works for 1 to " + MAX_LIFETIME.toSeconds() + " seconds");
        }
        return Duration.ofSeconds(seconds);
    }

    /**
     * Makes a link as a part of a call that is in the ledger by itself. The value stays the caller's.
     *
     * @throws TooManyLinksException if too many wait
     * @throws LinkStore.LinkException if it cannot be kept
     */
    public Made make(SecretValue value, LinkOrigin origin, Duration lifetime) {
        LinkToken token = LinkToken.random();
        Instant expires = clock.instant().plus(lifetime).truncatedTo(ChronoUnit.SECONDS);
        if (!store.add(token, value, origin, expires)) {
            throw new TooManyLinksException();
        }
        return new Made(url + PATH + token.text(), expires);
    }

    /**
     * Makes a link as a person's own act, which is an entry in the ledger: nobody else is asked. The value stays the caller's.
     *
     * @param person who acts
     * @param agent what the ledger calls the way they came, such as {@code command-line}
     * @param name the secret's; null for a value that is in no vault
     * @throws RefusedException while the kill switch is on
     * @throws LedgerUnavailableException if it cannot be recorded: then no link was made
     */
    public Made makeAs(
            String person,
            String agent,
            @Nullable String name,
            SecretValue value,
            LinkOrigin origin,
            Duration lifetime) {
        refuseIfKilled();
        Map<String, Object> arguments = name == null
                ? Map.of("ttl_seconds", lifetime.toSeconds())
                : Map.of("name", name, "ttl_seconds", lifetime.toSeconds());
        Act act = new Act(origin.call(), MAKE, agent, person, JsonWriter.write(arguments), refs(origin));
        act.intend();
        try {
            Made made = make(value, origin, lifetime);
            act.close(Disposition.EXECUTED, null);
            return made;
        } catch (TooManyLinksException | LinkStore.LinkException e) {
            act.close(Disposition.FAILED, e.getMessage());
            throw e;
        }
    }

    /**
     * Redeems a link: once, by whoever is first (O2). The caller closes what it gets.
     *
     * @param token as it stands in the link
     * @return empty if there is nothing behind it, for whatever reason
     * @throws RefusedException while the kill switch is on
     * @throws LedgerUnavailableException if that could not be recorded: then nothing is handed out
     * @throws LinkStore.LinkException if the value does not open: then the link stays as it is
     */
    public Optional<SecretValue> redeem(String token) {
        refuseIfKilled();
        if (!ledger.isWritable()) {
            throw new LedgerUnavailableException("the ledger takes no entries");
        }
        Optional<Claimed> claimed = LinkToken.parse(token).flatMap(store::claim);
        if (claimed.isEmpty()) {
            return Optional.empty();
        }
        try (Claimed taken = claimed.get()) {
            LinkOrigin origin = taken.origin();
            if (killed.test(origin.agent())) {
                return Optional.empty(); // and it is spent
            }
            byte[] arguments = JsonWriter.write(Map.of("made_by", origin.call().value()));
            Act redemption = new Act(CallId.random(), REDEEM, HOLDER, origin.approver(), arguments, refs(origin));
            redemption.intend();
            // Whoever holds the link may be an agent, so the value is looked for in what its tools answer (S9).
            remember.accept(origin.user(), new LiveSecret(origin.placeholder(), taken.value()));
            redemption.close(Disposition.EXECUTED, null);
            return Optional.of(taken.value().copy());
        }
    }

    void refuseIfKilled() {
        if (killed.test(LinkOrigin.NO_AGENT)) {
            throw new RefusedException(Refusal.of(
                    Disposition.KILL_SWITCH,
                    true,
                    "the kill switch is on and stops every link",
                    "Ask the operator to end it with 'postern kill off'"));
        }
    }

    private static List<String> refs(LinkOrigin origin) {
        String ref = origin.secretRef();
        return ref == null ? List.of() : List.of(ref);
    }

    /** One act in the ledger. */
    private final class Act {
        private final CallId id;
        private final ToolName tool;
        private final String agent;
        private final String approver;
        private final byte[] arguments;
        private final List<String> secretRefs;
        private final Instant opened = clock.instant();

        Act(CallId id, ToolName tool, String agent, String approver, byte[] arguments, List<String> secretRefs) {
            this.id = id;
            this.tool = tool;
            this.agent = agent;
            this.approver = approver;
            this.arguments = arguments;
            this.secretRefs = secretRefs;
        }

        void intend() {
            ledger.intend(new LedgerIntent(id, opened, agent, tool, arguments, secretRefs, approver, null));
        }

        void close(Disposition disposition, @Nullable String error) {
            try {
                ledger.append(entry(disposition, error));
            } catch (LedgerUnavailableException e) {
                // What was done stands; its intent is durable and reads outcome unknown (L2).
                log.error("the ledger could not close {}: {}", id, e.getMessage());
            }
        }

        private LedgerEntry entry(Disposition disposition, @Nullable String error) {
            return new LedgerEntry(
                    id,
                    opened,
                    agent,
                    tool,
                    arguments,
                    secretRefs,
                    disposition,
                    error == null ? null : disposition.name(),
                    approver,
                    Duration.between(opened, clock.instant()).toMillis(),
                    0,
                    0,
                    error,
                    true,
                    List.of(),
                    null);
        }
    }
}
