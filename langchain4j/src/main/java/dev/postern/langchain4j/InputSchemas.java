package dev.postern.langchain4j;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A tool's parameters as JSON Schema. */
final class InputSchemas {
    private InputSchemas() {}

    /** Null if the tool takes no parameters, or they cannot be written down. */
    static @Nullable String of(ToolSpecification specification) {
        if (specification.parameters() == null) {
            return null;
        }
        try {
            byte[] json = specification.toJson().getBytes(StandardCharsets.UTF_8);
            JsonValue schema = JsonValue.parse(json).member("parameters");
            return schema == null ? null : schema.spelling();
        } catch (JsonException e) {
            return null;
        }
    }
}
