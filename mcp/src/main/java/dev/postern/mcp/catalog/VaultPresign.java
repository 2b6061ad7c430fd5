package dev.postern.mcp.catalog;

import dev.postern.gate.link.LinkOrigin;
import dev.postern.gate.link.LinkStore;
import dev.postern.gate.link.OneTimeLinks;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code vault_presign}: a one-time link to a secret's value (O1). It delivers the value to whoever holds the link, so its call
 * bears that secret: it is resolved, its destination rules hold, a person is asked, and the ledger says which it was.
 */
public final class VaultPresign implements OwnTool {
    /** Its name, under which a secret's destination rules know it too: {@code postern__vault_presign}. */
    public static final String NAME = "vault_presign";

    private static final byte[] DEFINITION = """
            {"name":"vault_presign","title":"Make a one-time link","description":"Makes a link that gives a secret's value to \
            whoever redeems it first, once, for a short while. For programs that can fetch a value but cannot go through \
            Postern: a build, a script, a person's browser. Redeem it with POST, straight into where it is needed, such as \
            curl -sf -X POST URL | program --password-stdin. Never print a redeemed link's value, never put it into a file that \
            stays, and never redeem one only to look: whatever comes back into this conversation is taken out again. A person \
            approves each link. Where a tool takes the value in an argument, write the reference {{vault:NAME}} there instead \
            of making a link.","inputSchema":{"type":"object","properties":{"name":{"type":"string","description":"The \
            secret's name, as vault_list shows it, without braces"},"ttl_seconds":{"type":"integer","minimum":1,"maximum":600,\
            "default":120,"description":"How long the link works"}},"required":["name"],"additionalProperties":false},\
            "outputSchema":{"type":"object","properties":{"url":{"type":"string"},"expires_at":{"type":"string"}},\
            "required":["url","expires_at"]},"annotations":{"readOnlyHint":false,"destructiveHint":false,\
            "openWorldHint":true}}""".getBytes(StandardCharsets.UTF_8);

    private final OneTimeLinks links;

    public VaultPresign(OneTimeLinks links) {
        this.links = links;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] definition() {
        return DEFINITION.clone();
    }

    @Override
    public List<Reference> names(JsonValue arguments) {
        Reference secret = secret(arguments);
        return secret == null ? List.of() : List.of(secret);
    }

    @Override
    public void vet(JsonValue arguments, boolean bearsSecrets) {
        OwnTools.onlyKnown(arguments, List.of("name", "ttl_seconds"));
        if (secret(arguments) == null) {
            throw OwnTools.invalid(
                    "'name' is not the name of a secret",
                    "Send it as vault_list shows it: 1 to 64 of a-z 0-9 _ . - without braces");
        }
        if (!bearsSecrets) {
            throw OwnTools.invalid(
                    "'name' is put together from an earlier step's output",
                    "Write the secret's name itself, so that it is known which secret is asked for");
        }
        lifetime(arguments);
    }

    @Override
    public byte[] call(OwnCall call) {
        Reference secret = secret(call.arguments());
        if (secret == null) {
            throw new IllegalStateException("called without having been looked at");
        }
        LinkOrigin origin = new LinkOrigin(
                call.id(),
                call.caller().name(),
                call.caller().user(),
                call.approver(),
                secret.placeholder(),
                call.ledgerName(secret));
        try {
            return result(links.make(call.value(secret), origin, lifetime(call.arguments())));
        } catch (OneTimeLinks.TooManyLinksException | LinkStore.LinkException e) {
            throw new UpstreamException(
                    UpstreamException.Kind.FAILED,
                    e instanceof OneTimeLinks.TooManyLinksException
                            ? String.valueOf(e.getMessage())
                            : "the link could not be kept");
        }
    }

    private static byte[] result(OneTimeLinks.Made made) {
        Map<String, Object> link = new LinkedHashMap<>();
        link.put("url", made.url());
        link.put("expires_at", made.expires());
        String text = new String(JsonWriter.write(link), StandardCharsets.UTF_8);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("content", List.of(Map.of("type", "text", "text", text)));
        result.put("structuredContent", link);
        return JsonWriter.write(result);
    }

    private static @Nullable Reference secret(JsonValue arguments) {
        String name = arguments.is(Kind.OBJECT) ? arguments.string("name") : null;
        if (name == null) {
            return null;
        }
        try {
            return new Reference(Reference.Kind.VAULT, name, Field.PASSWORD, List.of());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Duration lifetime(JsonValue arguments) {
        JsonValue seconds = arguments.member("ttl_seconds");
        try {
            return OneTimeLinks.lifetime(
                    seconds == null || seconds.is(Kind.NULL) ? null : Long.valueOf(seconds.spelling()));
        } catch (IllegalArgumentException e) {
            throw OwnTools.invalid("'ttl_seconds' is not a whole number of 1 to 600", "Leave it out for 120");
        }
    }
}
