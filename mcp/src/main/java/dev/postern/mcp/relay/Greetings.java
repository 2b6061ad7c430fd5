package dev.postern.mcp.relay;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.json.Splice;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told first: {@code initialize} and {@code server/discover} results. On {@code /mcp/SERVER} the
 * server's own, whichever era it greets in; on {@code /mcp} ours, which promises what any server may offer.
 */
final class Greetings {
    private static final String INSTRUCTIONS = """
            These tools come from several servers; their names are SERVER__TOOL. You can use secrets that you cannot see: \
            vault_list and secret_search show which there are. Write {{vault:NAME}} or {{secret:ID}} inside a string \
            argument, where the value would go. A person may have to approve the call; then the tool receives the value, \
            and you see the reference again in whatever comes back. If a call answers APPROVAL_PENDING, send the same call \
            again.""";

    /** Which tools take part, each tool says itself. */
    private static final Map<String, Object> TASKS =
            Map.of("list", Map.of(), "cancel", Map.of(), "requests", Map.of("tools", Map.of("call", Map.of())));

    private Greetings() {}

    /** An {@code initialize} result for all servers. */
    static byte[] ours(String version) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("protocolVersion", version);
        Map<String, Object> capabilities = capabilities(true);
        if (version.equals(ProtocolVersion.LEGACY)) {
            capabilities.put("tasks", TASKS);
        }
        result.put("capabilities", capabilities);
        result.put("serverInfo", info());
        result.put("instructions", INSTRUCTIONS);
        return JsonWriter.write(result);
    }

    /** A {@code server/discover} result for all servers. */
    static byte[] oursModern() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("supportedVersions", supported());
        Map<String, Object> capabilities = capabilities(false);
        capabilities.put("extensions", Map.of(SubscriptionFilter.TASKS, Map.of()));
        result.put("capabilities", capabilities);
        result.put("instructions", INSTRUCTIONS);
        result.put(MetaKeys.META, Map.of(MetaKeys.SERVER_INFO, info()));
        return JsonWriter.write(result);
    }

    /** A server's greeting, in whichever era it was given, as an {@code initialize} result of this revision. */
    static byte[] legacy(JsonValue greeting, String server, String version) {
        JsonValue spoken = greeting.member("protocolVersion");
        if (spoken != null) {
            byte[] bytes = greeting.bytes();
            int from = greeting.start();
            return new Splice(bytes)
                    .replace(spoken.start() - from, spoken.end() - from, quoted(version))
                    .apply();
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("protocolVersion", version);
        result.put("capabilities", present(greeting.member("capabilities"), Map.of()));
        result.put(
                "serverInfo",
                present(
                        greeting.path(MetaKeys.META, MetaKeys.SERVER_INFO),
                        Map.of("name", server, "version", "unknown")));
        copy(greeting, "instructions", result);
        copy(greeting, MetaKeys.META, result);
        return JsonWriter.write(result);
    }

    /** A server's greeting, in whichever era it was given, as a {@code server/discover} result. */
    static byte[] modern(JsonValue greeting) {
        JsonValue versions = greeting.member("supportedVersions");
        if (versions != null) {
            byte[] bytes = greeting.bytes();
            int from = greeting.start();
            return new Splice(bytes)
                    .replace(versions.start() - from, versions.end() - from, JsonWriter.write(supported()))
                    .apply();
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("supportedVersions", supported());
        result.put("capabilities", present(greeting.member("capabilities"), Map.of()));
        copy(greeting, "instructions", result);
        JsonValue info = greeting.member("serverInfo");
        if (info != null) {
            result.put(MetaKeys.META, Map.of(MetaKeys.SERVER_INFO, info));
        }
        return JsonWriter.write(result);
    }

    /** The revisions an agent may speak, newest first. */
    static List<String> supported() {
        List<String> versions = new ArrayList<>(ProtocolVersion.of(Era.MODERN));
        versions.addAll(legacyVersions());
        return versions;
    }

    static List<String> legacyVersions() {
        return ProtocolVersion.of(Era.LEGACY).stream()
                .filter(version -> !version.equals("2024-11-05"))
                .toList();
    }

    private static Map<String, Object> capabilities(boolean legacy) {
        Map<String, Object> capabilities = new LinkedHashMap<>();
        if (legacy) {
            capabilities.put("logging", Map.of());
        }
        capabilities.put("completions", Map.of());
        capabilities.put("prompts", Map.of("listChanged", true));
        Map<String, Object> resources = new LinkedHashMap<>();
        resources.put("subscribe", true);
        resources.put("listChanged", true);
        capabilities.put("resources", resources);
        capabilities.put("tools", Map.of("listChanged", true));
        return capabilities;
    }

    private static Map<String, Object> info() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("name", "postern");
        info.put("title", "Postern");
        info.put("version", version());
        return info;
    }

    private static String version() {
        String version = Greetings.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }

    private static Object present(@Nullable JsonValue value, Object otherwise) {
        return value == null ? otherwise : value;
    }

    private static void copy(JsonValue from, String name, Map<String, Object> to) {
        JsonValue value = from.member(name);
        if (value != null) {
            to.put(name, value);
        }
    }

    private static byte[] quoted(String text) {
        return JsonStrings.quote(text).getBytes(StandardCharsets.UTF_8);
    }
}
