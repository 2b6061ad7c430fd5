package dev.postern.web.portal;

import dev.postern.store.ledger.LedgerLine;
import dev.postern.store.ledger.LedgerTimeline;
import dev.postern.web.portal.view.CallArguments;
import dev.postern.web.portal.view.CallPage;
import dev.postern.web.portal.view.LedgerPage;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.Segment;
import dev.postern.web.portal.view.VisibleText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What pages show of the ledger. */
final class LedgerView {
    private static final Map<String, String> MEANINGS = Map.of(
            "admitted", "the agent may call, and no kill switch stops it",
            "judged", "references found, policy read",
            "resolved", "secrets found in the vault",
            "approved", "a person or a grant let it through, or nobody had to be asked",
            "confirmed", "still what was approved",
            "intended", "written down before anything left",
            "answered", "the server answered",
            "scrubbed", "values taken out of the answer",
            "closed", "written down");

    private LedgerView() {}

    static LedgerPage.Row row(LedgerLine line, Instant now) {
        return new LedgerPage.Row(
                line.id(),
                new Moment(Instant.parse(line.at()), now),
                line.agent(),
                call(line),
                words(line.disposition()),
                style(line.disposition()),
                line.approver() == null ? "" : line.approver(),
                line.secretRefs().size(),
                line.durationMillis(),
                line.scrubHits());
    }

    static CallPage page(LedgerTimeline timeline, Map<String, String> secretNames, Instant now) {
        LedgerLine line = timeline.line();
        return new CallPage(
                row(line, now),
                CallArguments.of(line.arguments().getBytes(StandardCharsets.UTF_8)),
                line.secretRefs().stream()
                        .map(reference -> named(reference, secretNames))
                        .toList(),
                line.code() == null ? "" : line.code(),
                line.error() == null ? List.of() : VisibleText.of(line.error()).segments(),
                line.resultBytes(),
                line.hash(),
                line.position(),
                timeline.policyRevision(),
                timeline.approval(),
                timeline.stages().stream()
                        .map(stage -> new CallPage.Stage(
                                stage.name(), MEANINGS.getOrDefault(stage.name(), ""), spell(stage.after())))
                        .toList(),
                new String(line.json(), StandardCharsets.UTF_8));
    }

    /** Such as {@code files › write_file}. */
    static List<Segment> call(LedgerLine line) {
        return VisibleText.of(line.server() + " › " + line.tool()).segments();
    }

    /** Such as {@code approval expired}. */
    static String words(String disposition) {
        return disposition.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static String style(String disposition) {
        return switch (disposition) {
            case "EXECUTED" -> "good";
            case "FAILED", "TIMED_OUT", "SCRUB_FAILED", "OUTCOME_UNKNOWN" -> "bad";
            default -> "warn";
        };
    }

    private static String named(String reference, Map<String, String> names) {
        int dot = reference.indexOf('.');
        String id = dot < 0 ? reference : reference.substring(0, dot);
        String name = names.get(id);
        return name == null ? reference : name + ", " + reference.substring(dot + 1);
    }

    private static String spell(Duration after) {
        double millis = after.toNanos() / 1e6;
        return millis < 10_000
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
}
