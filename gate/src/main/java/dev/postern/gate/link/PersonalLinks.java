package dev.postern.gate.link;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.SecretUse;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Links that a person makes: their own act, so nobody else is asked. What holds for every delivery holds here too: the kill
 * switch, the tag {@code ai-provider} (V5) and destination rules (P9), in which the act is the tool {@code postern__link};
 * where a link leads is not known, so a secret that is bound to hosts has none.
 */
public final class PersonalLinks {
    private final Vault vault;
    private final OneTimeLinks links;

    public PersonalLinks(Vault vault, OneTimeLinks links) {
        this.vault = vault;
        this.links = links;
    }

    /**
     * Who makes a link.
     *
     * @param name the person, for the ledger
     * @param agent what the ledger calls the way they came
     * @param user whose memory of recent values the value joins when the link is redeemed (S9)
     * @param mayTakeAll whether also from secrets that somebody else owns (A2)
     */
    public record Person(String name, String agent, String user, boolean mayTakeAll) {}

    /**
     * A link to the value of a secret.
     *
     * @throws RefusedException if there is no such secret, or it may not go behind a link
     * @throws dev.postern.gate.ledger.LedgerUnavailableException if it cannot be recorded
     * @throws OneTimeLinks.TooManyLinksException if too many wait
     * @throws LinkStore.LinkException if it cannot be kept
     */
    public OneTimeLinks.Made toSecret(Person person, String name, Duration lifetime) {
        try {
            Reference reference = reference(name);
            SecretRecord secret = found(reference);
            check(secret, person);
            LinkOrigin origin = new LinkOrigin(
                    CallId.random(),
                    LinkOrigin.NO_AGENT,
                    person.user(),
                    person.name(),
                    reference.placeholder(),
                    new SecretUse(reference, secret).ledgerName());
            try (SecretValue value = vault.open(secret, Field.PASSWORD)) {
                return links.makeAs(person.name(), person.agent(), secret.name(), value, origin, lifetime);
            }
        } catch (VaultException e) {
            throw refused(
                    Disposition.SECRET_UNRESOLVED, "the vault cannot open this secret", "Run 'postern vault check'");
        }
    }

    /** A link to a value that is in no vault, and never will be. The value stays the caller's. Throws as {@link #toSecret}. */
    public OneTimeLinks.Made toValue(Person person, SecretValue value, Duration lifetime) {
        LinkOrigin origin = new LinkOrigin(
                CallId.random(), LinkOrigin.NO_AGENT, person.user(), person.name(), LinkOrigin.UNNAMED, null);
        return links.makeAs(person.name(), person.agent(), null, value, origin, lifetime);
    }

    private static Reference reference(String name) {
        try {
            return new Reference(Reference.Kind.VAULT, name, Field.PASSWORD, List.of());
        } catch (IllegalArgumentException e) {
            throw unresolved();
        }
    }

    private SecretRecord found(Reference reference) {
        Optional<SecretRecord> secret = vault.find(reference);
        return secret.orElseThrow(PersonalLinks::unresolved);
    }

    private static void check(SecretRecord secret, Person person) {
        if (!person.mayTakeAll() && !secret.owner().equals(person.name())) {
            throw refused(
                    Disposition.SECRET_FORBIDDEN,
                    "this secret is somebody else's",
                    "Ask its owner or an administrator");
        }
        if (secret.tags().contains(SecretRecord.AI_PROVIDER)) {
            throw refused(
                    Disposition.SECRET_FORBIDDEN,
                    "a secret tagged ai-provider is never delivered",
                    "Use another secret");
        }
        if (!secret.destinations().allowsHostless(OneTimeLinks.MAKE)) {
            throw refused(
                    Disposition.SECRET_FORBIDDEN,
                    "the destination rules of this secret do not allow a link (" + OneTimeLinks.MAKE + ")",
                    "Change them, or use a tool that they allow");
        }
    }

    private static RefusedException unresolved() {
        return refused(Disposition.SECRET_UNRESOLVED, "there is no secret of that name", "See 'postern secret list'");
    }

    private static RefusedException refused(Disposition disposition, String what, String next) {
        return new RefusedException(Refusal.of(disposition, false, what, next));
    }
}
