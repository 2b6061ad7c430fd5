package dev.postern.app.cli;

import dev.postern.app.Version;
import dev.postern.app.config.ConfigFile;
import dev.postern.app.posix.Signals;
import dev.postern.app.wiring.Gateway;
import dev.postern.app.wiring.GatewaySettings;
import dev.postern.gate.agent.AgentStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postern up}: runs the gateway until it is stopped. */
@Command(name = "up", description = "Run the gateway until 'postern stop', Ctrl-C or SIGTERM.")
final class UpCommand extends PosternCommand {
    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "Address to listen on (default: ${DEFAULT-VALUE}, this machine only).",
            defaultValue = GatewaySettings.DEFAULT_HOST)
    private String host = GatewaySettings.DEFAULT_HOST;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on; 0 picks a free one (default: ${DEFAULT-VALUE}).",
            defaultValue = "" + GatewaySettings.DEFAULT_PORT)
    private int port = GatewaySettings.DEFAULT_PORT;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The servers (default: postern.json in the data directory).")
    private @Nullable Path config;

    @Option(names = "--database", paramLabel = "URL", description = "Only the embedded database so far.")
    private @Nullable String database;

    @Option(
            names = "--approval-timeout",
            paramLabel = "SECONDS",
            description = "How long a call waits for a person before it is denied (default: 300).")
    private long approvalTimeoutSeconds = GatewaySettings.DEFAULT_APPROVAL_TIMEOUT.toSeconds();

    @Option(
            names = "--approval-hold",
            paramLabel = "SECONDS",
            description = "How long a call is held before it returns APPROVAL_PENDING (default: 45).")
    private long approvalHoldSeconds = GatewaySettings.DEFAULT_APPROVAL_HOLD.toSeconds();

    @Option(
            names = "--stop-grace",
            paramLabel = "SECONDS",
            description = "How long running calls may take to end when the gateway is stopped (default: 10).")
    private long stopGraceSeconds = GatewaySettings.DEFAULT_STOP_GRACE.toSeconds();

    @Override
    void run() throws IOException, InterruptedException {
        try (Gateway gateway = Gateway.start(settings())) {
            Runtime.getRuntime().addShutdownHook(new Thread(gateway::close, "stop"));
            stopOn("TERM", gateway);
            stopOn("INT", gateway);
            if (json()) {
                print(document(gateway));
            } else {
                greet(gateway);
            }
            gateway.awaitStop();
        }
    }

    /** The first signal stops in order, and the process ends with 0; who sends another cannot wait. */
    private static void stopOn(String signal, Gateway gateway) {
        AtomicBoolean first = new AtomicBoolean(true);
        Signals.listen(signal, number -> {
            if (first.getAndSet(false)) {
                gateway.requestStop();
            } else {
                Runtime.getRuntime().halt(128 + number);
            }
        });
    }

    private GatewaySettings settings() {
        if (port < 0 || port > 65_535) {
            throw wrongUsage("--port is a number from 0 to 65535.");
        }
        if (approvalTimeoutSeconds < 1 || approvalHoldSeconds < 0 || stopGraceSeconds < 0) {
            throw wrongUsage("--approval-timeout is at least 1 second, --approval-hold and --stop-grace at least 0.");
        }
        if (database != null && !database.startsWith("jdbc:sqlite")) {
            throw wrongUsage(
                    "only the embedded database in the data directory is supported so far; leave --database out.");
        }
        if (config != null && !Files.exists(config)) {
            throw wrongUsage("the configuration " + config + " does not exist.");
        }
        return new GatewaySettings(
                dataDirectory(),
                config != null ? config : dataDirectory().resolve(ConfigFile.NAME),
                host,
                port,
                Duration.ofSeconds(approvalTimeoutSeconds),
                Duration.ofSeconds(approvalHoldSeconds),
                Duration.ofSeconds(stopGraceSeconds));
    }

    private static Map<String, @Nullable Object> document(Gateway gateway) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("ready", true);
        document.put("url", gateway.url());
        document.put("mcp", gateway.url() + "/mcp");
        document.put("portal", gateway.url() + "/");
        document.put("sign_in", gateway.signIn());
        AgentStore.NewAgent first = gateway.firstAgent();
        if (first != null) {
            Map<String, Object> agent = new LinkedHashMap<>();
            agent.put("id", first.id());
            agent.put("name", first.name());
            agent.put("key", first.key());
            document.put("agent", agent);
        }
        return document;
    }

    private void greet(Gateway gateway) {
        PrintWriter out = out();
        String mcp = gateway.url() + "/mcp";
        out.println("postern " + Version.current());
        out.println();
        out.println("  data     " + dataDirectory().toAbsolutePath());
        out.println("  servers  " + String.join(", ", gateway.serverNames()));
        out.println("  agents   " + mcp);
        AgentStore.NewAgent first = gateway.firstAgent();
        if (first != null) {
            ClientLines.print(out, mcp, first.key());
        }
        out.println();
        out.println("  Add a secret:      postern secret add NAME");
        out.println("  Decide on calls:   postern approvals watch");
        if (gateway.signIn() != null) {
            out.println("  Sign in, once:     " + gateway.signIn());
        } else {
            out.println("  Portal:            " + gateway.url() + "/ (a sign-in link: postern portal --link)");
        }
        if (!gateway.hasPassphrase()) {
            out.println("  No passphrase is set: any program of this user can approve calls.");
        }
        out.println();
        out.println("postern: ready " + gateway.url());
        out.flush();
    }
}
