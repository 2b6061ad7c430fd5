package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.RunningCalls;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.detect.DetectionSettings;
import dev.postern.gate.detect.Screening;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillStore;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.client.ConnectionLimits;
import dev.postern.mcp.client.Dialer;
import dev.postern.mcp.client.ServerConnection.ClientFace;
import dev.postern.mcp.client.ServerListener.Reply;
import dev.postern.mcp.client.ServerSpec;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.scrub.RecentValues;
import dev.postern.testkit.server.HttpFixture;
import dev.postern.testkit.server.HttpFixture.Received;
import dev.postern.testkit.server.HttpFixture.Speech;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One server of one session over the real transports: a fresh start where nothing is lost by it. */
final class ServerLinkTest {
    private static final ClientFace FACE =
            new ClientFace(json("{}"), json("{\"name\":\"test\",\"version\":\"1\"}"), "2026-07-28");
    private static final byte[] MIRROR = bytes("{\"name\":\"mirror\",\"arguments\":{\"region\":\"here\"}}");

    private final InFlight tag = call();

    @Test
    void aCallThatMeetsAForgottenSessionRunsInANewOne() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                Dialer dialer = new Dialer(ConnectionLimits.standard());
                ServerLink link = link(fixture, dialer)) {
            link.request("tools/call", MIRROR, tag);
            fixture.sessions().clear();
            assertThat(new String(link.request("tools/call", MIRROR, tag).bytes(), StandardCharsets.UTF_8))
                    .contains("here");
            assertThat(calls(fixture)).hasSize(3);
        }
    }

    @Test
    void aCallThatMayHaveRunIsNotSentTwice() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                Dialer dialer = new Dialer(ConnectionLimits.standard());
                ServerLink link = link(fixture, dialer)) {
            byte[] cut = bytes("{\"name\":\"cut-off\"}");
            assertThatThrownBy(() -> link.request("tools/call", cut, tag)).isInstanceOf(UpstreamException.class);
            assertThat(calls(fixture)).hasSize(1);
        }
    }

    @Test
    void whatAToolMarksIsRepeatedInHeadersOnceTheToolIsKnown() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.MODERN);
                Dialer dialer = new Dialer(ConnectionLimits.standard());
                ServerLink link = link(fixture, dialer)) {
            assertThat(link.era()).isEqualTo(Era.MODERN);
            link.tools()
                    .known()
                    .learn(json("{\"tools\":[{\"name\":\"mirror\",\"inputSchema\":{\"properties\":"
                            + "{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}}]}"));
            link.request("tools/call", MIRROR, tag);
            assertThat(calls(fixture).getFirst().headers()).containsEntry("mcp-param-region", "here");
        }
    }

    @Test
    void noCallMeetsAConnectionThatIsEndedForItsIdleness() throws Exception {
        int many = 500;
        AtomicBoolean done = new AtomicBoolean();
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                Dialer dialer = new Dialer(ConnectionLimits.standard());
                ServerLink link = link(fixture, dialer);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<?> ending = threads.submit(() -> {
                while (!done.get()) {
                    link.endIfIdleFor(-1);
                }
            });
            try {
                for (int call = 0; call < many; call++) {
                    assertThat(new String(
                                    link.request("tools/call", MIRROR, call()).bytes(), StandardCharsets.UTF_8))
                            .contains("here");
                }
            } finally {
                done.set(true);
            }
            ending.get();
            assertThat(calls(fixture)).hasSize(many);
        }
    }

    private static InFlight call() {
        return new InFlight(
                Message.parse(JsonRpc.request(bytes("1"), "tools/call", MIRROR)), message -> false, new Cancellation());
    }

    private static List<Received> calls(HttpFixture fixture) {
        return fixture.received().stream()
                .filter(got -> got.body().contains("\"tools/call\""))
                .toList();
    }

    private static ServerLink link(HttpFixture fixture, Dialer dialer) {
        Servers servers = new Servers() {
            @Override
            public List<String> names() {
                return List.of("fixture");
            }

            @Override
            public ServerSpec spec(String name) {
                return new ServerSpec(name, new ServerSpec.Http(fixture.endpoint(), Map.of()), Duration.ofSeconds(30));
            }

            @Override
            public Registration onChange(Consumer<Set<String>> listener) {
                return () -> {};
            }
        };
        InstantSource clock = InstantSource.system();
        ChokePoint chokePoint = new ChokePoint(
                new RecentValues(clock),
                new Screening(DetectionSettings.of(DetectionModes.DEFAULTS), new CapturedValues(clock)),
                () -> true);
        Caller caller = new Caller("agent", "agent", "user", Set.of());
        return new ServerLink(
                "fixture",
                caller,
                FACE,
                servers,
                dialer,
                chokePoint,
                new ListCache(1 << 20),
                new Deaf(),
                DefinitionListener.NONE,
                new KillSwitch(new NoKills(), new RunningCalls(), clock),
                null);
    }

    /** Nothing is stopped. */
    private static final class NoKills implements KillStore {
        @Override
        public List<Kill> engaged() {
            return List.of();
        }

        @Override
        public void engage(Kill kill) {}

        @Override
        public boolean release(Kill.Scope scope, String actor) {
            return false;
        }
    }

    private static JsonValue json(String text) {
        return JsonValue.parse(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** An agent that hears nothing. */
    private static final class Deaf implements LinkEvents {
        @Override
        public void notification(ServerLink link, Outbound message, String method, @Nullable InFlight related) {}

        @Override
        public void request(
                ServerLink link, Outbound message, String method, @Nullable InFlight related, Reply reply) {}

        @Override
        public void closed(ServerLink link) {}
    }
}
