package dev.postern.gate.testing;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.approval.ApprovalSettings;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.ConfirmStep;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.RunningCalls;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.detect.ArgumentStep;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.detect.DetectionSettings;
import dev.postern.gate.detect.Screening;
import dev.postern.gate.flow.GovernedCall;
import dev.postern.gate.flow.LedgerBook;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.policy.PolicyStep;
import dev.postern.gate.policy.Quotas;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.substitute.ReferenceStep;
import dev.postern.gate.substitute.SubstituteStep;
import dev.postern.gate.upstream.Upstream;
import dev.postern.gate.vault.ArgumentPath;
import dev.postern.gate.vault.ResolveStep;
import dev.postern.reference.ReferenceLimits;
import dev.postern.scrub.RecentValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A gate with everything in memory. The policy is the default; agent {@code agent} may do everything. */
public final class TestGate {
    public static final String PORTAL = "http://127.0.0.1:7437/approvals";
    public static final Duration TIMEOUT = Duration.ofMinutes(5);

    public final TestClock clock = new TestClock();
    public final MemoryApprovals approvalStore = new MemoryApprovals();
    public final MemoryGrants grants = new MemoryGrants();
    public final MemoryAgents agents = new MemoryAgents();
    public final MemoryVault vault = new MemoryVault();
    public final RecordingLedger ledger = new RecordingLedger();
    public final RecordingUpstream upstream = new RecordingUpstream();
    public Caller agent = agents.put("agent");
    public final Policies policies;
    public final RunningCalls running = new RunningCalls();
    public final Quotas quotas = new Quotas(clock);
    /** Where the tools of any server lead, by their names, as declared. */
    public final Map<String, List<ArgumentPath>> declared = new ConcurrentHashMap<>();

    public final MemoryPins pinStore = new MemoryPins();
    public final Pins pins;
    public final MemoryKills kills = new MemoryKills();
    public final KillSwitch killSwitch = new KillSwitch(kills, running, clock);
    public final RecentValues recent = new RecentValues(clock);
    public final CapturedValues captured = new CapturedValues(clock);
    public final ChokePoint chokePoint;
    public final Approvals approvals;
    private final GovernedCall governed;

    public TestGate() {
        this(DetectionSettings.of(DetectionModes.OFF));
    }

    /** A gate that looks for secrets nobody told it about. */
    public TestGate(DetectionSettings detection) {
        this(new MemoryPolicy(), 10_000, Cap.DEFAULT_MAX_CHARACTERS, detection);
    }

    public TestGate(MemoryPolicy policy, int maxPendingPerAgent, int maxCharacters) {
        this(policy, maxPendingPerAgent, maxCharacters, DetectionSettings.of(DetectionModes.OFF));
    }

    public TestGate(MemoryPolicy policy, int maxPendingPerAgent, int maxCharacters, DetectionSettings detection) {
        policies = new Policies(policy);
        Screening screening = new Screening(detection, captured);
        chokePoint = new ChokePoint(recent, screening, () -> policies.current().resultScrubbingEnabled());
        pins = new Pins(pinStore, chokePoint, "postern"::equals, clock);
        approvals = new Approvals(
                approvalStore,
                grants,
                chokePoint,
                pins,
                new ApprovalSettings(TIMEOUT, Duration.ofSeconds(5), maxPendingPerAgent, PORTAL),
                clock);
        PolicyStep policyStep = new PolicyStep(policies, killSwitch);
        ResolveStep resolver = new ResolveStep(captured.over(vault), pins, tool -> declared.get(tool.tool()));
        governed = new GovernedCall(
                running,
                policyStep,
                quotas,
                new ArgumentStep(screening),
                new ReferenceStep(ReferenceLimits.defaults()),
                resolver,
                new SubstituteStep(captured.over(vault)),
                approvals,
                new ConfirmStep(policyStep, resolver, agents, grants, pins, clock),
                chokePoint,
                new Cap(maxCharacters),
                new LedgerBook(ledger, chokePoint, screening, clock));
    }

    /** A gate under this policy. */
    public static TestGate withPolicy(String document) {
        TestGate gate = new TestGate();
        gate.applyPolicy(document);
        return gate;
    }

    public void applyPolicy(String document) {
        policies.apply(document.getBytes(StandardCharsets.UTF_8), "operator");
    }

    /** Takes permissions from {@code agent}. */
    public void agent(Permission... denied) {
        agent = agents.put("agent", denied);
    }

    /** Stops every call. */
    public void kill() {
        killSwitch.engage(Kill.Scope.ALL, "operator", null);
    }

    /** Calls {@code files__write} with these arguments, in the name of {@code agent}. */
    public TestCall call(String arguments) {
        return new TestCall(agent, arguments);
    }

    /** Runs a call on this thread: where a person must be asked, it returns at once. */
    public Outcome run(TestCall call) {
        return governed.run(call.hold(Duration.ZERO).build(), upstream);
    }

    /** Runs a call on a thread of its own. */
    public CompletableFuture<Outcome> start(TestCall call) {
        return start(call, upstream);
    }

    /** Runs a call to another server on a thread of its own. */
    public CompletableFuture<Outcome> start(TestCall call, Upstream to) {
        ToolCall built = call.build();
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                outcome.complete(governed.run(built, to));
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        });
        return outcome;
    }

    /** Runs a call that asks, and says yes. */
    public Outcome runApproved(TestCall call) {
        CompletableFuture<Outcome> running = start(call);
        approve();
        return Outcomes.of(running);
    }

    /** Says yes to the next request. */
    public String approve() {
        String id = approvalStore.awaitRequest().id();
        if (!approvals.approve(id, "operator", null)) {
            throw new AssertionError("the request is no longer open");
        }
        return id;
    }
}
