package dev.postern.app.config;

import dev.postern.gate.vault.ArgumentPath;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads which arguments of a server's tools say where they lead (P9): {@code "destinationArguments": {"fetch": "url", "relay":
 * ["request/url", "proxy"], "write_file": []}}.
 */
final class DestinationReader {
    private static final String MEMBER = "destinationArguments";

    private final ConfigFile file;
    private final String pointer;

    /** @param pointer where the server's object stands */
    DestinationReader(ConfigFile file, String pointer) {
        this.file = file;
        this.pointer = pointer + "/" + MEMBER;
    }

    /** By tool, as its server names it; empty where the server's object says nothing. */
    Map<String, List<ArgumentPath>> server(JsonValue definition) {
        JsonValue tools = definition.member(MEMBER);
        if (tools == null) {
            return Map.of();
        }
        if (!tools.is(Kind.OBJECT)) {
            throw wrong(tools, "", "this is not an object of arguments by tool");
        }
        Map<String, List<ArgumentPath>> byTool = new LinkedHashMap<>();
        tools.forEachMember((name, value) -> {
            String tool = name.string();
            String below = "/" + tool;
            if (tool.isEmpty()) {
                throw wrong(name, below, "a tool has no name; write it as its server names it");
            }
            if (byTool.put(tool, arguments(value, below)) != null) {
                throw wrong(name, below, "this tool is there twice; name all its arguments in one array");
            }
        });
        return byTool;
    }

    private List<ArgumentPath> arguments(JsonValue value, String below) {
        if (!value.is(Kind.ARRAY)) {
            return List.of(argument(value, below));
        }
        List<ArgumentPath> arguments = new ArrayList<>();
        for (JsonValue element : value.elements()) {
            arguments.add(argument(element, below + "/" + arguments.size()));
        }
        return List.copyOf(arguments);
    }

    private ArgumentPath argument(JsonValue value, String below) {
        try {
            if (value.is(Kind.STRING)) {
                return ArgumentPath.parse(value.string());
            }
        } catch (IllegalArgumentException e) {
            // Said below, as for what is no text.
        }
        throw wrong(
                value,
                below,
                "this is no argument; write its name, such as \"url\" or \"request/url\", or [] for a tool that leads nowhere");
    }

    private ConfigException wrong(JsonValue at, String below, String what) {
        return new ConfigException(file.place(at, pointer + below) + ": " + what + ".");
    }
}
