package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.postern.app.Json;
import dev.postern.app.control.ControlClient;
import dev.postern.app.control.ControlException;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A1: an agent's credential tries every operator's action over every surface, and each is refused: the routes of the HTTP API and the
 * portal, as the sources declare them and as the OpenAPI document names them; MCP tools; the command line.
 */
class AgentReachTest {
    private static final Pattern DECLARED = Pattern.compile("\"(GET|POST|PUT|DELETE|PATCH)\",\\s*\"(/[^\"]*)\"");
    private static final Path WEB_SOURCES = Path.of("../web/src/main/java");
    private static final List<String> METHODS = List.of("POST", "PUT", "DELETE", "PATCH");

    /** Open to anybody, who then has to know more than an agent's key: a passphrase or a one-time link. */
    private static final String SIGN_IN = "/api/session";

    /** What an agent's key may write to: a call, a link to a secret that is asked about, redeeming a link. */
    private static final Set<String> AGENTS_MAY =
            Set.of("/api/tools/{tool}", "/api/vault/presign", "/api/vault/otl/{token}", "/otl/{token}");

    /** They read, restrict, or run what is governed by itself; what shows a value is none. */
    private static final Set<String> NEEDS_NO_PASSPHRASE = Set.of(
            "agent.list",
            "agent.revoke",
            "approvals.list",
            "approvals.watch",
            "connect",
            "definitions.changed",
            "grants.list",
            "grants.revoke",
            "invoke",
            "kill.status",
            "ledger.archive",
            "policy.history",
            "policy.show",
            "run.close",
            "run.intend",
            "secret.list",
            "server.logins",
            "server.logout",
            "server.tools",
            "status",
            "stop",
            "vault.check");

    private static final Pattern OPERATION = Pattern.compile("operations\\.put\\(\\s*\"([a-z.-]+)\"");
    private static final Path OPERATION_SOURCES = Path.of("src/main/java/dev/postern/app/operations");

    @TempDir
    private static Path data;

    private static RunningGateway gateway;
    private static ManyCalls waiting;
    private static String approval;

    @BeforeAll
    static void start() throws Exception {
        gateway = RunningGateway.start(data);
        gateway.addSecret("db", "a value that is long enough");
        waiting = new ManyCalls(gateway);
        var _ = ManyCalls.later(() -> waiting.call(gateway.key(), "playground__sha256", "{\"text\":\"{{vault:db}}\"}"));
        approval = String.valueOf(gateway.awaitApproval().string("id"));
    }

    @AfterAll
    static void stop() throws Exception {
        waiting.close();
        gateway.close();
    }

    @Test
    @DisplayName("A1: no route that writes takes an agent's key")
    void noRouteThatWritesTakesAnAgentsKey() throws Exception {
        String before = state();
        Set<String> routes = declared();
        routes.addAll(documented());
        assertThat(routes).hasSizeGreaterThan(10);
        List<String> tried = new ArrayList<>();
        for (String route : routes) {
            String method = route.substring(0, route.indexOf(' '));
            String template = route.substring(route.indexOf(' ') + 1);
            if (!METHODS.contains(method) || AGENTS_MAY.contains(template) || template.startsWith("/sign-in")) {
                continue;
            }
            for (Map.Entry<String, String> body : bodies().entrySet()) {
                HttpResponse<byte[]> answer = send(method, concrete(template), body.getKey(), body.getValue());
                if (template.startsWith(SIGN_IN)) {
                    assertThat(answer.statusCode()).as(route).isGreaterThanOrEqualTo(400);
                } else {
                    assertThat(answer.statusCode())
                            .as("%s with %s", route, body.getKey())
                            .isIn(401, 403, 405);
                }
                assertThat(answer.headers().firstValue("Set-Cookie")).as(route).isEmpty();
            }
            tried.add(route);
        }
        assertThat(tried).isNotEmpty();
        assertThat(state()).isEqualTo(before);
    }

    @Test
    @DisplayName("A1: no page, event stream or document of the operator's can be read with an agent's key")
    void noPageOfTheOperatorsCanBeRead() throws Exception {
        for (String route : declared()) {
            String template = route.substring(route.indexOf(' ') + 1);
            if (route.startsWith("GET ")
                    && !template.startsWith("/assets")
                    && !template.startsWith("/sign-in")
                    && !template.startsWith("/api")
                    && !template.startsWith("/otl")
                    && !Set.of("/healthz", "/readyz", "/metrics", "/openapi.json")
                            .contains(template)) {
                HttpResponse<byte[]> answer = send("GET", concrete(template), "text/plain", "");
                assertThat(answer.statusCode()).as(route).isNotEqualTo(200);
                assertThat(new String(answer.body(), UTF_8)).as(route).doesNotContain("vault:db");
            }
        }
    }

