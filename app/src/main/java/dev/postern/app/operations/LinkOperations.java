package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.link.LinkStore;
import dev.postern.gate.link.OneTimeLinks;
import dev.postern.gate.link.PersonalLinks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code link.*}: one-time links as the operator's own act, which the ledger records (O1). */
public final class LinkOperations {
    private final PersonalLinks links;
    private final PersonalLinks.Person operator;

    /**
     * Acts in one person's name.
     *
     * @param user whose memory of recent values the value joins when the link is redeemed
     */
    public LinkOperations(PersonalLinks links, String operator, String user) {
        this.links = links;
        this.operator = new PersonalLinks.Person(operator, LocalAgent.NAME, user, true);
    }

    /** Adds {@code link.add}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("link.add", (request, peer) -> add(request));
    }

    private Map<String, Object> add(ControlRequest request) {
        try {
            OneTimeLinks.Made made =
                    links.toSecret(operator, request.text("name"), lifetime(request.number("ttl_seconds")));
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("url", made.url());
            document.put("expires_at", made.expires());
            return document;
        } catch (RefusedException e) {
            throw new ControlException(
                    ExitCode.REFUSED, e.refusal().code(), e.refusal().what() + ".");
        } catch (LedgerUnavailableException e) {
            throw new ControlException(
                    ExitCode.FAILED, "LEDGER_UNAVAILABLE", "the ledger cannot make an entry durable.");
        } catch (LinkStore.LinkException | OneTimeLinks.TooManyLinksException e) {
            throw new ControlException(ExitCode.FAILED, e.getMessage() + ".");
        }
    }

    private static Duration lifetime(@Nullable Long seconds) {
        try {
            return OneTimeLinks.lifetime(seconds);
        } catch (IllegalArgumentException e) {
            throw new ControlException(ExitCode.WRONG_USAGE, e.getMessage() + ".");
        }
    }
}
