package dev.postern.web.portal;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.portal.view.Flash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Carries what an act came to over the redirect that follows it, in a cookie of the browser's, so that any node can show it.
 * Holds names and numbers; never a value, a key or a link.
 */
final class Flashes {
    private static final String COOKIE = "postern_said";
    private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

    /** Browsers keep cookies of 4,096 bytes. */
    private static final int MAX_BYTES = 2_400;

    private Flashes() {}

    /** Goes there, and says this on arrival. */
    static Reply redirect(Request request, String path, Flash... said) {
        return redirect(request, path, List.of(said));
    }

    static Reply redirect(Request request, String path, List<Flash> said) {
        List<List<String>> fields = new ArrayList<>();
        int size = 0;
        for (Flash flash : said) {
            size += flash.text().getBytes(StandardCharsets.UTF_8).length + 16;
            if (size > MAX_BYTES) {
                fields.add(List.of("warn", "There is more to say than fits here; look at each below."));
                break;
            }
            fields.add(List.of(flash.kind(), flash.text()));
        }
        String value = Base64.getUrlEncoder().withoutPadding().encodeToString(JsonWriter.write(fields));
        return Reply.redirect(path)
                .with(
                        "Set-Cookie",
                        COOKIE + "=" + value + "; Max-Age=60" + ATTRIBUTES + (request.isSecure() ? "; Secure" : ""));
    }

    /** What the last act said; nothing where the cookie is not ours. */
    static List<Flash> read(Request request) {
        String cookie = request.cookie(COOKIE);
        if (cookie == null || cookie.isEmpty()) {
            return List.of();
        }
        try {
            List<Flash> flashes = new ArrayList<>();
            for (JsonValue field :
                    JsonValue.parse(Base64.getUrlDecoder().decode(cookie)).elements()) {
                List<JsonValue> pair = field.elements();
                flashes.add(new Flash(kind(pair.get(0).string()), pair.get(1).string()));
            }
            return flashes;
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException | JsonException e) {
            return List.of();
        }
    }

    /** The same page, after which it is not said again. */
    static Reply said(Request request, Reply page) {
        return request.cookie(COOKIE) == null ? page : page.with("Set-Cookie", COOKIE + "=; Max-Age=0" + ATTRIBUTES);
    }

    private static String kind(String sent) {
        return sent.equals("bad") || sent.equals("warn") ? sent : "good";
    }
}
