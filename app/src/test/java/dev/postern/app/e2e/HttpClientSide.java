package dev.postern.app.e2e;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A caller of the HTTP API: an agent by its key, a person by a session, or nobody. Keeps every byte it receives. */
final class HttpClientSide {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern TOKEN = Pattern.compile("\"csrf_token\":\"([^\"]+)\"");

    private final String url;
    private final List<String> headers;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    private HttpClientSide(String url, List<String> headers) {
        this.url = url;
        this.headers = List.copyOf(headers);
    }

    static HttpClientSide nobody(String url) {
        return new HttpClientSide(url, List.of());
    }

    static HttpClientSide agent(String url, String key) {
        return new HttpClientSide(url, List.of("Authorization", "Bearer " + key));
    }

    /** Follows a one-time link as a browser's button does. */
    static HttpClientSide person(String link) throws IOException, InterruptedException {
        String url = link.substring(0, link.indexOf("/sign-in/"));
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(link))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("passphrase="))
                        .build(),
                BodyHandlers.ofString());
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
        List<String> headers = new ArrayList<>(List.of("Cookie", cookie.substring(0, cookie.indexOf(';'))));
        Matcher token = TOKEN.matcher(
                new HttpClientSide(url, headers).get("/api/session").body());
        if (!token.find()) {
            throw new AssertionError("the link signed nobody in");
        }
        headers.addAll(List.of("X-CSRF-Token", token.group(1)));
        return new HttpClientSide(url, headers);
    }

    HttpResponse<String> get(String path, String... more) throws IOException, InterruptedException {
        return send("GET", path, "", more);
    }

    HttpResponse<String> send(String method, String path, String json, String... more)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        List<String> all = new ArrayList<>(headers);
        all.addAll(List.of("Content-Type", "application/json"));
        all.addAll(List.of(more));
        request.headers(all.toArray(String[]::new));
        HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
        synchronized (received) {
            received.writeBytes(answer.headers().map().toString().getBytes(StandardCharsets.UTF_8));
            received.writeBytes(answer.body().getBytes(StandardCharsets.UTF_8));
            received.write('\n');
        }
        return answer;
    }

    /** All that came back. */
    byte[] received() {
        synchronized (received) {
            return received.toByteArray();
        }
    }
}
