package dev.postern.mcp.catalog;

import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vaults;
import dev.postern.json.JsonWriter;
import dev.postern.reference.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code vault_list}: which secrets there are and how to refer to them; never a value (V1, V3). */
public final class VaultList implements OwnTool {
    private static final byte[] DEFINITION = """
            {"name":"vault_list","title":"List secrets","description":"Lists the secrets you can use without seeing them: \
            name, description and the fields each one has. To use one, write a reference where the value would go, \
            anywhere inside a string argument of any tool: {{vault:NAME}} for the value, {{vault:NAME#username}} or \
            {{vault:NAME#notes}} for another field, and filters to fit it in: {{vault:NAME|uri}}, |base64, |json, |shell, \
            |basic (base64 of username:password). A person approves the call, the tool receives the real value, and you \
            see the reference again in its answer. Never ask a person to paste a secret into the conversation, and never \
            print a redeemed link.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},\
            "annotations":{"readOnlyHint":true,"openWorldHint":false}}""".getBytes(StandardCharsets.UTF_8);

    private final Vaults vaults;

    public VaultList(Vaults vaults) {
        this.vaults = vaults;
    }

    @Override
    public String name() {
        return "vault_list";
    }

    @Override
    public byte[] definition() {
        return DEFINITION.clone();
    }

    @Override
    public byte[] call(OwnCall call) {
        List<Map<String, Object>> secrets = new ArrayList<>();
        for (SecretRecord secret : vaults.of(call.caller()).list()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("name", secret.name());
            if (secret.description() != null) {
                line.put("description", secret.description());
            }
            line.put(
                    "fields",
                    secret.fields().stream().sorted().map(Field::label).toList());
            secrets.add(line);
        }
        return OwnTools.text(new String(JsonWriter.write(Map.of("secrets", secrets)), StandardCharsets.UTF_8), false);
    }
}
