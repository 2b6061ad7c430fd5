package dev.postern.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** What another parser reads in a text. */
public final class JacksonOracle {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100_000).build())
            .build();

    private JacksonOracle() {}

    /**
     * One step through a text.
     *
     * @param kind the other parser's name for it
     * @param pointer where it stands, as a JSON Pointer
     * @param text decoded if it is a string or a name, else as spelt
     */
    public record Step(String kind, String pointer, String text) {
        public boolean isName() {
            return kind.equals("PROPERTY_NAME");
        }

        public boolean isString() {
            return kind.equals("VALUE_STRING");
        }
    }

    /** Whether these bytes are UTF-8 and one JSON value. */
    public static boolean accepts(byte[] text) {
        try {
            read(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString());
            return true;
        } catch (CharacterCodingException | JacksonException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Every token of a text. */
    public static List<Step> read(String text) {
        List<Step> steps = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (depth == 0 && !steps.isEmpty()) {
                    throw new IllegalArgumentException("more than one value");
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                String pointer = parser.streamReadContext().pathAsPointer().toString();
                steps.add(new Step(token.name(), pointer, parser.getString()));
            }
        }
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("no value");
        }
        return steps;
    }
}
