package dev.postern.web.link;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Right;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.link.LinkStore.LinkException;
import dev.postern.gate.link.OneTimeLinks;
import dev.postern.gate.link.PersonalLinks;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/vault/presign} and {@code POST /api/vault/links}: making one-time links (O1). */
public final class LinkApi {
    /** What the ledger calls the way a person came. */
    private static final String CAME_BY = "portal";

    private static final Schema LINK = Schema.object()
            .with("url", Schema.text("The link; shown once"))
            .with("expires_at", Schema.instant("When it stops working"));

    private final PersonalLinks links;
    private final AgentPresign agents;
    private final String user;

    /** An agent's own request for a link: governed as its tool is. */
    @FunctionalInterface
    public interface AgentPresign {
        /**
         * Calls {@code vault_presign} in the agent's name.
         *
         * @param arguments the JSON body as the agent sent it
         */
        Reply presign(Caller agent, JsonValue arguments);
    }

    /**
     * Makes links.
     *
     * @param user whose memory of recent values a redeemed value joins
     */
    public LinkApi(PersonalLinks links, AgentPresign agents, String user) {
        this.links = links;
        this.agents = agents;
        this.user = user;
    }

    public List<Route> routes() {
        return List.of(
                new Route(
                        "POST",
                        "/api/vault/presign",
                        Access.needs(Right.PRESIGN_SECRETS),
                        this::presign,
                        RouteDoc.of("Vault", "presign", "Make a one-time link to a secret; an agent's asks a person")
                                .takes(Schema.object()
                                        .with("name", Schema.text("The secret's name"))
                                        .optional("ttl_seconds", Schema.number("1 to 600; 120 if left out")))
                                .answers(LINK)
                                .refuses(
                                        "403 CONFIRMATION_REQUIRED",
                                        "404 SECRET_UNRESOLVED",
                                        "403 SECRET_FORBIDDEN",
                                        "409 APPROVAL_PENDING")),
                new Route(
                        "POST",
                        "/api/vault/links",
                        Access.needs(Right.MINT_BARE_LINKS),
                        this::hand,
                        RouteDoc.of(
                                        "Vault",
                                        "handValue",
                                        "Make a one-time link to a value that is never stored in the vault")
                                .takes(Schema.object()
                                        .with("value", Schema.secret("At most 8 KB"))
                                        .optional("ttl_seconds", Schema.number("60, 300 or 600; 300 if left out")))
                                .answers(LINK)));
    }

    private Reply presign(Request request) {
        JsonValue body = request.json();
        if (request.caller() instanceof Identity.Agent agent) {
            return agents.presign(agent.caller(), body);
        }
        request.requireConfirmed();
        String name = body.string("name");
        if (name == null) {
            throw Request.invalid("'name' is missing: send the secret's name as a string.");
        }
        return made(() -> links.toSecret(person(request), name, lifetime(body.member("ttl_seconds"))));
    }

    private Reply hand(Request request) {
        Duration lifetime = handedLifetime(request.json().member("ttl_seconds"));
        try (SecretValue value = request.secretField("value")
                .orElseThrow(() -> Request.invalid("'value' is missing: send it as a string."))) {
            if (value.length() == 0 || value.length() > VaultWriter.MAX_VALUE_BYTES) {
                throw Request.invalid("'value' has 1 to " + VaultWriter.MAX_VALUE_BYTES + " bytes.");
            }
            return made(() -> links.toValue(person(request), value, lifetime));
        }
    }

    private PersonalLinks.Person person(Request request) {
        return new PersonalLinks.Person(request.person().name(), CAME_BY, user, request.may(Right.WRITE_ALL_SECRETS));
    }

    private static Reply made(Supplier<OneTimeLinks.Made> making) {
        try {
            OneTimeLinks.Made made = making.get();
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("url", made.url());
            document.put("expires_at", made.expires());
            return Reply.json(document);
        } catch (RefusedException e) {
            throw Refusals.problem(e.refusal());
        } catch (LedgerUnavailableException e) {
            throw new ProblemException(
                    503, "LEDGER_UNAVAILABLE", "The ledger cannot make an entry durable, so no link was made.");
        } catch (OneTimeLinks.TooManyLinksException | LinkException e) {
            throw new ProblemException(503, "LINK_UNAVAILABLE", e.getMessage() + ".");
        }
    }

    private static Duration lifetime(@Nullable JsonValue seconds) {
        try {
            return OneTimeLinks.lifetime(number(seconds));
        } catch (IllegalArgumentException e) {
            throw Request.invalid("'ttl_seconds' is a whole number from 1 to 600.");
        }
    }

    private static Duration handedLifetime(@Nullable JsonValue seconds) {
        Long asked = number(seconds);
        Duration lifetime = asked == null ? Duration.ofMinutes(5) : Duration.ofSeconds(asked);
        if (!OneTimeLinks.HANDED_LIFETIMES.contains(lifetime)) {
            throw Request.invalid("'ttl_seconds' is 60, 300 or 600.");
        }
        return lifetime;
    }

    private static @Nullable Long number(@Nullable JsonValue number) {
        if (number == null || number.is(Kind.NULL)) {
            return null;
        }
        try {
            return Long.valueOf(number.spelling());
        } catch (NumberFormatException e) {
            throw Request.invalid("'ttl_seconds' is no whole number.");
        }
    }
}
