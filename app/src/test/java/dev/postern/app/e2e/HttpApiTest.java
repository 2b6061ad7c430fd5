package dev.postern.app.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Right;
import dev.postern.gate.agent.Role;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.testkit.leak.LeakFinder;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP API over a running gateway: V1, V3, A1 to A3. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpApiTest {
    private static final String VALUE = "Xk9#planted-vAlue\"7/é";

    private RunningGateway gateway;
    private HttpClientSide nobody;
    private HttpClientSide agent;
    private HttpClientSide admin;
    private HttpClientSide approver;
    private HttpClientSide member;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        gateway = RunningGateway.start(data, "--approval-hold", "0");
        nobody = HttpClientSide.nobody(gateway.url());
        agent = HttpClientSide.agent(gateway.url(), gateway.key());
        admin = HttpClientSide.person(gateway.signIn());
        approver = invited("ada", "approver");
        member = invited("max", "member");
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
    }

    private HttpClientSide invited(String name, String role) throws Exception {
        HttpResponse<String> invited =
                admin.send("POST", "/api/people", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}");
        assertThat(invited.statusCode()).as(invited.body()).isEqualTo(201);
        return HttpClientSide.person(String.valueOf(json(invited).string("sign_in")));
    }

    private static JsonValue json(HttpResponse<String> answer) {
        return JsonValue.parse(answer.body().getBytes(StandardCharsets.UTF_8));
    }

    private static List<JsonValue> elements(HttpResponse<String> answer, String list) {
        return requireNonNull(json(answer).member(list)).elements();
    }

    private static String body(String value) {
        return "{\"value\":" + JsonStrings.quote(value)
                + ",\"website\":\"https://x.example\",\"description\":\"kept\"}";
    }

    @Test
    @DisplayName("V3: an agent cannot write secrets, a person can, and what is left out stays")
    void writingSecretsTakesAPerson() throws Exception {
        for (HttpClientSide caller : List.of(agent, nobody)) {
            HttpResponse<String> refused = caller.send("PUT", "/api/vault/secrets/mine", body(VALUE));
            assertThat(refused.statusCode()).isEqualTo(caller == agent ? 403 : 401);
        }
        assertThat(agent.send("DELETE", "/api/vault/secrets/mine", "").body()).contains("PORTAL_SESSION_REQUIRED");

        HttpResponse<String> added = admin.send("PUT", "/api/vault/secrets/mine", body(VALUE));
        assertThat(added.statusCode()).as(added.body()).isEqualTo(201);
        HttpResponse<String> changed = admin.send(
                "PUT", "/api/vault/secrets/mine", "{\"username\":\"kim\",\"allow\":{\"hosts\":[\"x.example\"]}}");
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(json(changed).string("description")).isEqualTo("kept");
        assertThat(json(changed).string("website")).isEqualTo("https://x.example");
        assertThat(json(changed).string("username")).isEqualTo("kim");
        assertThat(changed.body()).contains("\"version\":2", "\"hosts\":[\"x.example\"]");
        assertThat(admin.send("PUT", "/api/vault/secrets/mine", "{\"value\":\"short\"}")
                        .body())
                .contains("shorter than 8 characters");
        assertThat(agent.get("/api/vault/secrets/mine").statusCode()).isEqualTo(200);
        assertThat(admin.send("DELETE", "/api/vault/secrets/mine", "").statusCode())
                .isEqualTo(204);
        assertThat(agent.get("/api/vault/secrets/mine").body()).contains("VAULT_SECRET_NOT_FOUND");
    }

    @Test
    @DisplayName("A2: a member writes their own secrets and nobody else's")
    void aMemberWritesTheirOwnSecrets() throws Exception {
        admin.send("PUT", "/api/vault/secrets/theirs", body(VALUE));
        assertThat(member.send("PUT", "/api/vault/secrets/max_own", body(VALUE)).statusCode())
                .isEqualTo(201);
        assertThat(member.send("DELETE", "/api/vault/secrets/theirs", "").body())
                .contains("NOT_YOUR_SECRET");
        assertThat(member.send("PUT", "/api/vault/secrets/theirs", body(VALUE)).body())
                .contains("NOT_YOUR_SECRET");
        assertThat(member.send("DELETE", "/api/vault/secrets/max_own", "").statusCode())
                .isEqualTo(204);
        assertThat(admin.send("DELETE", "/api/vault/secrets/theirs", "").statusCode())
                .isEqualTo(204);
    }

    @Test
    @DisplayName(
            "One call over REST: 202 while a person must decide, one of two deciders wins, then the answer is scrubbed")
    void oneCallOverRest() throws Exception {
        admin.send("PUT", "/api/vault/secrets/db", body("another value, long enough"));
        String call = "{\"text\":\"my password is {{vault:db}}\"}";
        HttpResponse<String> waiting = agent.send("POST", "/api/tools/playground__echo", call);
        assertThat(waiting.statusCode()).as(waiting.body()).isEqualTo(202);
        assertThat(json(waiting).string("code")).isEqualTo("APPROVAL_PENDING");

        HttpResponse<String> queue = approver.get("/api/approvals");
        String tag = queue.headers().firstValue("ETag").orElseThrow();
        JsonValue request = elements(queue, "approvals").getFirst();
        assertThat(request.spelling()).contains("{{vault:db}}");
        String id = String.valueOf(request.string("id"));
        CompletableFuture<HttpResponse<String>> one = later(approver, "/api/approvals/" + id + "/approve");
        CompletableFuture<HttpResponse<String>> other = later(admin, "/api/approvals/" + id + "/approve");
        List<Integer> statuses = List.of(one.get().statusCode(), other.get().statusCode());
        assertThat(statuses).containsExactlyInAnyOrder(200, 409);
        assertThat(approver.get("/api/approvals", "If-None-Match", tag).statusCode())
                .isEqualTo(200);

        HttpResponse<String> answered = agent.send("POST", "/api/tools/playground__echo", call);
        assertThat(answered.statusCode()).as(answered.body()).isEqualTo(200);
        assertThat(answered.body()).contains("my password is {{vault:db}}");

        JsonValue entry = elements(approver.get("/api/ledger?tool=playground__echo&disposition=EXECUTED"), "entries")
                .getFirst();
        assertThat(entry.string("approver")).isIn("ada", "operator");
        assertThat(approver.get("/api/ledger/" + entry.string("id")).body()).contains("\"stages\"");
        assertThat(approver.get("/api/ledger/verify").body()).contains("\"intact\":true");
        assertThat(approver.get("/api/ledger/export").body()).contains(String.valueOf(entry.string("hash")));
        assertThat(nobody.get("/metrics").body())
                .contains("postern_calls_total{disposition=\"executed\"} ", "postern_scrub_hits_total ")
                .doesNotContain("playground");
    }

    private static CompletableFuture<HttpResponse<String>> later(HttpClientSide who, String path) {
        CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(who.send("POST", path, "{}"));
            } catch (Exception e) {
                answer.completeExceptionally(new CompletionException(e));
            }
        });
        return answer;
    }

    @Test
    @DisplayName("A1: a refusal over REST is a problem with its code, and an unknown tool is none of ours")
    void aRefusalIsAProblem() throws Exception {
        HttpResponse<String> refused =
                agent.send("POST", "/api/tools/playground__echo", "{\"text\":\"{{vault:no_such}}\"}");
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(json(refused).string("disposition")).isEqualTo("SECRET_UNRESOLVED");
        assertThat(agent.send("POST", "/api/tools/playground__nothing", "{}").statusCode())
                .isEqualTo(404);
    }

    @Test
    @DisplayName("A3: the kill switch stops calls from the API, and only an administrator ends it")
    void theKillSwitchStopsCalls() throws Exception {
        assertThat(approver.send("PUT", "/api/kill", "{\"server\":\"playground\",\"reason\":\"test\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(agent.send("POST", "/api/tools/playground__echo", "{\"text\":\"x\"}")
                        .statusCode())
                .isEqualTo(503);
        assertThat(approver.send("DELETE", "/api/kill?server=playground", "").statusCode())
                .isEqualTo(403);
        assertThat(admin.send("DELETE", "/api/kill?server=playground", "").statusCode())
                .isEqualTo(200);
        assertThat(agent.send("POST", "/api/tools/playground__echo", "{\"text\":\"x\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName(
            "P11: an invalid policy is refused with its place and changes nothing; If-Match keeps two editors apart")
    void anInvalidPolicyChangesNothing() throws Exception {
        HttpResponse<String> before = admin.get("/api/policy");
        assertThat(admin.send("PUT", "/api/policy", "{\"tols\":{}}").statusCode())
                .isEqualTo(422);
        assertThat(admin.get("/api/policy").body()).isEqualTo(before.body());
        String tag = before.headers().firstValue("ETag").orElseThrow();
        assertThat(admin.send("PUT", "/api/policy", "{\"secretBearingCalls\":\"ASK\"}", "If-Match", tag)
                        .statusCode())
                .isEqualTo(200);
        assertThat(admin.send("PUT", "/api/policy", "{}", "If-Match", tag).statusCode())
                .isEqualTo(412);
    }

    @Test
    @DisplayName("Revisions of the policy are listed with who applied them, page by page, and shown")
    void thePolicyHasAHistory() throws Exception {
        admin.send("PUT", "/api/policy", "{\"secretBearingCalls\":\"ASK\",\"servers\":{\"one\":\"ASK\"}}");
        admin.send("PUT", "/api/policy", "{\"secretBearingCalls\":\"ASK\",\"servers\":{\"two\":\"ASK\"}}");
        HttpResponse<String> first = admin.get("/api/policy/revisions?limit=1");
        assertThat(elements(first, "revisions")).hasSize(1);
        assertThat(elements(first, "revisions").getFirst().string("applied_by")).isEqualTo("operator");
        String next = String.valueOf(json(first).string("next"));
        HttpResponse<String> second = admin.get("/api/policy/revisions?limit=1&before=" + next);
        String older = requireNonNull(elements(second, "revisions").getFirst().member("revision"))
                .spelling();
        assertThat(Long.parseLong(older)).isEqualTo(Long.parseLong(next) - 1);
        assertThat(admin.get("/api/policy/revisions/" + older).body()).contains("\"one\":\"ASK\"");
        assertThat(admin.get("/api/policy/revisions/0").statusCode()).isEqualTo(404);
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(admin.get("/api/policy/revisions?limit=1", "If-None-Match", tag)
                        .statusCode())
                .isEqualTo(304);
        admin.send("PUT", "/api/policy", "{}");
    }

    @Test
    @DisplayName("A server's state is listed; asked, it tells its tools")
    void aServerIsAskedOverTheApi() throws Exception {
        assertThat(admin.get("/api/servers").body())
                .contains("\"endpoint\":\"/mcp/playground\"", "\"stopped\":false", "\"changed_definitions\":0");
        assertThat(admin.get("/api/servers/playground").body())
                .contains("\"answers\":true", "\"qualified_name\":\"playground__echo\"");
        assertThat(admin.get("/api/servers/nowhere").body()).contains("SERVER_NOT_FOUND");
        assertThat(admin.send(
                                "POST",
                                "/api/definitions/accept",
                                "{\"server\":\"playground\",\"tool\":\"echo\",\"hash\":\"00\"}")
                        .body())
                .contains("DEFINITION_CHANGED");
    }

    @Test
    @DisplayName("A1: an agent gets another key, and the one it had ends with the overlap it was given")
    void anAgentsKeyIsRotated() throws Exception {
        JsonValue added = json(admin.send("POST", "/api/agents", "{\"name\":\"turning\"}"));
        HttpClientSide before = HttpClientSide.agent(gateway.url(), String.valueOf(added.string("key")));
        String rotate = "/api/agents/" + added.string("id") + "/rotate";
        JsonValue overlapping = json(admin.send("POST", rotate, "{\"overlap_seconds\":600}"));
        HttpClientSide between = HttpClientSide.agent(gateway.url(), String.valueOf(overlapping.string("key")));
        assertThat(before.get("/api/tools").statusCode()).isEqualTo(200);
        assertThat(between.get("/api/tools").statusCode()).isEqualTo(200);
        JsonValue last = json(admin.send("POST", rotate, "{}"));
        assertThat(before.get("/api/tools").statusCode()).isEqualTo(401);
        assertThat(between.get("/api/tools").statusCode()).isEqualTo(401);
        assertThat(HttpClientSide.agent(gateway.url(), String.valueOf(last.string("key")))
                        .get("/api/tools")
                        .statusCode())
                .isEqualTo(200);
        assertThat(admin.send("POST", rotate, "{\"overlap_seconds\":99999999999}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(admin.send("POST", "/api/agents/none/rotate", "{}").statusCode())
                .isEqualTo(404);
    }

    @Test
    @DisplayName("A1: agents are added with a key that is shown once, and lose it at once")
    void agentsAreAddedAndRevoked() throws Exception {
        HttpResponse<String> added = admin.send("POST", "/api/agents", "{\"name\":\"new\",\"deny\":[\"secret.use\"]}");
        assertThat(added.statusCode()).isEqualTo(201);
        String key = String.valueOf(json(added).string("key"));
        HttpClientSide fresh = HttpClientSide.agent(gateway.url(), key);
        assertThat(fresh.get("/api/vault/secrets").statusCode()).isEqualTo(200);
        assertThat(admin.get("/api/agents").body()).contains("\"name\":\"new\"").doesNotContain(key);
        assertThat(admin.send("DELETE", "/api/agents/" + json(added).string("id"), "")
                        .statusCode())
                .isEqualTo(204);
        assertThat(fresh.get("/api/vault/secrets").statusCode()).isEqualTo(401);
    }

    @Test
    @DisplayName("A1: long grants, links and agents' keys take a confirmation; no grant lasts for more than a year")
    void sensitiveActsTakeAConfirmation() throws Exception {
        HttpResponse<String> invited = admin.send("POST", "/api/people", "{\"name\":\"eve\",\"role\":\"admin\"}");
        HttpClientSide first =
                HttpClientSide.person(String.valueOf(json(invited).string("sign_in")));
        assertThat(first.send("PUT", "/api/session/passphrase", "{\"passphrase\":\"correct horse battery\"}")
                        .statusCode())
                .isLessThan(300);
        HttpResponse<String> link =
                admin.send("POST", "/api/people/" + json(invited).string("id") + "/link", "{}");
        HttpClientSide eve = HttpClientSide.person(String.valueOf(json(link).string("sign_in")));

        String approve = "/api/approvals/00000000-0000-0000-0000-000000000000/approve";
        for (String grant : List.of("{}", "{\"seconds\":3601}", "{\"uses\":1}")) {
            assertThat(eve.send("POST", approve, "{\"grant\":" + grant + "}").body())
                    .as(grant)
                    .contains("CONFIRMATION_REQUIRED");
        }
        assertThat(eve.send("POST", approve, "{\"grant\":{\"seconds\":3600}}").body())
                .contains("APPROVAL_NOT_FOUND");
        HttpResponse<String> forever = eve.send("POST", approve, "{\"grant\":{\"seconds\":31536001}}");
        assertThat(forever.statusCode()).isEqualTo(400);
        assertThat(forever.body()).contains("1 year");
        assertThat(eve.send("POST", approve, "{\"grant\":{\"seconds\":0}}").statusCode())
                .isEqualTo(400);
        assertThat(eve.send("POST", "/api/vault/presign", "{\"name\":\"db\"}").body())
                .contains("CONFIRMATION_REQUIRED");
        assertThat(eve.send("POST", "/agents", "{}").body()).contains("CONFIRMATION_REQUIRED");
        assertThat(admin.send("DELETE", "/api/people/" + json(invited).string("id"), "")
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    @DisplayName("A2: the last administrator stays")
    void theLastAdministratorStays() throws Exception {
        for (JsonValue person : elements(admin.get("/api/people"), "people")) {
            if ("operator".equals(person.string("name"))) {
                assertThat(admin.send("DELETE", "/api/people/" + person.string("id"), "")
                                .statusCode())
                        .isEqualTo(400);
            }
        }
        assertThat(admin.get("/api/session").statusCode()).isEqualTo(200);
    }

    /** Who may call each operation, written down apart from the code that decides it. */
    private static final Map<String, Object> EXPECTED = expected();

    private static Map<String, Object> expected() {
        Map<String, Object> table = new LinkedHashMap<>();
        List.of("signIn", "passkeySignInOptions", "signInWithPasskey", "getMetrics", "getOpenApi")
                .forEach(id -> table.put(id, "open"));
        List.of(
                        "getSession",
                        "signOut",
                        "confirm",
                        "setPassphrase",
                        "getKillSwitch",
                        "listServers",
                        "passkeyConfirmOptions",
                        "confirmWithPasskey",
                        "listPasskeys",
                        "passkeyOptions",
                        "addPasskey",
                        "removePasskey")
                .forEach(id -> table.put(id, "person"));
        List.of("listSecrets", "getSecret").forEach(id -> table.put(id, Right.LIST_SECRETS));
        List.of("putSecret", "deleteSecret").forEach(id -> table.put(id, Right.WRITE_OWN_SECRETS));
        List.of("listApprovals", "getApproval", "listGrants").forEach(id -> table.put(id, Right.SEE_APPROVALS));
        List.of("approve", "deny").forEach(id -> table.put(id, Right.DECIDE_APPROVALS));
        table.put("revokeGrant", Right.REVOKE_GRANTS);
        List.of("listAgents", "addAgent", "rotateAgentKey", "revokeAgent")
                .forEach(id -> table.put(id, Right.MANAGE_AGENTS));
        List.of("getPolicy", "checkPolicy", "listPolicyRevisions", "getPolicyRevision")
                .forEach(id -> table.put(id, Right.READ_POLICY));
        table.put("applyPolicy", Right.APPLY_POLICY);
        table.put("engageKillSwitch", Right.ENGAGE_KILL_SWITCH);
        table.put("releaseKillSwitch", Right.RELEASE_KILL_SWITCH);
        List.of("searchLedger", "exportLedger", "verifyLedger", "getCall")
                .forEach(id -> table.put(id, Right.READ_LEDGER));
        List.of("listPeople", "invitePerson", "changePerson", "linkPerson", "removePerson")
                .forEach(id -> table.put(id, Right.MANAGE_PEOPLE));
        List.of("listTools", "callTool").forEach(id -> table.put(id, Right.CALL_TOOLS));
        List.of("askServer", "listChangedDefinitions", "acceptDefinition")
                .forEach(id -> table.put(id, Right.ACCEPT_DEFINITIONS));
        List.of("serverLogin", "signInAtServer", "signOutOfServer").forEach(id -> table.put(id, Right.MANAGE_SERVERS));
        table.put("rotateKey", Right.WRITE_ALL_SECRETS);
        return table;
    }

    @Test
    @DisplayName("A1, A2: every route for every role")
    void everyRouteForEveryRole() throws Exception {
        Map<String, HttpClientSide> callers = new LinkedHashMap<>();
        callers.put("nobody", nobody);
        callers.put("agent", agent);
        callers.put("member", member);
        callers.put("approver", approver);
        List<String> wrong = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        forEachOperation((method, path, id) -> {
            @Nullable Object expected = EXPECTED.get(id);
            if (expected == null) {
                unknown.add(id);
                return;
            }
            for (Map.Entry<String, HttpClientSide> caller : callers.entrySet()) {
                if (id.equals("signOut") || id.equals("signIn")) {
                    continue; // would end the sessions that the rest needs; SignInTest tells
                }
                boolean may = may(expected, caller.getKey());
                int status = caller.getValue()
                        .send(method, path, method.equals("GET") ? "" : "[]")
                        .statusCode();
                boolean refused = status == 401 || status == 403;
                if (may == refused) {
                    wrong.add(caller.getKey() + " " + id + " " + status);
                }
            }
        });
        assertThat(unknown).as("routes whose access nobody wrote down here").isEmpty();
        assertThat(wrong).isEmpty();
    }

    private static boolean may(Object expected, String caller) {
        return switch (expected) {
            case Right right -> !caller.equals("nobody") && Role.parse(caller).may(right);
            case String open when open.equals("open") -> true;
            default -> !caller.equals("nobody") && !caller.equals("agent");
        };
    }

    private interface Operation {
        void visit(String method, String path, String id) throws Exception;
    }

    private void forEachOperation(Operation operation) throws Exception {
        forEachTemplate((method, template, id) ->
                operation.visit(method, template.replaceAll("\\{[^}]+}", "nothing-of-this-name"), id));
    }

    private void forEachTemplate(Operation operation) throws Exception {
        List<String[]> operations = new ArrayList<>();
        requireNonNull(json(nobody.get("/openapi.json")).member("paths"))
                .forEachMember((path, methods) ->
                        methods.forEachMember((method, description) -> operations.add(new String[] {
                            method.string().toUpperCase(Locale.ROOT),
                            path.string(),
                            String.valueOf(description.string("operationId"))
                        })));
        for (String[] each : operations) {
            if (!each[1].startsWith("/api/vault/presign")
                    && !each[1].startsWith("/api/vault/links")
                    && !each[1].startsWith("/api/vault/otl")) {
                operation.visit(each[0], each[1], each[2]);
            }
        }
    }

    @Test
    @DisplayName("V1: nothing that the API answers to anyone holds a value in any form")
    void noAnswerHoldsAValue() throws Exception {
        admin.send("PUT", "/api/vault/secrets/planted", body(VALUE));
        String arguments = "{\"text\":\"{{vault:planted}}\"}";
        agent.send("POST", "/api/tools/playground__echo", arguments);
        for (JsonValue waiting : elements(admin.get("/api/approvals"), "approvals")) {
            admin.send("POST", "/api/approvals/" + waiting.string("id") + "/approve", "{\"grant\":{\"seconds\":600}}");
        }
        agent.send("POST", "/api/tools/playground__echo", arguments);
        // What an agent or a person wrote in the clear is not a secret of the vault's, and what they sent is not
        // echoed.
        agent.send("POST", "/api/tools/playground__echo", "{\"text\":" + JsonStrings.quote(VALUE) + "}");
        admin.send("PUT", "/api/vault/secrets/NOT%20A%20NAME", body(VALUE));
        admin.send("PUT", "/api/vault/secrets/planted", "{\"value\":[" + JsonStrings.quote(VALUE) + "]}");

        admin.send("PUT", "/api/policy", "{}");
        admin.send("PUT", "/api/vault/secrets/planted-too", body(VALUE));
        agent.send("POST", "/api/tools/playground__echo", "{\"text\":\"{{vault:planted-too}}\"}");
        String waiting =
                elements(admin.get("/api/approvals"), "approvals").getFirst().string("id");
        String call = elements(admin.get("/api/ledger"), "entries").getFirst().string("id");
        Map<String, String> real = Map.of(
                "/api/vault/secrets/{name}", "planted",
                "/api/servers/{name}", "playground",
                "/api/servers/{name}/login", "nothing",
                "/api/approvals/{id}", String.valueOf(waiting),
                "/api/ledger/{id}", String.valueOf(call),
                "/api/policy/revisions/{revision}", "1");
        List<HttpClientSide> callers = List.of(nobody, agent, member, approver, admin);
        List<String> nowhere = new ArrayList<>();
        requireNonNull(json(nobody.get("/openapi.json")).member("paths")).forEachMember((path, methods) -> {
            if (methods.member("get") != null && path.string().contains("{") && !real.containsKey(path.string())) {
                nowhere.add(path.string());
            }
        });
        assertThat(nowhere).as("routes for which nothing real is asked").isEmpty();
        forEachTemplate((method, template, id) -> {
            if (method.equals("GET")) {
                String path = template.replaceAll("\\{[^}]+}", real.getOrDefault(template, "nothing"));
                for (HttpClientSide caller : callers) {
                    int status = caller.get(path).statusCode();
                    assertThat(caller == admin && status >= 400 && status != 403 && !path.contains("/nothing"))
                            .as("%s %s", path, status)
                            .isFalse();
                }
            }
        });
        for (HttpClientSide caller : callers) {
            caller.get("/api/vault/secrets/planted");
            for (String page : List.of("/", "/vault", "/ledger", "/approvals", "/account")) {
                caller.get(page, "Accept", "text/html");
            }
        }
        admin.send("POST", "/api/approvals/" + waiting + "/deny", "{}");
        LeakFinder finder = new LeakFinder(List.of(VALUE), List.of());
        for (HttpClientSide caller : callers) {
            for (String line : new String(caller.received(), StandardCharsets.UTF_8).split("\n", -1)) {
                assertThat(finder.inText(line.getBytes(StandardCharsets.UTF_8))).isEmpty();
                assertThat(finder.inJson(line.getBytes(StandardCharsets.UTF_8))).isEmpty();
            }
        }
        assertThat(gateway.standardError()).doesNotContain(VALUE);
    }

    @Test
    @DisplayName("The OpenAPI document is one to its users' tools, and describes each operation once")
    void theOpenApiDocumentIsOne() throws Exception {
        SwaggerParseResult read =
                new OpenAPIV3Parser().readContents(nobody.get("/openapi.json").body());
        assertThat(read.getMessages()).isEmpty();
        assertThat(read.getOpenAPI().getPaths())
                .containsKeys("/api/vault/secrets/{name}", "/api/tools/{tool}", "/metrics");
        List<String> ids = new ArrayList<>();
        forEachOperation((method, path, id) -> ids.add(id));
        assertThat(ids).doesNotHaveDuplicates().doesNotContain("null");
    }
}
