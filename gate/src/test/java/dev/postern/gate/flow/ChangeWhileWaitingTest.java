package dev.postern.gate.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.approval.Confirmed;
import dev.postern.gate.approval.GrantTerms;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.vault.SecretUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * P4 to P6 at once: many calls wait while policy, secrets and grants change at random. Whatever ran is checked afterwards
 * against what was in force, by rules written down here a second time.
 */
class ChangeWhileWaitingTest {
    private static final int CALLS = 1000;
    private static final int TOOLS = 4;
    private static final int SECRETS = 3;
    private static final int USES = 2;
    private static final int ATTEMPTS = 10;
    private static final int CHANGES = 200;
    private static final int ALLOW = 4;
    private static final int KINDS = 5;

    private final TestGate gate = new TestGate();
    /** By revision: the tool that is denied; -1 where every secret is, -2 where nothing is. */
    private final Map<Long, Integer> denied = new TreeMap<>(Map.of(0L, -2));

    private final Map<Integer, Integer> versions = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName(
            "P4, P5, P6: every call that ran was allowed by what was in force, none twice, none on another's approval")
    void whatRanWasAllowed(long seed) {
        Random random = new Random(seed);
        for (int secret = 0; secret < SECRETS; secret++) {
            rotate(secret);
        }
        List<CompletableFuture<Outcome>> running = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            String arguments = "{\"n\":" + random.nextInt(CALLS / 4) + ",\"text\":\"{{vault:secret"
                    + random.nextInt(SECRETS) + "}}\"}";
            running.add(startPersistent(gate.call(arguments).tool("files", "tool" + random.nextInt(TOOLS))));
        }

        CompletableFuture<Void> all = CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
        var _ = all.whenComplete((ignored, failure) -> gate.approvalStore.wakeAwaiting());
        for (int step = 0; !all.isDone(); step++) {
            if (step <= CHANGES) {
                change(step == CHANGES ? ALLOW : random.nextInt(3 * KINDS), random);
            }
            gate.approvalStore.awaitRequestOrWake();
            for (Approval request : gate.approvals.pending()) {
                if (step > CHANGES || random.nextInt(4) == 0) {
                    decide(request, random);
                }
            }
            if (!gate.approvals.pending().isEmpty()) {
                gate.approvalStore.wakeAwaiting();
            }
        }

        check(running.stream().map(Outcomes::of).toList());
    }

    /** An agent that sends a call again until it runs, some times over. */
    private CompletableFuture<Outcome> startPersistent(TestCall call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    Outcome outcome = gate.start(call).join();
                    for (int i = 0; i < ATTEMPTS && outcome instanceof Outcome.Refused; i++) {
                        outcome = gate.start(call).join();
                    }
                    return outcome;
                },
                task -> Thread.ofVirtual().start(task));
    }

    /** Mostly, nothing changes. */
    private void change(int kind, Random random) {
        switch (kind) {
            case 0 -> rotate(random.nextInt(SECRETS));
            case 1 -> {
                int tool = random.nextInt(TOOLS);
                gate.applyPolicy("{\"tools\":{\"files__tool" + tool + "\":\"DENY\"}}");
                denied.put(gate.policies.current().revision(), tool);
            }
            case 2 -> { // for a moment only, or every agent would run out of attempts
                gate.applyPolicy("{\"secretBearingCalls\":\"DENY\"}");
                denied.put(gate.policies.current().revision(), -1);
                allow();
            }
            case 3 -> gate.grants.list().stream().findAny().ifPresent(grant -> gate.grants.revoke(grant.id()));
            case ALLOW -> allow();
            default -> {}
        }
    }

    private void allow() {
        gate.applyPolicy("{}");
        denied.put(gate.policies.current().revision(), -2);
    }

    private void rotate(int secret) {
        gate.vault.put("secret" + secret, value(secret, versions.merge(secret, 1, Integer::sum)));
    }

    private static String value(int secret, long version) {
        return "value-of-" + secret + "-version-" + version + "-";
    }

    private void decide(Approval request, Random random) {
        switch (random.nextInt(10)) {
            case 0 -> gate.approvals.deny(request.id(), "operator", null);
            case 1 -> gate.approvals.approve(request.id(), "operator", new GrantTerms(null, USES));
            default -> gate.approvals.approve(request.id(), "operator", null);
        }
    }

    private static String fingerprint(Confirmed confirmed) {
        return confirmed.continuation().substring(0, 64);
    }

    private void check(List<Outcome> outcomes) {
        List<Confirmed> ran = gate.upstream.confirmed();
        List<String> received = gate.upstream.received();
        for (int i = 0; i < ran.size(); i++) {
            var judged = ran.get(i).resolved().judged();
            int forbidden = requireNonNull(denied.get(judged.policyRevision()));
            assertThat(forbidden).as("secrets were allowed").isNotEqualTo(-1);
            assertThat(judged.call().tool().tool()).as("the tool was allowed").isNotEqualTo("tool" + forbidden);
            SecretUse use = ran.get(i).resolved().uses().getFirst();
            int secret = use.secret().name().charAt("secret".length()) - '0';
            assertThat(received.get(i))
                    .as("the version that was approved")
                    .contains(value(secret, use.secret().version()));
        }

        Map<String, Long> ranOnApproval = ran.stream()
                .filter(confirmed -> "operator".equals(confirmed.approver()))
                .collect(Collectors.groupingBy(ChangeWhileWaitingTest::fingerprint, Collectors.counting()));
        Map<String, Long> used = gate.approvalStore.all().stream()
                .filter(approval -> approval.state() == State.USED)
                .collect(Collectors.groupingBy(Approval::fingerprint, Collectors.counting()));
        assertThat(ranOnApproval)
                .allSatisfy((fingerprint, times) ->
                        assertThat(times).isLessThanOrEqualTo(used.getOrDefault(fingerprint, 0L)));

        ran.stream()
                .map(Confirmed::approver)
                .filter(approver -> approver != null && approver.startsWith("grant:"))
                .collect(Collectors.groupingBy(approver -> approver, Collectors.counting()))
                .values()
                .forEach(times -> assertThat(times).as("uses of a grant").isLessThanOrEqualTo(USES));

        long executed = outcomes.stream()
                .map(Outcomes::disposition)
                .filter(Disposition.EXECUTED::equals)
                .count();
        assertThat(executed).isEqualTo(ran.size()).isBetween(CALLS / 20L, (long) CALLS);
        assertThat(gate.ledger.intents()).hasSize(ran.size());
        assertThat(gate.ledger.entries()).hasSizeGreaterThan(CALLS);
        assertThat(gate.ledger.entries())
                .extracting(LedgerEntry::disposition)
                .filteredOn(Disposition.EXECUTED::equals)
                .hasSize(ran.size());
        assertThat(gate.vault.isAllWiped()).isTrue();
    }
}
