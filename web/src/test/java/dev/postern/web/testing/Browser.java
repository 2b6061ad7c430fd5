package dev.postern.web.testing;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A person's side: keeps cookies, follows nothing, and sends what a page of ours would. */
public final class Browser {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Pattern TOKEN = Pattern.compile("\"csrf_token\":\"([^\"]+)\"");

    private final String origin;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private String token = "";

    public Browser(String origin) {
        this.origin = origin;
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, "", headers);
    }

    /** A form, with the token where there is one. */
    public HttpResponse<String> submit(String path, Map<String, String> fields)
            throws IOException, InterruptedException {
        Map<String, String> all = new LinkedHashMap<>(fields);
        if (!token.isEmpty()) {
            all.putIfAbsent("csrf", token);
        }
        List<String> pairs = new ArrayList<>();
        all.forEach((name, value) -> pairs.add(encode(name) + "=" + encode(value)));
        return send(
                "POST",
                path,
                String.join("&", pairs),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Origin",
                origin);
    }

    /** JSON, with the token where there is one. */
    public HttpResponse<String> json(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json", "X-CSRF-Token", token));
        all.addAll(List.of(headers));
        return send(method, path, body, all.toArray(String[]::new));
    }

    public HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!cookies.isEmpty()) {
            List<String> pairs = new ArrayList<>();
            cookies.forEach((name, value) -> pairs.add(name + "=" + value));
            request.header("Cookie", String.join("; ", pairs));
        }
        HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
        for (String cookie : answer.headers().allValues("Set-Cookie")) {
            String pair = cookie.substring(0, cookie.indexOf(';'));
            int equals = pair.indexOf('=');
            if (equals == pair.length() - 1) {
                cookies.remove(pair.substring(0, equals));
            } else {
                cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return answer;
    }

    /** Takes the token that a script of our pages would send. */
    public Browser takeToken() throws IOException, InterruptedException {
        Matcher found = TOKEN.matcher(get("/api/session").body());
        if (!found.find()) {
            throw new AssertionError("nobody is signed in");
        }
        token = found.group(1);
        return this;
    }

    public String token() {
        return token;
    }

    public Map<String, String> cookies() {
        return cookies;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
