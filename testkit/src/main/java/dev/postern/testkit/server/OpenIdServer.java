package dev.postern.testkit.server;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A real OpenID Connect provider (npm's oidc-provider) in a process of its own, with a login form: it wants PKCE, names itself
 * in its answers, keeps to how a client said it would show its secret, and tells of an account's claims at its UserInfo endpoint
 * alone, as the specification has it.
 */
public final class OpenIdServer implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final String issuer;

    private OpenIdServer(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        out = process.inputReader(StandardCharsets.UTF_8);
        in = process.outputWriter(StandardCharsets.UTF_8);
        issuer = line().replaceAll(".*\"issuer\":\"([^\"]*)\".*", "$1");
    }

    /**
     * Starts one on a free port.
     *
     * @return empty where it cannot run here; the reason is printed
     * @throws IllegalStateException instead of empty on a build server ({@code CI=true})
     */
    public static Optional<OpenIdServer> start() throws IOException {
        Optional<List<String>> command =
                NodeServers.tool("oidc-provider/package.json").flatMap(_ -> NodeServers.tool("../openid-provider.mjs"));
        return command.isEmpty() ? Optional.empty() : Optional.of(new OpenIdServer(command.get()));
    }

    /** Another site than {@code 127.0.0.1} to browsers. */
    public String issuer() {
        return issuer;
    }

    /**
     * Serves clients and accounts from now on, and signs with a key it did not have before.
     *
     * @param document one line of JSON, as {@code openid-provider.mjs} describes it
     */
    public void serve(String document) throws IOException {
        in.write(document.replace("\n", " "));
        in.newLine();
        in.flush();
        line();
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the provider ended; run 'node testkit/npm/openid-provider.mjs' to see why");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
