package dev.postern.app.config;

import dev.postern.gate.detect.DetectionModes;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.catalog.OwnTool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one server's object. Members it does not know belong to other clients and are passed over. */
final class ServerReader {
    private static final int MAX_NAME_LENGTH = 32;

    private final ConfigFile file;
    private final Variables variables;
    private final String pointer;
    private final DetectionModes detect;

    /** @param detect the gateway's modes */
    ServerReader(ConfigFile file, Variables variables, String pointer, DetectionModes detect) {
        this.file = file;
        this.variables = variables;
        this.pointer = pointer;
        this.detect = detect;
    }

    /** Null if the server is disabled. */
    @Nullable
    ConfiguredServer read(String name, JsonValue token, JsonValue definition) {
        if (!isName(name)) {
            throw wrong(
                    token,
                    "",
                    "a server's name is 1 to 32 of letters, digits, '.', '-' and single '_'; rename it, because tools are"
                            + " called server__tool");
        }
        if (name.equals(OwnTool.SERVER)) {
            throw wrong(
                    token,
                    "",
                    "'" + OwnTool.SERVER + "' is the server of Postern's own tools; give this one another name");
        }
        if (!definition.is(Kind.OBJECT)) {
            throw wrong(definition, "", "this is not an object with \"command\" or \"url\"");
        }
        JsonValue disabled = definition.member("disabled");
        if (disabled != null && disabled.is(Kind.TRUE)) {
            return null;
        }
        JsonValue command = definition.member("command");
        JsonValue url = definition.member("url");
        if ((command == null) == (url == null)) {
            throw wrong(
                    definition,
                    "",
                    command == null
                            ? "a server needs \"command\" (with \"args\") or \"url\""
                            : "\"command\" and \"url\" exclude each other; keep one");
        }
        checkType(definition, url != null);
        ConfiguredServer.Launch launch = command != null
                ? new ConfiguredServer.Command(
                        setting(command, "/command"),
                        settings(definition, "args"),
                        settingsByName(definition, "env"),
                        directory(definition))
                : new ConfiguredServer.Url(setting(present(url), "/url"), settingsByName(definition, "headers"));
        return new ConfiguredServer(
                name,
                launch,
                timeout(definition),
                new DetectionReader(file, pointer).server(definition, detect),
                new DestinationReader(file, pointer).server(definition));
    }

    private static JsonValue present(@Nullable JsonValue value) {
        if (value == null) {
            throw new IllegalStateException("checked above");
        }
        return value;
    }

    private void checkType(JsonValue definition, boolean url) {
        JsonValue type = definition.member("type");
        if (type == null) {
            return;
        }
        String text = type.is(Kind.STRING) ? type.string() : "";
        boolean fits = switch (text) {
            case "stdio" -> !url;
            // The deprecated one is found out by itself.
            case "http", "streamable-http", "streamableHttp", "sse" -> url;
            default -> false;
        };
        if (!fits) {
            throw wrong(
                    type,
                    "/type",
                    "the type is \"stdio\" with a command or \"http\" with a url; correct it or leave it out");
        }
    }

    private Duration timeout(JsonValue definition) {
        JsonValue timeout = definition.member("timeout");
        if (timeout == null) {
            return ConfiguredServer.DEFAULT_TIMEOUT;
        }
        try {
            long milliseconds = Long.parseLong(timeout.spelling());
            if (milliseconds > 0) {
                return Duration.ofMillis(milliseconds);
            }
        } catch (NumberFormatException e) {
            // Said below, in the same words as for a number that is too small.
        }
        throw wrong(timeout, "/timeout", "the timeout is a whole number of milliseconds above 0");
    }

    private @Nullable Path directory(JsonValue definition) {
        JsonValue directory = definition.member("cwd");
        if (directory == null) {
            return null;
        }
        Path base = file.path().toAbsolutePath().getParent();
        String text = setting(directory, "/cwd").text();
        return base == null ? Path.of(text) : base.resolve(text);
    }

    private List<Setting> settings(JsonValue definition, String member) {
        List<Setting> settings = new ArrayList<>();
        JsonValue array = definition.member(member);
        if (array != null) {
            if (!array.is(Kind.ARRAY)) {
                throw wrong(array, "/" + member, "this is not an array of strings");
            }
            for (JsonValue element : array.elements()) {
                settings.add(setting(element, "/" + member + "/" + settings.size()));
            }
        }
        return settings;
    }

    private Map<String, Setting> settingsByName(JsonValue definition, String member) {
        Map<String, Setting> settings = new LinkedHashMap<>();
        JsonValue object = definition.member(member);
        if (object != null) {
            if (!object.is(Kind.OBJECT)) {
                throw wrong(object, "/" + member, "this is not an object of strings");
            }
            object.forEachMember(
                    (name, value) -> settings.put(name.string(), setting(value, "/" + member + "/" + name.string())));
        }
        return settings;
    }

    private Setting setting(JsonValue value, String below) {
        String place = file.place(value, pointer + below);
        return switch (value.kind()) {
            case STRING -> new Setting(variables.expand(value.string(), place), place);
            // People write ports and flags without quotes; an environment knows only text.
            case NUMBER, TRUE, FALSE -> new Setting(value.spelling(), place);
            case OBJECT, ARRAY, NULL -> throw wrong(value, below, "this is not a string");
        };
    }

    private ConfigException wrong(JsonValue at, String below, String what) {
        return new ConfigException(file.place(at, pointer + below) + ": " + what + ".");
    }

    static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_NAME_LENGTH
                && !name.contains("__")
                && !name.startsWith("_")
                && !name.endsWith("_")
                && name.chars()
                        .allMatch(c -> (c < 0x80 && Character.isLetterOrDigit(c)) || c == '.' || c == '-' || c == '_');
    }
}
