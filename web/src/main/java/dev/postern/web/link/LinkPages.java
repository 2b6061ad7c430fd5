package dev.postern.web.link;

import dev.postern.web.http.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The pages behind a link: one with a button, one with the value, one that says no. They load nothing and run one script of
 * their own, by its hash. A value is put in as bytes.
 */
final class LinkPages {
    private static final String STYLE = ":root{color-scheme:light dark}"
            + "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1rem}"
            + "button{font:inherit;padding:.6rem 1.2rem;border-radius:.4rem;border:1px solid;cursor:pointer}"
            + "textarea{font:14px/1.5 ui-monospace,monospace;width:100%;box-sizing:border-box;padding:.6rem}";

    private static final String SCRIPT = "const b=document.getElementById('copy');"
            + "b.hidden=false;b.addEventListener('click',async()=>{const v=document.getElementById('value');"
            + "try{await navigator.clipboard.writeText(v.value)}catch{v.select();document.execCommand('copy')}"
            + "document.getElementById('said').textContent='Copied.'});";

    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'sha256-" + hash(SCRIPT)
            + "'; style-src 'sha256-" + hash(STYLE)
            + "'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private static final byte[] MISS = page(
            "Nothing here",
            "<h1>This link gives nothing</h1><p>It was used, its time is over, or it was never one. If you expected a value and did not get it, "
                    + "somebody else may have: tell whoever sent you the link.</p>");

    private static final String BEFORE_BUTTON =
            "<h1>One-time link</h1><p>Behind this link is a secret. The button shows it to you, "
                    + "<strong>once</strong>: then the link gives nothing any more, to you or to anyone. Press it when nobody looks over your shoulder "
                    + "and you can put the secret where it belongs.</p>"
                    + "<form method=\"post\">";
    private static final String BUTTON = "<button type=\"submit\" autofocus>Show the secret once</button></form>";

    private LinkPages() {}

    /** Says what will happen; nothing of the secret. The same for every link, there or not. */
    static Reply button(String csrfToken) {
        String field = csrfToken.isEmpty()
                ? ""
                : "<input type=\"hidden\" name=\"csrf\" value=\"" + csrfToken.replaceAll("[^A-Za-z0-9_.=-]", "")
                        + "\">";
        return confined(Reply.html(page("One-time link", BEFORE_BUTTON + field + BUTTON)));
    }

    static Reply miss() {
        return confined(Reply.html(404, MISS.clone()));
    }

    /** Shows a value that is text. */
    static Reply value(byte[] utf8) {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        String head = start("Your secret")
                + "<h1>Your secret</h1><p>The link is used up. What you see here is not shown again.</p>"
                + "<p><textarea id=\"value\" readonly rows=\"6\" aria-label=\"The secret\" autocomplete=\"off\" spellcheck=\"false\">\n";
        String tail =
                "</textarea></p><p><button id=\"copy\" type=\"button\" hidden>Copy</button> <span id=\"said\" role=\"status\"></span></p>"
                        + "<p>Close this page when you have put it where it belongs.</p><script>" + SCRIPT
                        + "</script></html>";
        page.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        for (byte b : utf8) {
            switch (b) {
                case '&' -> page.writeBytes("&amp;".getBytes(StandardCharsets.US_ASCII));
                case '<' -> page.writeBytes("&lt;".getBytes(StandardCharsets.US_ASCII));
                case '\r' -> page.writeBytes("&#13;".getBytes(StandardCharsets.US_ASCII));
                default -> page.write(b);
            }
        }
        page.writeBytes(tail.getBytes(StandardCharsets.UTF_8));
        return confined(Reply.html(page.toByteArray()));
    }

    private static Reply confined(Reply reply) {
        return reply.with("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    }

    private static byte[] page(String title, String body) {
        return (start(title) + body + "</html>").getBytes(StandardCharsets.UTF_8);
    }

    private static String start(String title) {
        return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
                + "content=\"width=device-width, initial-scale=1\"><meta name=\"robots\" content=\"noindex\"><title>"
                + title
                + " · Postern</title><style>" + STYLE + "</style>";
    }

    private static String hash(String inline) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(inline.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
