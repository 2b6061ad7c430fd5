package dev.postern.mcp.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** What the fixture offers in both eras: definitions, and the content that the suites expect. */
final class Content {
    static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
    private static final String WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
    private static final Map<String, Object> CATALOG = catalog();

    private Content() {}

    private static Map<String, Object> catalog() {
        try (InputStream in = Content.class.getResourceAsStream("/conformance/catalog.json")) {
            return JSON.std.mapFrom(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new IllegalStateException("catalog.json cannot be read", e);
        }
    }

    /** The result of a list request; null where the method is none. */
    static @Nullable Map<String, Object> list(String method) {
        return switch (method) {
            case "tools/list" -> Map.of("tools", of("tools"));
            case "prompts/list" -> Map.of("prompts", of("prompts"));
            case "resources/list" -> Map.of("resources", of("resources"));
            case "resources/templates/list" -> Map.of("resourceTemplates", of("resourceTemplates"));
            default -> null;
        };
    }

    private static Object of(String list) {
        return Objects.requireNonNull(CATALOG.get(list));
    }

    static Map<String, Object> text(String text) {
        return Map.of("content", List.of(textBlock(text)));
    }

    static Map<String, Object> error(String text) {
        return Map.of("content", List.of(textBlock(text)), "isError", true);
    }

    static Map<String, Object> textBlock(String text) {
        return Map.of("type", "text", "text", text);
    }

    private static Map<String, Object> image() {
        return Map.of("type", "image", "data", PNG, "mimeType", "image/png");
    }

    private static Map<String, Object> resource(String uri, String type, String text) {
        return Map.of("type", "resource", "resource", Map.of("uri", uri, "mimeType", type, "text", text));
    }

    /** The result of a tool that only answers; null where the tool is none of those. */
    static @Nullable Map<String, Object> call(String tool) {
        return switch (tool) {
            case "test_simple_text" -> text("This is a simple text response for testing.");
            case "test_image_content" -> Map.of("content", List.of(image()));
            case "test_audio_content" ->
                Map.of("content", List.of(Map.of("type", "audio", "data", WAV, "mimeType", "audio/wav")));
            case "test_embedded_resource" ->
                Map.of(
                        "content",
                        List.of(resource(
                                "test://embedded-resource", "text/plain", "This is an embedded resource content.")));
            case "test_multiple_content_types" ->
                Map.of(
                        "content",
                        List.of(
                                textBlock("Multiple content types test:"),
                                image(),
                                resource(
                                        "test://mixed-content-resource",
                                        "application/json",
                                        "{\"test\":\"data\",\"value\":123}")));
            case "test_error_handling" -> error("This tool intentionally returns an error for testing");
            case "json_schema_2020_12_tool", "test_marked_parameter" -> text("done");
            default -> null;
        };
    }

    /** The result of {@code prompts/get}; null where there is no such prompt. */
    static @Nullable Map<String, Object> prompt(String name, Map<String, Object> arguments) {
        return switch (name) {
            case "test_simple_prompt" -> messages(List.of(textBlock("This is a simple prompt for testing.")));
            case "test_prompt_with_arguments" ->
                messages(List.of(textBlock("Prompt with arguments: arg1='" + arguments.get("arg1") + "', arg2='"
                        + arguments.get("arg2") + "'")));
            case "test_prompt_with_embedded_resource" ->
                messages(List.of(
                        resource(
                                String.valueOf(arguments.get("resourceUri")),
                                "text/plain",
                                "Embedded resource content for testing."),
                        textBlock("Please process the embedded resource above.")));
            case "test_prompt_with_image" -> messages(List.of(image(), textBlock("Please analyze the image above.")));
            default -> null;
        };
    }

    static Map<String, Object> messages(List<Map<String, Object>> contents) {
        return Map.of(
                "messages",
                contents.stream()
                        .map(content -> Map.of("role", "user", "content", content))
                        .toList());
    }

    /** The result of {@code resources/read}; null where there is no such resource. */
    static @Nullable Map<String, Object> read(String uri) {
        if (uri.startsWith("test://template/") && uri.endsWith("/data")) {
            String id = uri.substring("test://template/".length(), uri.length() - "/data".length());
            return contents(Map.of(
                    "uri",
                    uri,
                    "mimeType",
                    "application/json",
                    "text",
                    "{\"id\":\"" + id + "\",\"templateTest\":true,\"data\":\"Data for ID: " + id + "\"}"));
        }
        return switch (uri) {
            case "test://static-text" ->
                contents(Map.of(
                        "uri",
                        uri,
                        "mimeType",
                        "text/plain",
                        "text",
                        "This is the content of the static text resource."));
            case "test://static-binary" -> contents(Map.of("uri", uri, "mimeType", "image/png", "blob", PNG));
            case "test://watched-resource" -> contents(Map.of("uri", uri, "mimeType", "text/plain", "text", "watched"));
            default -> null;
        };
    }

    private static Map<String, Object> contents(Map<String, Object> content) {
        return Map.of("contents", List.of(content));
    }

    static Map<String, Object> completion() {
        return Map.of("completion", Map.of("values", List.of("paris", "park"), "total", 2, "hasMore", false));
    }

    /** An {@code elicitation/create} request's params. */
    static Map<String, Object> elicitation(String message, Map<String, Object> properties, String... required) {
        return Map.of(
                "message",
                message,
                "requestedSchema",
                Map.of("type", "object", "properties", properties, "required", List.of(required)));
    }

    /** A {@code sampling/createMessage} request's params. */
    static Map<String, Object> sampling(String prompt, int maxTokens) {
        return Map.of(
                "messages", List.of(Map.of("role", "user", "content", textBlock(prompt))), "maxTokens", maxTokens);
    }
}
