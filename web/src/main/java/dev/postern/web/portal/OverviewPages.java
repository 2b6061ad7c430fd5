package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.vault.Vault;
import dev.postern.store.ledger.LedgerBucket;
import dev.postern.store.ledger.LedgerFilter;
import dev.postern.store.ledger.LedgerPage;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Chart;
import dev.postern.web.portal.view.OverviewPage;
import dev.postern.web.portal.view.OverviewPage.Step;
import dev.postern.web.portal.view.Page;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** What went through lately: calls, refusals, waits and scrubbed values over time. */
final class OverviewPages {
    private static final int LATEST = 8;

    private final Pages pages;
    private final Supplier<LedgerReader> ledger;
    private final Approvals approvals;
    private final Vault vault;
    private final GrantStore grants;
    private final AgentNames agents;
    private final InstantSource clock;

    OverviewPages(
            Pages pages,
            Supplier<LedgerReader> ledger,
            Approvals approvals,
            Vault vault,
            GrantStore grants,
            AgentNames agents,
            InstantSource clock) {
        this.pages = pages;
        this.ledger = ledger;
        this.approvals = approvals;
        this.vault = vault;
        this.grants = grants;
        this.agents = agents;
        this.clock = clock;
    }

    /** How far back a chart looks, and in which steps. */
    private enum Range {
        HOUR(Duration.ofMinutes(2), 30, "HH:mm"),
        DAY(Duration.ofMinutes(30), 48, "HH:mm"),
        WEEK(Duration.ofHours(4), 42, "EEE d MMM, HH:mm");

        private final Duration step;
        private final int steps;
        private final DateTimeFormatter label;

        Range(Duration step, int steps, String label) {
            this.step = step;
            this.steps = steps;
            this.label = DateTimeFormatter.ofPattern(label, Locale.ENGLISH).withZone(ZoneOffset.UTC);
        }

        static Range of(Request request) {
            String name = request.query("range");
            return "hour".equals(name) ? HOUR : "week".equals(name) ? WEEK : DAY;
        }

        /** Starts of the stretches up to now, at multiples of the step. */
        List<Instant> starts(Instant now) {
            long seconds = step.toSeconds();
            long last = Math.floorDiv(now.getEpochSecond(), seconds) * seconds;
            List<Instant> starts = new ArrayList<>();
            for (int i = steps - 1; i >= 0; i--) {
                starts.add(Instant.ofEpochSecond(last - i * seconds));
            }
            return starts;
        }
    }

    List<Route> routes() {
        // Whoever may not read the ledger starts at the vault.
        return List.of(Route.page("GET", "/", Access.PERSON, this::overview));
    }

    private Reply overview(Request request) {
        if (!request.may(Right.READ_LEDGER)) {
            return Reply.redirect(Page.VAULT.path());
        }
        Range range = Range.of(request);
        Instant now = clock.instant();
        List<Instant> starts = range.starts(now);
        try (LedgerReader reader = ledger.get()) {
            Map<Instant, LedgerBucket> buckets = new HashMap<>();
            reader.buckets(LedgerFilter.ALL.between(starts.getFirst(), null), range.step)
                    .forEach(bucket -> buckets.put(bucket.start(), bucket));
            List<Chart> charts = List.of(
                    chart("Calls", "", starts, buckets, range, LedgerBucket::calls),
                    chart("Refusals", "bad", starts, buckets, range, LedgerBucket::refusals),
                    chart("Waited for a person", "warn", starts, buckets, range, LedgerBucket::waits),
                    chart("Values taken out of answers", "reference", starts, buckets, range, LedgerBucket::scrubHits));
            List<dev.postern.web.portal.view.LedgerPage.Row> latest =
                    reader.page(LedgerFilter.ALL, LedgerPage.NEWEST, LATEST).lines().stream()
                            .map(line -> LedgerView.row(line, now))
                            .toList();
            int secrets = vault.list().size();
            OverviewPage page = new OverviewPage(
                    range.name().toLowerCase(Locale.ROOT),
                    charts,
                    approvals.waiting(),
                    secrets,
                    grants.list().size(),
                    agents.live(),
                    latest,
                    latest.isEmpty() || secrets == 0 ? steps(secrets, !latest.isEmpty()) : List.of());
            return pages.show(request, Page.OVERVIEW, "overview", page);
        }
    }

    private List<Step> steps(int secrets, boolean hasCalls) {
        return List.of(
                new Step("Put a secret into the vault", "/vault/new", "Add a secret", secrets > 0),
                new Step("Give an agent its key", "/agents", "Agents", agents.live() > 0),
                new Step("Let it make a call with a reference, and approve it", "/approvals", "Approvals", hasCalls));
    }

    private static Chart chart(
            String title,
            String style,
            List<Instant> starts,
            Map<Instant, LedgerBucket> buckets,
            Range range,
            ToLongFunction<LedgerBucket> count) {
        return new Chart(
                title,
                style,
                starts.stream()
                        .map(start -> {
                            LedgerBucket bucket = buckets.get(start);
                            return new Chart.Bar(
                                    range.label.format(start), bucket == null ? 0 : count.applyAsLong(bucket));
                        })
                        .toList());
    }
}
