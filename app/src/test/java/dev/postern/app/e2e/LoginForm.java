package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A web site with a sign-in form, which shows on the next page what it was given: careless, and so a good test. */
final class LoginForm implements AutoCloseable {
    private final HttpServer server;
    private volatile @Nullable String password;

    LoginForm() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> answer(exchange, """
                <!doctype html><title>Sign in</title><h1>Sign in</h1>
                <form method="post" action="/account"><label>Name <input id="name" name="name"></label>
                <label>Password <input id="password" name="password" type="password"></label>
                <button id="go">Sign in</button></form>"""));
        server.createContext("/account", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            password = URLDecoder.decode(body.substring(body.indexOf("password=") + "password=".length()), UTF_8);
            String shown = password.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
            answer(
                    exchange,
                    "<!doctype html><title>Account</title><h1>Welcome, kim</h1><p id=\"shown\">Your password is "
                            + shown + "</p><input id=\"again\" value=\"" + shown + "\">");
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, String page) throws IOException {
        byte[] bytes = page.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(200, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** The password that was sent with the form; null if none was. */
    @Nullable
    String password() {
        return password;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