    @Test
    @DisplayName("A1: no MCP tool of ours decides, writes, grants or rules, under any name an operator's action has")
    void noToolOfOursActsForAnOperator() throws Exception {
        String before = state();
        try (ManyCalls agent = new ManyCalls(gateway)) {
            for (String action : operations()) {
                for (String name : List.of(
                        action,
                        action.replace('.', '_'),
                        "postern__" + action,
                        "postern__" + action.replace('.', '_'))) {
                    assertThat(refused(agent, name)).as(name).isTrue();
                }
            }
        }
        assertThat(state()).isEqualTo(before);
    }

    @Test
    @DisplayName("A1: the tools of ours are those an agent may have, and no more")
    void ourToolsAreThoseAnAgentMayHave() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            List<String> listed = Json.at(agent.request("tools/list", "", ""), "result", "tools").elements().stream()
                    .map(tool -> Json.at(tool, "name").string())
                    .filter(name -> !name.contains("__"))
                    .toList();
            assertThat(listed)
                    .containsExactlyInAnyOrder(
                            "vault_list", "secret_search", "vault_presign", "http_request", "execute_tools");
        }
    }

    /** What connect carries becomes a message of MCP, whatever it looks like, and so does what is posted. */
    @Test
    @DisplayName("A1: no operation of the operator's socket can be asked for through connect or over HTTP")
    void noOperationIsReachedThroughConnectOrHttp() throws Exception {
        String before = state();
        ProcessBuilder builder = PosternProcess.builder("connect", "--data", data.toString());
        builder.environment().put("POSTERN_AGENT_KEY", gateway.key());
        Process process = builder.start();
        try (Agent agent = Agent.Era.MODERN.connect(gateway);
                OutputStream in = process.getOutputStream()) {
            for (String operation : operations()) {
                String arguments = "{\"ids\":[\"" + approval + "\"],\"name\":\"db\",\"on\":true,\"agent\":\"agent\"}";
                String control = "{\"postern\":1,\"operation\":\"" + operation + "\",\"arguments\":" + arguments + "}";
                in.write(PosternProcess.utf8(control + "\n"));
                in.write(PosternProcess.utf8("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + operation
                        + "\",\"params\":" + arguments + "}\n"));
                assertThat(agent.post(control).statusCode()).as(operation).isEqualTo(400);
                assertThat(agent.request(operation, "", arguments.substring(1, arguments.length() - 1))
                                .spelling())
                        .as(operation)
                        .contains("\"error\"");
            }
            in.close();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(said.lines().toList()).isNotEmpty().allMatch(line -> line.contains("\"error\""));
        } finally {
            process.destroyForcibly();
        }
        assertThat(state()).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "A1: with a passphrase, an agent's key in its place opens no operation; without it there is only what reads or restricts")
    void anAgentsKeyIsNoPassphrase() throws Exception {
        Path guarded = Files.createDirectory(data.resolve("guarded"));
        try (RunningGateway other = RunningGateway.start(guarded)) {
            assertThat(PosternProcess.run(
                                    guarded,
                                    PosternProcess.utf8("a passphrase of an operator"),
                                    Map.of(),
                                    "passphrase",
                                    "set")
                            .exitCode())
                    .isZero();
            ControlClient agent = new ControlClient(guarded, () -> new SecretValue(PosternProcess.utf8(other.key())));
            List<String> open = new ArrayList<>();
            for (String operation : operations()) {
                if (NEEDS_NO_PASSPHRASE.contains(operation)) {
                    open.add(operation);
                    continue;
                }
                Map<String, Object> arguments = operation.equals("kill") ? Map.of("on", false) : Map.of();
                assertThat(catchThrowable(() -> agent.ask(operation, arguments)))
                        .as(operation)
                        .isInstanceOf(ControlException.class)
                        .extracting(e -> ((ControlException) e).code())
                        .asString()
                        .startsWith("PASSPHRASE_");
            }
            assertThat(open).as("each is still an operation").hasSameSizeAs(NEEDS_NO_PASSPHRASE);
        }
    }

    @Test
    @DisplayName("A1: an agent's key is no way onto the operator's socket, and none of its commands takes one")
    void theCommandLineKnowsNoAgentsKey() throws Exception {
        Path elsewhere = Files.createDirectory(data.resolve("elsewhere"));
        Map<String, String> agents = Map.of("POSTERN_AGENT_KEY", gateway.key(), "POSTERN_URL", gateway.url());
        for (String[] command : new String[][] {
            {"approve", approval},
            {"deny", approval},
            {"secret", "add", "other"},
            {"policy", "apply", "missing.json"},
            {"kill", "on"},
            {"agent", "add", "other"},
            {"grants", "list"},
            {"ledger", "archive", "--keep", "0"},
            {"stop"}
        }) {
            PosternProcess.Finished finished = PosternProcess.run(elsewhere, PosternProcess.utf8("x"), agents, command);
            assertThat(finished.exitCode()).as(String.join(" ", command)).isNotZero();
        }
        assertThat(Files.getPosixFilePermissions(data)).hasSize(3);
    }

    private static boolean refused(ManyCalls agent, String tool) throws Exception {
        try {
            JsonValue result = agent.call(
                    gateway.key(),
                    tool,
                    "{\"ids\":[\"" + approval + "\"],\"id\":\"" + approval + "\",\"name\":\"db\",\"on\":true}");
            JsonValue error = result == null ? null : result.member("isError");
            return result == null || (error != null && error.spelling().equals("true"));
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage()).startsWith("an error instead of a result");
        }
    }

    /** On a connection of its own: who refuses a body unread ends the connection with it. */
    private static HttpResponse<byte[]> send(String method, String path, String type, String body)
            throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.url() + path))
                    .header("Authorization", "Bearer " + gateway.key())
                    .header("Content-Type", type)
                    .header("Origin", gateway.url())
                    .header("Sec-Fetch-Site", "same-origin")
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                    .build();
            return http.send(request, BodyHandlers.ofByteArray());
        }
    }

    private static Map<String, String> bodies() {
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put(
                "application/json",
                "{\"id\":\"" + approval + "\",\"ids\":[\"" + approval
                        + "\"],\"name\":\"other\",\"value\":\"x\",\"decision\":\"approve\",\"agent\":\"agent\",\"document\":{}}");
        bodies.put(
                "application/x-www-form-urlencoded",
                "id=" + approval
                        + "&decision=approve&name=other&value=x&agent=agent&document=%7B%7D&scope=ALL&_csrf=x");
        return bodies;
    }

    private static String concrete(String template) {
        return template.replace("{id}", approval).replace("{name}", "db").replaceAll("\\{\\w+}", "x");
    }

    /** Every operation of the operator's socket, as the sources declare them. */
    private static Set<String> operations() throws IOException {
        Set<String> operations = new TreeSet<>();
        try (Stream<Path> files = Files.walk(OPERATION_SOURCES)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                Matcher operation = OPERATION.matcher(Files.readString(file));
                while (operation.find()) {
                    operations.add(operation.group(1));
                }
            }
        }
        assertThat(operations).hasSizeGreaterThan(25).contains("approve", "secret.add", "policy.apply");
        return operations;
    }

    /** Method and template of every route that the web module's sources declare. */
    private static Set<String> declared() throws IOException {
        Set<String> routes = new TreeSet<>();
        try (Stream<Path> files = Files.walk(WEB_SOURCES)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                Matcher route = DECLARED.matcher(Files.readString(file));
                while (route.find()) {
                    routes.add(route.group(1) + " " + route.group(2));
                }
            }
        }
        return routes;
    }

    /** Method and path of every operation of the OpenAPI document. */
    private static Set<String> documented() throws IOException, InterruptedException {
        Set<String> routes = new TreeSet<>();
        HttpResponse<byte[]> document = send("GET", "/openapi.json", "text/plain", "");
        if (document.statusCode() == 200) {
            Json.at(JsonValue.parse(document.body()), "paths")
                    .forEachMember((path, operations) -> operations.forEachMember((method, operation) ->
                            routes.add(method.string().toUpperCase(Locale.ROOT) + " " + path.string())));
            assertThat(routes).isNotEmpty();
        }
        return routes;
    }

    /** Everything an operator's action could have changed; without the times at which keys were last used. */
    private static String state() {
        List<String> parts = new ArrayList<>();
        for (String operation :
                List.of("policy.show", "secret.list", "agent.list", "grants.list", "approvals.list", "kill.status")) {
            parts.add(gateway.ask(operation, Map.of()).spelling().replaceAll("\"last_used\":(\"[^\"]*\"|null)", ""));
        }
        return String.join("\n", parts);
    }
}
