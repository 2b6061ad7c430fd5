package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.store.ledger.LedgerFilter;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.store.ledger.LedgerTimeline;
import dev.postern.store.ledger.Verification;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.LedgerPage;
import dev.postern.web.portal.view.LedgerPage.Check;
import dev.postern.web.portal.view.LedgerPage.Filter;
import dev.postern.web.portal.view.Page;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The ledger: search, filters, one call with its stages, and the check of the chain (L1, L2). */
final class LedgerPages {
    private static final int SHOWN = 50;

    private final Pages pages;
    private final Supplier<LedgerReader> ledger;
    private final AgentNames agents;
    private final Vault vault;
    private final InstantSource clock;

    /**
     * The pages.
     *
     * @param ledger opens it, for one request
     */
    LedgerPages(Pages pages, Supplier<LedgerReader> ledger, AgentNames agents, Vault vault, InstantSource clock) {
        this.pages = pages;
        this.ledger = ledger;
        this.agents = agents;
        this.vault = vault;
        this.clock = clock;
    }

    List<Route> routes() {
        Access read = Access.needs(Right.READ_LEDGER);
        return List.of(
                Route.page("GET", "/ledger", read, request -> list(request, Check.NONE)),
                Route.page("POST", "/ledger/verify", read, request -> list(request, verify())),
                Route.page("GET", "/ledger/calls/{id}", read, this::call));
    }

    private Reply list(Request request, Check check) {
        Filter filter = filter(request);
        long before = request.queryNumber("before", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        Instant now = clock.instant();
        try (LedgerReader reader = ledger.get()) {
            var found = reader.page(condition(filter), before, SHOWN);
            LedgerPage page = new LedgerPage(
                    filter,
                    found.lines().stream()
                            .map(line -> LedgerView.row(line, now))
                            .toList(),
                    found.older(),
                    agents.all(),
                    Arrays.stream(Disposition.values()).map(Enum::name).toList(),
                    check);
            return pages.show(request, Page.LEDGER, "ledger", page);
        }
    }

    private Reply call(Request request) {
        try (LedgerReader reader = ledger.get()) {
            LedgerTimeline timeline = reader.timeline(request.pathValue("id"))
                    .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "The ledger has no such call."));
            Map<String, String> names = vault.list().stream()
                    .collect(Collectors.toMap(secret -> secret.id().toString(), SecretRecord::name));
            return pages.show(
                    request, Page.LEDGER, "One call", "call", LedgerView.page(timeline, names, clock.instant()));
        }
    }

    private Check verify() {
        try (LedgerReader reader = ledger.get()) {
            return switch (reader.verify((_, _) -> {})) {
                case Verification.Intact intact ->
                    new Check(
                            "good",
                            "The chain is whole: " + intact.entries() + " entries, " + intact.open()
                                    + " calls still open. Note this hash to prove later that nothing before it changed: "
                                    + intact.hash());
                case Verification.Broken broken ->
                    new Check(
                            "bad",
                            "The chain is broken at line " + broken.position() + " of " + broken.chain()
                                    + (broken.id().isEmpty() ? "" : ", call " + broken.id()) + ": " + broken.reason()
                                    + ". Somebody or something changed the database outside Postern.");
            };
        }
    }

    private static Filter filter(Request request) {
        return new Filter(
                query(request, "q"),
                query(request, "agent"),
                query(request, "tool"),
                query(request, "disposition"),
                query(request, "since"),
                query(request, "until"));
    }

    private static LedgerFilter condition(Filter filter) {
        return LedgerFilter.ALL
                .containing(orNull(filter.text()))
                .byAgent(orNull(filter.agent()))
                .ofTool(orNull(filter.tool()))
                .withDisposition(orNull(filter.disposition()))
                .between(time(filter.since()), time(filter.until()));
    }

    private static @Nullable Instant time(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
            throw Request.invalid("A time is written as 2026-01-31T18:30, in UTC.");
        }
    }

    private static String query(Request request, String name) {
        String text = request.query(name);
        return text == null ? "" : text.strip();
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
