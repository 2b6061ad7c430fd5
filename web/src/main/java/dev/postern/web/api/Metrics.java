package dev.postern.web.api;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls as their ledger entries are written, and shows the counts as Prometheus text. A few adders instead of a
 * library of meters: its classes would cost a start more than all of this. Labels are outcomes alone: no agent, tool or
 * secret is named, so that anyone who may connect may read them. Thread-safe.
 */
public final class Metrics {
    private static final double[] BOUNDS = {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300};

    private final Map<Disposition, LongAdder> calls = new EnumMap<>(Disposition.class);
    private final LongAdder[] durations = adders(BOUNDS.length + 1);
    private final LongAdder millis = new LongAdder();
    private final LongAdder scrubHits = new LongAdder();
    private final LongAdder resultBytes = new LongAdder();
    private final LongAdder asked = new LongAdder();

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        for (int i = 0; i < count; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    public Metrics() {
        for (Disposition disposition : Disposition.values()) {
            calls.put(disposition, new LongAdder());
        }
    }

    private LongAdder of(Disposition disposition) {
        return requireNonNull(calls.get(disposition));
    }

    /** A ledger that counts what it is given to write. */
    public Ledger counting(Ledger ledger) {
        return new Ledger() {
            @Override
            public void intend(LedgerIntent intent) {
                ledger.intend(intent);
            }

            @Override
            public boolean isWritable() {
                return ledger.isWritable();
            }

            @Override
            public void append(LedgerEntry entry) {
                count(entry);
                ledger.append(entry);
            }
        };
    }

    private void count(LedgerEntry entry) {
        of(entry.disposition()).increment();
        double seconds = entry.durationMillis() / 1000.0;
        int bucket = 0;
        while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
            bucket++;
        }
        durations[bucket].increment();
        millis.add(entry.durationMillis());
        scrubHits.add(entry.scrubHits());
        resultBytes.add(entry.resultBytes());
    }

    /** A request for approval appeared or was decided. */
    public void follow(Approval approval) {
        if (approval.state() == Approval.State.PENDING) {
            asked.increment();
        }
    }

    /** {@code /metrics}. */
    public Route route(Approvals approvals, KillSwitch killSwitch) {
        return new Route(
                        "GET",
                        "/metrics",
                        Access.OPEN,
                        request -> Reply.bytes(
                                200,
                                "text/plain; version=0.0.4; charset=utf-8",
                                text(approvals.waiting(), killSwitch.engaged().size())
                                        .getBytes(StandardCharsets.UTF_8)),
                        RouteDoc.of("Operation", "getMetrics", "Counts as Prometheus text; names nobody and nothing")
                                .answers(200, "text/plain", Schema.text("Prometheus text, version 0.0.4.")))
                .inBackground();
    }

    private String text(int waiting, int kills) {
        StringBuilder text = new StringBuilder(2_000);
        head(text, "postern_calls_total", "counter", "Finished calls by what became of them.");
        for (Disposition disposition : Disposition.values()) {
            sample(
                    text,
                    "postern_calls_total",
                    "{disposition=\"" + disposition.name().toLowerCase(Locale.ROOT) + "\"}",
                    of(disposition).sum());
        }
        head(text, "postern_refusals_total", "counter", "Calls that were refused before anything was sent.");
        sample(text, "postern_refusals_total", null, refusals());
        head(text, "postern_scrub_hits_total", "counter", "Times a value was taken out of an answer.");
        sample(text, "postern_scrub_hits_total", null, scrubHits.sum());
        head(text, "postern_result_bytes_total", "counter", "Bytes that agents received.");
        sample(text, "postern_result_bytes_total", null, resultBytes.sum());
        head(text, "postern_approval_requests_total", "counter", "Times a person was asked.");
        sample(text, "postern_approval_requests_total", null, asked.sum());
        head(text, "postern_approvals_waiting", "gauge", "Calls that wait for a person now.");
        sample(text, "postern_approvals_waiting", null, waiting);
        head(text, "postern_kill_switches_engaged", "gauge", "Kill switches that are on now.");
        sample(text, "postern_kill_switches_engaged", null, kills);
        histogram(text);
        return text.toString();
    }

    private void histogram(StringBuilder text) {
        String name = "postern_call_duration_seconds";
        head(text, name, "histogram", "From a call's coming in to its entry, waiting for a person included.");
        long sum = 0;
        for (int i = 0; i < BOUNDS.length; i++) {
            sum += durations[i].sum();
            sample(text, name + "_bucket", "{le=\"" + BOUNDS[i] + "\"}", sum);
        }
        sum += durations[BOUNDS.length].sum();
        sample(text, name + "_bucket", "{le=\"+Inf\"}", sum);
        text.append(name).append("_sum ").append(millis.sum() / 1000.0).append('\n');
        sample(text, name + "_count", null, sum);
    }

    private long refusals() {
        long sum = 0;
        for (Disposition disposition : Disposition.values()) {
            sum += switch (disposition) {
                case SECRET_UNRESOLVED,
                        SECRET_FORBIDDEN,
                        POLICY_DENIED,
                        DENIED,
                        APPROVAL_EXPIRED,
                        QUEUE_FULL,
                        KILL_SWITCH -> of(disposition).sum();
                case EXECUTED, APPROVAL_PENDING, SCRUB_FAILED, TIMED_OUT, CANCELLED, FAILED -> 0;
            };
        }
        return sum;
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void sample(StringBuilder text, String name, @Nullable String labels, long value) {
        text.append(name)
                .append(labels == null ? "" : labels)
                .append(' ')
                .append(value)
                .append('\n');
    }
}
