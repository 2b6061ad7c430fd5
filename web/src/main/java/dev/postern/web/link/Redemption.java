package dev.postern.web.link;

import dev.postern.gate.call.RefusedException;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.link.LinkStore.LinkException;
import dev.postern.gate.link.OneTimeLinks;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** {@code /api/vault/otl/{token}}: POST redeems, once; a browser's GET shows the button that is the POST (O2, O3). */
public final class Redemption {
    private static final String TEMPLATE = OneTimeLinks.PATH + "{token}";
    private static final int MAX_BODY_BYTES = 4_096;

    private final OneTimeLinks links;
    private final MissLimit limit;

    public Redemption(OneTimeLinks links, MissLimit limit) {
        this.links = links;
        this.limit = limit;
    }

    public List<Route> routes() {
        return List.of(
                new Route(
                                "POST",
                                TEMPLATE,
                                Access.OPEN,
                                this::redeem,
                                RouteDoc.of("Vault", "redeemLink", "Redeem a one-time link")
                                        .answers(
                                                200,
                                                "application/octet-stream",
                                                Schema.secret("The value's very bytes, once; a page for a browser"))
                                        .refuses("404 LINK_GONE", "429 TOO_MANY_MISSES", "503 KILL_SWITCH"))
                        .withMaxBodyBytes(MAX_BODY_BYTES),
                Route.page("GET", TEMPLATE, Access.OPEN, Redemption::look));
    }

    /** Looks nothing up, so that looking tells nothing. */
    private static Reply look(Request request) {
        if (request.method().equals("HEAD") || !request.wantsPage()) {
            return unseen(Reply.problem(
                            405,
                            "METHOD_NOT_ALLOWED",
                            "A one-time link is redeemed with POST, once: curl -sf -X POST followed by this address.")
                    .with("Allow", "POST"));
        }
        return unseen(LinkPages.button(request.caller() instanceof Identity.Person person ? person.token() : ""));
    }

    private Reply redeem(Request request) {
        String address = request.remoteAddress();
        if (limit.isReached(address)) {
            return unseen(
                    Reply.problem(429, "TOO_MANY_MISSES", "Too many tries with links that give nothing; wait a minute.")
                            .with("Retry-After", Long.toString(limit.window().toSeconds())));
        }
        try {
            Optional<SecretValue> value = links.redeem(request.pathValue("token"));
            if (value.isEmpty()) {
                limit.missed(address);
                return unseen(request.wantsPage() ? LinkPages.miss() : gone());
            }
            try (SecretValue redeemed = value.get()) {
                return unseen(shown(redeemed, request.wantsPage()));
            }
        } catch (RefusedException e) {
            return unseen(Reply.problem(503, e.refusal().code(), e.refusal().what() + "."));
        } catch (LedgerUnavailableException e) {
            return unseen(Reply.problem(
                    503, "LEDGER_UNAVAILABLE", "The ledger cannot make an entry durable, so nothing is handed out."));
        } catch (LinkException e) {
            return unseen(Reply.problem(503, "LINK_UNAVAILABLE", "The link cannot be opened now; it was not used up."));
        }
    }

    private static Reply gone() {
        return Reply.problem(
                404, "LINK_GONE", "This link gives nothing: it was used, its time is over, or it was never one.");
    }

    private static Reply shown(SecretValue value, boolean asPage) {
        byte[] bytes = value.reveal(Reveal.TO_DELIVER);
        if (!asPage) {
            return Reply.bytes(200, "application/octet-stream", bytes);
        }
        byte[] text = isText(bytes) ? bytes : Base64.getEncoder().encode(bytes);
        try {
            return LinkPages.value(text);
        } finally {
            Arrays.fill(text, (byte) 0);
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static boolean isText(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            return false;
        }
        for (byte b : bytes) {
            if (b == 0) {
                return false;
            }
        }
        return true;
    }

    /** Kept by nobody, passed on by nobody, found by nobody. */
    private static Reply unseen(Reply reply) {
        return reply.with("Cache-Control", "no-store")
                .with("Referrer-Policy", "no-referrer")
                .with("X-Robots-Tag", "noindex, nofollow, noarchive");
    }
}
