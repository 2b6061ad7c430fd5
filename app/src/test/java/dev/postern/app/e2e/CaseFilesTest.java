package dev.postern.app.e2e;

import static dev.postern.app.e2e.PosternProcess.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.testkit.cases.MaskCase;
import dev.postern.testkit.cases.ScrubCase;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The case files hold on the command line as they do in the library, and commands end as scripts expect. */
class CaseFilesTest {
    @TempDir
    private Path data = Path.of("");

    /** S1 to S15 and S7: {@code postern scrub --batch}. */
    @Test
    void everyScrubCaseHoldsOnTheCommandLine() throws Exception {
        List<ScrubCase> cases =
                ScrubCase.all().stream().filter(each -> !each.text()).toList();
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        for (ScrubCase each : cases) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("input", each.input());
            line.put("secrets", documents(each.secrets()));
            line.put("remembered", documents(each.remembered()));
            input.writeBytes(JsonWriter.write(line));
            input.write('\n');
        }
        PosternProcess.Finished run = PosternProcess.run(data, input.toByteArray(), "scrub", "--batch");
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSameSizeAs(cases);
        List<String> complaints = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!holds(cases.get(i), JsonValue.parse(utf8(lines.get(i))))) {
                complaints.add(cases.get(i).name());
            }
        }
        assertThat(complaints).isEmpty();
    }

    /** D2 to D5: {@code postern redact}. One process a case would be slow, so the two that differ most stand for all. */
    @Test
    void maskCasesHoldOnTheCommandLine() throws Exception {
        List<MaskCase> cases = MaskCase.all();
        for (MaskCase each : List.of(cases.getFirst(), cases.getLast())) {
            PosternProcess.Finished run = PosternProcess.run(data, utf8(each.input()), "redact");
            assertThat(run.exitCode()).isZero();
            assertThat(each.complaints(run.out())).as(each.name()).isEmpty();
        }
    }

    /** {@code stop} ends well although whoever started the gateway never collects its exit code. */
    @Test
    void stopDoesNotWaitForWhoeverStartedTheGateway() throws Exception {
        List<String> up = PosternProcess.builder("up", "--json", "--port", "0", "--data", data.toString())
                .command();
        List<String> shell = new ArrayList<>(List.of("sh", "-c", "\"$@\" & exec sleep 300", "sh"));
        shell.addAll(up);
        Process parent = new ProcessBuilder(shell)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(parent.inputReader().readLine()).contains("\"ready\":true");
            PosternProcess.Finished stop = PosternProcess.run(data, "stop");
            assertThat(stop.exitCode()).as(stop.err()).isZero();
        } finally {
            parent.descendants().forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly();
            parent.waitFor(PosternProcess.PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static List<Map<String, Object>> documents(List<ScrubCase.Secret> secrets) {
        return secrets.stream()
                .map(secret -> Map.<String, Object>of("reference", secret.reference(), "value", secret.value()))
                .toList();
    }

    private static boolean holds(ScrubCase each, JsonValue line) {
        if (each.expectFailure() != null) {
            return each.expectFailure().equals(line.string("error"));
        }
        String output = line.string("output");
        return output != null
                && (each.expect() == null || each.expect().equals(output))
                && each.mustContain().stream().allMatch(output::contains)
                && each.mustNotContain().stream().noneMatch(output::contains)
                && (!each.validJson() || isJson(output));
    }

    private static boolean isJson(String text) {
        try {
            JsonValue.parse(utf8(text));
            return true;
        } catch (JsonException e) {
            return false;
        }
    }
}
