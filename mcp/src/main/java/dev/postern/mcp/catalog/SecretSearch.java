package dev.postern.mcp.catalog;

import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vaults;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** {@code secret_search}: finds secrets by name, website, username or description; answers in lines of id, website and username. */
public final class SecretSearch implements OwnTool {
    private static final byte[] DEFINITION = """
            {"name":"secret_search","title":"Find a secret","description":"Finds secrets whose name, website, username or \
            description contains the query; an empty query finds all. Answers one line a secret: id, website and username, \
            separated by tabs. To use one, write {{secret:ID}} for its password, or {{secret:ID.username}} or \
            {{secret:ID.notes}}, inside a string argument of any tool. You never see the value: a person approves the call, \
            the tool receives it, and you see the reference again. Never print a redeemed link.",\
            "inputSchema":{"type":"object","properties":{"query":{"type":"string","description":"Part of a name, website, \
            username or description; case does not matter"}},"required":["query"],"additionalProperties":false},\
            "annotations":{"readOnlyHint":true,"openWorldHint":false}}""".getBytes(StandardCharsets.UTF_8);

    private final Vaults vaults;

    public SecretSearch(Vaults vaults) {
        this.vaults = vaults;
    }

    @Override
    public String name() {
        return "secret_search";
    }

    @Override
    public byte[] definition() {
        return DEFINITION.clone();
    }

    @Override
    public byte[] call(OwnCall call) {
        String query = call.arguments().string("query");
        if (query == null) {
            return OwnTools.text("INVALID_ARGS: the argument 'query' is missing. Send it as a string.", true);
        }
        String wanted = query.toLowerCase(Locale.ROOT);
        StringJoiner lines = new StringJoiner("\n");
        for (SecretRecord secret : vaults.of(call.caller()).list()) {
            if (matches(secret, wanted)) {
                lines.add(secret.id() + "\t" + column(secret.website()) + "\t" + column(secret.username()));
            }
        }
        return OwnTools.text(lines.toString(), false);
    }

    private static boolean matches(SecretRecord secret, String wanted) {
        return contains(secret.name(), wanted)
                || contains(secret.website(), wanted)
                || contains(secret.username(), wanted)
                || contains(secret.description(), wanted);
    }

    private static boolean contains(@Nullable String text, String wanted) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(wanted);
    }

    /** A tab or a line end inside a column would be read as the next one. */
    private static String column(@Nullable String text) {
        return text == null ? "" : text.replaceAll("[\\t\\r\\n]", " ");
    }
}
