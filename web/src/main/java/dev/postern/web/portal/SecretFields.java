package dev.postern.web.portal;

import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.Website;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Request;
import dev.postern.web.portal.view.SecretForm;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a form about a secret sends. */
final class SecretFields {
    private SecretFields() {}

    static String text(Request request, String name) {
        String text = request.field(name);
        return text == null ? "" : text.strip();
    }

    /** Null where nothing was typed. */
    static @Nullable String optional(Request request, String name) {
        String text = text(request, name);
        return text.isEmpty() ? null : text;
    }

    /** @throws IllegalArgumentException if it holds credentials */
    static String website(Request request) {
        String website = text(request, "website");
        Website.check(website);
        return website;
    }

    /** Names separated by commas, spaces or lines. */
    static List<String> list(Request request, String name) {
        return Arrays.stream(text(request, name).split("[,\\s]+"))
                .filter(one -> !one.isEmpty())
                .distinct()
                .toList();
    }

    static DestinationRules destinations(Request request) {
        return DestinationRules.written(list(request, "servers"), list(request, "tools"), list(request, "hosts"));
    }

    /** The value as it was typed; the caller closes it. */
    static SecretValue value(Request request, String name) {
        return request.secretField(name).orElseGet(() -> new SecretValue(new byte[0]));
    }

    /** What was typed, but for the secret parts. */
    static SecretForm again(Request request, String wrong) {
        return new SecretForm(
                wrong,
                text(request, "name"),
                text(request, "website"),
                text(request, "username"),
                text(request, "description"),
                text(request, "tags"),
                text(request, "servers"),
                text(request, "tools"),
                text(request, "hosts"));
    }
}
