package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R8, S11: a call without references and its answer are the same bytes on both sides, however odd. */
class PlainCallTest {
    private static final String ODD_ARGUMENTS =
            "{ \"n\" : 1.10,\"big\":1e400 ,\"zero\":-0.0, \"dup\":1,\"dup\":\"two\",\"esc\":\"\\u0041\\/\\ud83d\\ude00 \\t\","
                    + "\"brace\":\"{{ vault }} {{vaults:x}}\",\"deep\":[[[{\"a\":null}]]],\"\":true  }";

    @TempDir
    private Path data = Path.of("");

    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    void everyByteArrivesAsItWasSentInBothDirections(Agent.Era era) throws Exception {
        String option = era == Agent.Era.MODERN ? "--era=modern" : "--era=legacy";
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command(option)));
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = era.connect(gateway)) {
            gateway.addSecret("db", "a value that is not in this call");
            JsonValue mirrored = agent.call("s__mirror", ODD_ARGUMENTS);
            assertThat(Json.at(mirrored, "seen", "arguments").spelling()).isEqualTo(ODD_ARGUMENTS);

            String result =
                    "{\"resultType\":\"complete\", \"content\" : [ {\"type\":\"text\",\"text\":\"\\u00e9\\/\"} ],"
                            + "\"isError\":false,\"x\":1E+2,\"x\":0.10,\"new\":{\"kind\":[1e999]} }";
            String message = "{\"jsonrpc\":\"2.0\", \"id\":$ID ,\"result\":" + result + "}";
            JsonValue said = agent.call("s__say", "{\"text\":" + JsonStrings.quote(message) + "}");
            assertThat(said.spelling()).isEqualTo(result);
        }
    }
}
