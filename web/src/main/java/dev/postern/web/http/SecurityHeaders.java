package dev.postern.web.http;

import org.eclipse.jetty.http.HttpFields;

/**
 * What every reply says to a browser: load nothing from elsewhere, run no inline script, stand in no frame, guess no type,
 * keep no copy. A reply may set any of them otherwise.
 */
final class SecurityHeaders {
    private static final String[][] ALWAYS = {
        {
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        },
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        // Forms of ours say where they come from to nobody but us; no-referrer would make them say "null" to us as
        // well.
        {"Referrer-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"},
        {"Cache-Control", "no-store"},
    };

    private SecurityHeaders() {}

    static void put(HttpFields.Mutable headers, boolean secure) {
        for (String[] header : ALWAYS) {
            headers.put(header[0], header[1]);
        }
        if (secure) {
            headers.put("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
