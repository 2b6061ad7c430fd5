package dev.postern.app.config;

import dev.postern.gate.detect.DetectionMode;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@code detect} member: a mode for both directions, or an object with one for each (D6). What it leaves out is as
 * in the gateway's own.
 */
final class DetectionReader {
    private static final String RULES = "rules";
    private static final Set<String> DIRECTIONS = Set.of("arguments", "results");

    private final ConfigFile file;
    private final String pointer;

    /** @param pointer where the object that has the member stands */
    DetectionReader(ConfigFile file, String pointer) {
        this.file = file;
        this.pointer = pointer + "/detect";
    }

    /** A server's modes. */
    DetectionModes server(JsonValue definition, DetectionModes otherwise) {
        return modes(definition.member("detect"), otherwise, false);
    }

    /** The gateway's modes, for servers that say nothing and for its own tools. */
    DetectionModes gateway(JsonValue root) {
        return modes(root.member("detect"), DetectionModes.DEFAULTS, true);
    }

    /** The rule file that the gateway's object names; null if it names none. */
    @Nullable
    JsonValue rules(JsonValue root) {
        JsonValue rules = root.path("detect", RULES);
        if (rules != null && !rules.is(Kind.STRING)) {
            throw wrong(rules, "/" + RULES, "this is not the name of a rule file");
        }
        return rules;
    }

    private DetectionModes modes(@Nullable JsonValue detect, DetectionModes otherwise, boolean mayHaveRules) {
        if (detect == null) {
            return otherwise;
        }
        return switch (detect.kind()) {
            case STRING -> {
                DetectionMode mode = mode(detect, "");
                yield new DetectionModes(mode, mode);
            }
            case OBJECT -> {
                detect.forEachMember((name, value) -> {
                    String member = name.string();
                    if (!DIRECTIONS.contains(member) && !(mayHaveRules && member.equals(RULES))) {
                        throw wrong(
                                name,
                                "",
                                mayHaveRules
                                        ? "it has \"arguments\", \"results\" and \"rules\"; correct or remove the member"
                                        : "it has \"arguments\" and \"results\"; correct or remove the member"
                                                + (member.equals(RULES) ? ", rules are the whole gateway's" : ""));
                    }
                });
                yield new DetectionModes(
                        mode(detect, "arguments", otherwise.arguments()), mode(detect, "results", otherwise.results()));
            }
            case ARRAY, NUMBER, TRUE, FALSE, NULL ->
                throw wrong(detect, "", "this is neither a mode nor an object with \"arguments\" and \"results\"");
        };
    }

    private DetectionMode mode(JsonValue detect, String direction, DetectionMode otherwise) {
        JsonValue mode = detect.member(direction);
        return mode == null ? otherwise : mode(mode, "/" + direction);
    }

    private DetectionMode mode(JsonValue mode, String below) {
        try {
            return DetectionMode.parse(mode.is(Kind.STRING) ? mode.string() : "");
        } catch (IllegalArgumentException e) {
            throw wrong(mode, below, String.valueOf(e.getMessage()));
        }
    }

    private ConfigException wrong(JsonValue at, String below, String what) {
        return new ConfigException(file.place(at, pointer + below) + ": " + what + ".");
    }
}
