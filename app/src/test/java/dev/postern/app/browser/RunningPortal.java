package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Browser;
import dev.postern.app.control.ControlClient;
import dev.postern.app.wiring.Gateway;
import dev.postern.app.wiring.GatewaySettings;
import dev.postern.gate.agent.AgentStore;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A whole gateway in this process, with an operator who signed in once. */
final class RunningPortal implements AutoCloseable {
    static final String PASSPHRASE = "a passphrase of tests";

    /** Longer than any class of tests takes: a call waits for its request, and the request for a person. */
    private static final Duration WAITS = Duration.ofHours(1);

    private final Path data;
    private final Duration approvalTimeout;
    private Gateway gateway;
    private final String key;
    private @Nullable String signIn;
    private @Nullable String address;

    private RunningPortal(Path data, Duration approvalTimeout) throws IOException {
        this.data = data.resolve("data");
        this.approvalTimeout = approvalTimeout;
        this.gateway = Gateway.start(settings(0));
        AgentStore.NewAgent first = gateway.firstAgent();
        this.key = first == null ? "" : first.key();
        this.signIn = gateway.signIn();
    }

    /** Starts on an empty data directory. */
    static RunningPortal start(Path data) throws IOException {
        return new RunningPortal(data, WAITS);
    }

    /** With the secret {@code db} in its vault. */
    static RunningPortal start(Path data, String value) throws IOException {
        return start(data, WAITS, value);
    }

    static RunningPortal start(Path data, Duration approvalTimeout, String value) throws IOException {
        RunningPortal portal = new RunningPortal(data, approvalTimeout);
        portal.addSecret("db", value);
        return portal;
    }

    /** With a configuration file, and the secret {@code db}. */
    static RunningPortal configured(Path data, String configuration, String value) throws IOException {
        Path directory = Files.createDirectory(
                data.resolve("data"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(directory.resolve("postern.json"), configuration);
        return start(data, value);
    }

    private GatewaySettings settings(int port) {
        return new GatewaySettings(
                data, data.resolve("postern.json"), GatewaySettings.DEFAULT_HOST, port, approvalTimeout, WAITS);
    }

    /** Starts where it ran before, as after a restart of the machine. */
    void startAgain() throws IOException {
        gateway = Gateway.start(settings(URI.create(gateway.url()).getPort()));
    }

    String url() {
        return named(gateway.url());
    }

    /** From now on people come to it by the name {@code localhost}: browsers keep no passkeys for an address. */
    RunningPortal byName() {
        return at(gateway.url().replace("127.0.0.1", "localhost"));
    }

    /** From now on people come to it there, by whatever leads to it. */
    RunningPortal at(String origin) {
        address = origin;
        return this;
    }

    private String named(String url) {
        return address == null ? url : url.replace(gateway.url(), address);
    }

    /** Where it listens on this machine. */
    int port() {
        return URI.create(gateway.url()).getPort();
    }

    /** Spends the link of the first start, if nobody did yet. */
    @Nullable
    String takeSignInLink() {
        String link = signIn;
        signIn = null;
        return link == null ? null : named(link);
    }

    /** What the command line prints for the operator. */
    String anotherSignInLink() {
        JsonValue answer = control().ask("portal.link", Map.of(), null, event -> {});
        return named(String.valueOf(answer.string("sign_in")));
    }

    PortalAgent agent() throws IOException, InterruptedException {
        return new PortalAgent(gateway.url(), key);
    }

    /** A new administrator's browser; the first sets the operator's passphrase. */
    Person admin(Browser browser) {
        return Person.operator(this, browser);
    }

    /** Somebody else with a role, invited and signed in. */
    Person person(Browser browser, String name, String role) {
        return Person.invited(this, browser, name, role);
    }

    /** A browser that nobody signed in with. */
    Person stranger(Browser browser) {
        return new Person(this, browser);
    }

    void addSecret(String name, String value) {
        addSecret(name, value, Map.of("username", "kim", "website", "https://x.example"));
    }

    void addSecret(String name, String value, Map<String, ?> more) {
        Map<String, Object> arguments = new HashMap<>(more);
        arguments.put("name", name);
        try (SecretValue secret = new SecretValue(value.getBytes(UTF_8))) {
            control().ask("secret.add", arguments, secret, event -> {});
        }
    }

    void applyPolicy(String document) {
        try (SecretValue policy = new SecretValue(document.getBytes(UTF_8))) {
            control().ask("policy.apply", Map.of(), policy, event -> {});
        }
    }

    private ControlClient control() {
        return new ControlClient(data);
    }

    /** What people did, newest first, as {@code ACTOR ACT}: what the store recorded in the transactions of the acts. */
    List<String> acts() throws SQLException {
        List<String> acts = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("postern.db"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT actor, act FROM operator_act ORDER BY position DESC")) {
            while (rows.next()) {
                acts.add(rows.getString(1) + " " + rows.getString(2));
            }
        }
        return acts;
    }

    /** Waits until so many requests are open. */
    void awaitWaiting(int count) {
        CountDownLatch seen = new CountDownLatch(count);
        try {
            control().ask("approvals.watch", Map.of(), null, (JsonValue event) -> {
                seen.countDown();
                if (seen.getCount() == 0) {
                    throw new Seen();
                }
            });
        } catch (Seen e) {
            return;
        }
        throw new AssertionError("the gateway ended while requests were awaited");
    }

    @Override
    public void close() {
        gateway.close();
    }

    private static final class Seen extends RuntimeException {
        Seen() {
            super(null, null, false, false);
        }
    }
}
