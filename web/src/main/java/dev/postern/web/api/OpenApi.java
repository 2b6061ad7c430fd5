package dev.postern.web.api;

import dev.postern.gate.agent.Role;
import dev.postern.json.JsonWriter;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code /openapi.json}: the OpenAPI 3.1 document of every route that describes itself, made when it is first asked for. */
public final class OpenApi {
    private static final Pattern VARIABLE = Pattern.compile("\\{([^}]+)}");
    private static final Schema PROBLEM = Schema.object()
            .with("type", Schema.text("A URN that ends in the code."))
            .with("title", Schema.text("The status in words."))
            .with("status", Schema.number("The HTTP status."))
            .with("code", Schema.text("Stable: what programs look at."))
            .with("detail", Schema.text("What happened, and what to do next."));

    private final Supplier<List<Route>> routes;
    private final String version;
    private volatile byte @Nullable [] document;

    /**
     * A document of routes.
     *
     * @param routes known only once all are made, this one's own among them
     */
    public OpenApi(Supplier<List<Route>> routes, String version) {
        this.routes = routes;
        this.version = version;
    }

    /** The route that serves it. */
    public Route route() {
        return new Route(
                "GET",
                "/openapi.json",
                Access.OPEN,
                this::serve,
                RouteDoc.of("Operation", "getOpenApi", "This document").answers(Schema.any("OpenAPI 3.1.")));
    }

    private Reply serve(Request request) {
        byte[] made = document;
        if (made == null) {
            made = JsonWriter.write(document(routes.get()));
            document = made;
        }
        return Reply.bytes(200, "application/json", made).tagged(request);
    }

    private Map<String, Object> document(List<Route> all) {
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        for (Route route : all) {
            RouteDoc doc = route.doc();
            if (doc != null) {
                paths.computeIfAbsent(route.template(), path -> new LinkedHashMap<>())
                        .put(route.method().toLowerCase(Locale.ROOT), operation(route, doc));
            }
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put(
                "info",
                Map.of(
                        "title",
                        "Postern",
                        "version",
                        version,
                        "description",
                        "Lets an AI agent use a secret that it can never read. No answer holds a secret's value.",
                        "license",
                        Map.of("name", "Apache-2.0", "identifier", "Apache-2.0")));
        document.put("servers", List.of(Map.of("url", "/")));
        document.put("paths", paths);
        document.put("components", components());
        return document;
    }

    private static Map<String, Object> components() {
        Map<String, Object> schemes = new LinkedHashMap<>();
        schemes.put("agentKey", Map.of("type", "http", "scheme", "bearer", "description", "An agent's key."));
        schemes.put(
                "session",
                Map.of(
                        "type", "apiKey",
                        "in", "cookie",
                        "name", "postern_7437",
                        "description",
                                "A person's session; the name ends in the gateway's port. Writes also carry csrfToken."));
        schemes.put(
                "csrfToken",
                Map.of(
                        "type",
                        "apiKey",
                        "in",
                        "header",
                        "name",
                        "X-CSRF-Token",
                        "description",
                        "As GET /api/session gives it."));
        Map<String, Object> components = new LinkedHashMap<>();
        components.put("securitySchemes", schemes);
        components.put("schemas", Map.of("Problem", PROBLEM.document()));
        return components;
    }

    private static Map<String, Object> operation(Route route, RouteDoc doc) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", doc.id());
        operation.put("summary", doc.summary());
        operation.put("tags", List.of(doc.tag()));
        operation.put("security", security(route));
        List<Object> parameters = parameters(route, doc);
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        Schema body = doc.body();
        if (body != null) {
            operation.put("requestBody", Map.of("content", content("application/json", body.document())));
        }
        operation.put("responses", responses(route, doc));
        return operation;
    }

    /** What proves who calls: any one of the list. */
    private static List<Object> security(Route route) {
        boolean write = !route.method().equals("GET");
        Map<String, Object> person = new LinkedHashMap<>();
        person.put("session", List.of());
        if (write) {
            person.put("csrfToken", List.of());
        }
        Map<String, Object> agent = Map.of("agentKey", List.of());
        return switch (route.access()) {
            case Access.Open _ -> List.of();
            case Access.AnyCaller _ -> List.of(agent, person);
            case Access.AnyPerson _ -> List.of(person);
            case Access.Needs(var right) -> {
                List<Object> either = new ArrayList<>();
                if (Role.AGENT.may(right)) {
                    either.add(agent);
                }
                if (Role.ADMIN.may(right)) {
                    either.add(person);
                }
                yield either;
            }
        };
    }

    private static List<Object> parameters(Route route, RouteDoc doc) {
        List<Object> parameters = new ArrayList<>();
        Matcher variable = VARIABLE.matcher(route.template());
        while (variable.find()) {
            parameters.add(parameter(variable.group(1), "path", Map.of("type", "string")));
        }
        for (RouteDoc.Query query : doc.queries()) {
            parameters.add(parameter(query.name(), "query", query.schema().document()));
        }
        return parameters;
    }

    private static Map<String, Object> parameter(String name, String in, Map<String, Object> schema) {
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("name", name);
        parameter.put("in", in);
        parameter.put("required", in.equals("path"));
        parameter.put("schema", schema);
        return parameter;
    }

    private static Map<String, Object> responses(Route route, RouteDoc doc) {
        Map<String, Object> responses = new TreeMap<>();
        Schema answer = doc.answer();
        responses.put(
                Integer.toString(doc.status()),
                answer == null
                        ? Map.of("description", "Done.")
                        : Map.of("description", "Done.", "content", content(doc.contentType(), answer.document())));
        List<String> codes = new ArrayList<>();
        if (!(route.access() instanceof Access.Open)) {
            codes.add("401 UNAUTHENTICATED");
            codes.add("403 FORBIDDEN");
            codes.add("403 PORTAL_SESSION_REQUIRED");
        }
        if (doc.body() != null) {
            codes.add("400 INVALID_REQUEST");
        }
        codes.addAll(doc.problems());
        Map<String, List<String>> byStatus = new TreeMap<>();
        for (String code : codes) {
            byStatus.computeIfAbsent(code.substring(0, 3), status -> new ArrayList<>())
                    .add(code.substring(4));
        }
        byStatus.forEach((status, names) -> responses.put(
                status,
                Map.of(
                        "description",
                        String.join(", ", names),
                        "content",
                        content("application/problem+json", Map.of("$ref", "#/components/schemas/Problem")))));
        return responses;
    }

    private static Map<String, Object> content(String type, Map<String, Object> schema) {
        return Map.of(type, Map.of("schema", schema));
    }
}
