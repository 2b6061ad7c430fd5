package dev.postern.web.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the OpenAPI document says of a route; what every route has in common, such as 401 and 403, it knows by itself.
 *
 * @param tag the heading it stands under
 * @param id the operation's name in generated clients
 * @param summary one line
 * @param queries the query parameters
 * @param body what is sent, or null
 * @param status what a request that was granted answers with
 * @param answer what comes back then, or null for nothing
 * @param contentType of the answer
 * @param problems stable codes that are this route's own, as {@code 404 SECRET_NOT_FOUND}
 */
public record RouteDoc(
        String tag,
        String id,
        String summary,
        List<Query> queries,
        @Nullable Schema body,
        int status,
        @Nullable Schema answer,
        String contentType,
        List<String> problems) {
    /** A query parameter; none has to be there. */
    public record Query(String name, Schema schema) {}

    /** One that takes and answers nothing, to be built on. */
    public static RouteDoc of(String tag, String id, String summary) {
        return new RouteDoc(tag, id, summary, List.of(), null, 204, null, "application/json", List.of());
    }

    public RouteDoc query(String name, Schema schema) {
        List<Query> more = new ArrayList<>(queries);
        more.add(new Query(name, schema));
        return new RouteDoc(tag, id, summary, List.copyOf(more), body, status, answer, contentType, problems);
    }

    public RouteDoc takes(Schema sent) {
        return new RouteDoc(tag, id, summary, queries, sent, status, answer, contentType, problems);
    }

    /** Answers 200 with JSON. */
    public RouteDoc answers(Schema document) {
        return answers(200, "application/json", document);
    }

    public RouteDoc answers(int with, String type, Schema document) {
        return new RouteDoc(tag, id, summary, queries, body, with, document, type, problems);
    }

    /** Codes of its own, each after its status. */
    public RouteDoc refuses(String... codes) {
        return new RouteDoc(tag, id, summary, queries, body, status, answer, contentType, List.of(codes));
    }
}
