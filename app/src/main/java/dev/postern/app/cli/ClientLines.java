package dev.postern.app.cli;

import dev.postern.json.JsonWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What to paste into the clients people use. */
final class ClientLines {
    private ClientLines() {}

    static void print(PrintWriter out, String mcp, String key) {
        String bearer = "Bearer " + key;
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("url", mcp);
        server.put("headers", Map.of("Authorization", bearer));
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("name", "postern");
        named.put("type", "http");
        named.putAll(server);
        out.println();
        out.println("  The first agent's key, shown only now: " + key);
        out.println("  Paste one of these:");
        out.println();
        out.println("  Claude Code, in a terminal:");
        out.println(
                "    claude mcp add --transport http postern " + mcp + " --header \"Authorization: " + bearer + "\"");
        out.println("  Cursor, in ~/.cursor/mcp.json:");
        out.println("    " + json(Map.of("mcpServers", Map.of("postern", server))));
        out.println("  VS Code, in a terminal:");
        out.println("    code --add-mcp '" + json(named) + "'");
    }

    private static String json(Object document) {
        return new String(JsonWriter.write(document), StandardCharsets.UTF_8);
    }
}
