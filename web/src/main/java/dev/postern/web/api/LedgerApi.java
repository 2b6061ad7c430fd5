package dev.postern.web.api;

import dev.postern.gate.agent.Right;
import dev.postern.json.JsonValue;
import dev.postern.store.ledger.LedgerFilter;
import dev.postern.store.ledger.LedgerPage;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.store.ledger.LedgerTimeline;
import dev.postern.store.ledger.Verification;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/ledger}: search, one call's timeline, export and verification (L1, L2). */
final class LedgerApi {
    private static final String TAG = "Ledger";
    private static final int PAGE = 50;
    private static final int LARGEST_PAGE = 500;

    private final Supplier<LedgerReader> ledger;

    LedgerApi(Supplier<LedgerReader> ledger) {
        this.ledger = ledger;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/ledger",
                        Access.needs(Right.READ_LEDGER),
                        this::page,
                        filtered(RouteDoc.of(TAG, "searchLedger", "Entries, the newest first"))
                                .query("before", Schema.number("Where the page begins: 'next' of the page before."))
                                .query("limit", Schema.number("At most so many; 50 where it is missing, 500 at most."))
                                .answers(Shapes.pageOf("entries", Shapes.LEDGER_LINE))),
                new Route(
                        "GET",
                        "/api/ledger/export",
                        Access.needs(Right.READ_LEDGER),
                        this::export,
                        filtered(RouteDoc.of(TAG, "exportLedger", "Lines, the oldest first (JSON Lines)"))
                                .answers(200, "application/jsonl", Schema.text("A line an entry."))),
                new Route(
                        "GET",
                        "/api/ledger/verify",
                        Access.needs(Right.READ_LEDGER),
                        this::verify,
                        RouteDoc.of(TAG, "verifyLedger", "Check every line; names the first that is broken")
                                .answers(Schema.object()
                                        .with("intact", Schema.flag("Whether nothing was changed."))
                                        .optional("entries", Schema.number("Finished calls."))
                                        .optional("hash", Schema.text("Of the last entry: note it."))
                                        .optional("chain", Schema.text("Where it is broken."))
                                        .optional("position", Schema.number("Of the first broken line."))
                                        .optional("id", Schema.text("Of its call."))
                                        .optional("reason", Schema.text("What is wrong.")))),
                new Route(
                        "GET",
                        "/api/ledger/{id}",
                        Access.needs(Right.READ_LEDGER),
                        this::timeline,
                        RouteDoc.of(TAG, "getCall", "One call, what it was decided on, and when each stage was done")
                                .answers(Schema.object()
                                        .with("entry", Shapes.LEDGER_LINE)
                                        .with(
                                                "policy_revision",
                                                Schema.number("What it was judged by.")
                                                        .orNull())
                                        .with(
                                                "approval",
                                                Schema.text("The request it collected.")
                                                        .orNull())
                                        .with("secret_versions", Schema.list(Schema.text("<id>.<field>@<version>")))
                                        .with(
                                                "stages",
                                                Schema.list(Schema.object()
                                                        .with("name", Schema.text("What was done."))
                                                        .with(
                                                                "after_us",
                                                                Schema.number(
                                                                        "Microseconds since the call came in.")))))
                                .refuses("404 CALL_NOT_FOUND")));
    }

    private static RouteDoc filtered(RouteDoc doc) {
        return doc.query("agent", Schema.text("The agent's name."))
                .query("server", Schema.text("The server's name."))
                .query("tool", Schema.text("server__tool, or a tool's own name for any server's."))
                .query("disposition", Schema.text("Such as EXECUTED."))
                .query("text", Schema.text("Stands in arguments, error, id, approver or references."))
                .query("since", Schema.instant("From this moment on."))
                .query("until", Schema.instant("Before this moment."));
    }

    private static LedgerFilter filter(Request request) {
        LedgerFilter filter = LedgerFilter.ALL
                .byAgent(filled(request, "agent"))
                .onServer(filled(request, "server"))
                .withDisposition(filled(request, "disposition"))
                .containing(filled(request, "text"))
                .between(instant(request, "since"), instant(request, "until"));
        String tool = filled(request, "tool");
        return tool == null ? filter : filter.ofTool(tool);
    }

    private Reply page(Request request) {
        LedgerFilter filter = filter(request);
        long before = request.queryNumber("before", LedgerPage.NEWEST, 1, Long.MAX_VALUE);
        int limit = (int) request.queryNumber("limit", PAGE, 1, LARGEST_PAGE);
        try (LedgerReader reader = ledger.get()) {
            LedgerPage page = reader.page(filter, before, limit);
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put(
                    "entries",
                    page.lines().stream()
                            .map(line -> JsonValue.parse(line.json()))
                            .toList());
            document.put("next", page.hasOlder() ? Long.toString(page.older()) : null);
            return Reply.json(document).tagged(request);
        }
    }

    private static @Nullable String filled(Request request, String name) {
        String text = request.query(name);
        return text == null || text.isBlank() ? null : text;
    }

    private static @Nullable Instant instant(Request request, String name) {
        String text = filled(request, name);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw Request.invalid("'" + name + "' is a time such as 2026-01-31T12:00:00Z.");
        }
    }

    private Reply export(Request request) {
        LedgerFilter filter = filter(request);
        return Reply.stream("application/jsonl", out -> {
                    try (LedgerReader reader = ledger.get()) {
                        reader.export(out, filter);
                    }
                })
                .asFile("postern-ledger.jsonl");
    }

    private Reply verify(Request request) {
        try (LedgerReader reader = ledger.get()) {
            Map<String, Object> document = new LinkedHashMap<>();
            switch (reader.verify((done, total) -> {})) {
                case Verification.Intact intact -> {
                    document.put("intact", true);
                    document.put("entries", intact.entries());
                    document.put("hash", intact.hash());
                }
                case Verification.Broken broken -> {
                    document.put("intact", false);
                    document.put("chain", broken.chain());
                    document.put("position", broken.position());
                    document.put("id", broken.id());
                    document.put("reason", broken.reason());
                }
            }
            return Reply.json(document);
        }
    }

    private Reply timeline(Request request) {
        try (LedgerReader reader = ledger.get()) {
            LedgerTimeline timeline = reader.timeline(request.pathValue("id"))
                    .orElseThrow(() -> new ProblemException(404, "CALL_NOT_FOUND", "The ledger has no such call."));
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("entry", JsonValue.parse(timeline.line().json()));
            document.put("policy_revision", timeline.policyRevision());
            document.put("approval", timeline.approval());
            document.put("secret_versions", timeline.secretVersions());
            document.put(
                    "stages",
                    timeline.stages().stream()
                            .map(stage -> Map.of(
                                    "name",
                                    stage.name(),
                                    "after_us",
                                    stage.after().toNanos() / 1_000))
                            .toList());
            return Reply.json(document);
        }
    }
}
