package dev.postern.store.ledger;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.detect.Detected;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.json.JsonException;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a row from what the gate writes, in {@link LineFormat}'s order. */
final class Lines {
    /** What the entry of a call says that was cut short by a crash (L2). */
    static final String OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN";

    /** A server that floods its answers does not flood the ledger. */
    private static final int MAX_FINDINGS = 32;

    private static final String OUTCOME_UNKNOWN_ERROR = "outcome unknown";

    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Lines() {}

    static List<@Nullable Object> of(LedgerEntry entry) {
        return Arrays.asList(
                entry.id().value(),
                at(entry.at()),
                entry.agent(),
                entry.tool().server(),
                entry.tool().tool(),
                oneLine(entry.arguments()),
                json(entry.secretRefs()),
                entry.disposition().name(),
                entry.code(),
                entry.approver(),
                entry.durationMillis(),
                entry.resultBytes(),
                entry.scrubHits(),
                entry.error(),
                findings(entry.detected()));
    }

    static List<@Nullable Object> of(LedgerIntent intent) {
        return Arrays.asList(
                intent.id().value(),
                at(intent.at()),
                intent.agent(),
                intent.tool().server(),
                intent.tool().tool(),
                oneLine(intent.arguments()),
                json(intent.secretRefs()),
                intent.approver(),
                intent.decision() == null ? null : json(decision(intent.decision())));
    }

    /** The line beside an entry. */
    static List<@Nullable Object> of(CallId id, CallTrace trace) {
        Map<String, Long> stages = new LinkedHashMap<>();
        trace.stages().forEach(stage -> stages.put(stage.name(), stage.after().toNanos() / 1_000));
        CallTrace.Decision decision = trace.decision();
        return Arrays.asList(id.value(), decision == null ? null : json(decision(decision)), json(stages));
    }

    private static Map<String, Object> decision(CallTrace.Decision decision) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("policy_revision", decision.policyRevision());
        members.put("definition", decision.definitionHash());
        members.put("secret_versions", decision.secretVersions());
        if (decision.approval() != null) {
            members.put("approval", decision.approval());
        }
        return members;
    }

    /** The entry for an intent whose call a crash cut short. It follows from the intent alone, so all who make it make the same. */
    static List<@Nullable Object> unknown(ChainRow intent) {
        List<@Nullable Object> from = intent.values();
        return Arrays.asList(
                from.get(0),
                from.get(1),
                from.get(2),
                from.get(3),
                from.get(4),
                from.get(5),
                from.get(6),
                Disposition.FAILED.name(),
                OUTCOME_UNKNOWN,
                from.get(7),
                0L,
                0L,
                0L,
                OUTCOME_UNKNOWN_ERROR,
                null);
    }

    /** The first of them, and how many more there were; null where there are none. */
    private static @Nullable String findings(List<Detected> detected) {
        if (detected.isEmpty()) {
            return null;
        }
        List<Map<String, Object>> findings = new ArrayList<>();
        for (Detected one : detected.subList(0, Math.min(MAX_FINDINGS, detected.size()))) {
            Map<String, Object> finding = new LinkedHashMap<>();
            finding.put("direction", one.direction().name().toLowerCase(Locale.ROOT));
            finding.put("rule", one.rule());
            finding.put("category", one.category());
            finding.put("action", one.action().label());
            finding.put("start", one.start());
            finding.put("end", one.end());
            if (one.reference() != null) {
                finding.put("reference", one.reference());
            }
            findings.add(finding);
        }
        if (detected.size() > MAX_FINDINGS) {
            findings.add(Map.of("more", detected.size() - MAX_FINDINGS));
        }
        return json(findings);
    }

    static String at(Instant instant) {
        return AT.format(instant);
    }

    private static String json(Object value) {
        return new String(JsonWriter.write(value), StandardCharsets.UTF_8);
    }

    /**
     * JSON without the white space between its tokens, which may hold newlines and would break a line in two. Spelling of
     * numbers and strings stays. What is no JSON becomes a string.
     */
    static String oneLine(byte[] json) {
        if (json.length == 0) {
            return "null";
        }
        try {
            JsonValue.parse(json, Integer.MAX_VALUE);
        } catch (JsonException e) {
            return JsonStrings.quote(new String(json, StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length);
        boolean inString = false;
        for (int at = 0; at < json.length; at++) {
            byte b = json[at];
            if (inString) {
                out.write(b);
                if (b == '\\') {
                    out.write(json[++at]);
                } else if (b == '"') {
                    inString = false;
                }
            } else if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                out.write(b);
                inString = b == '"';
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
