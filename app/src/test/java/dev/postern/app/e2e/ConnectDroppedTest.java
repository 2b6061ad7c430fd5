package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.control.ControlClient;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client of {@code connect} that ends in whatever way and at whatever moment leaves nothing: no process of connect, no server, no
 * thread and no descriptor at the gateway, nothing that waits for a person.
 */
@Timeout(600)
@EnabledOnOs(OS.LINUX)
class ConnectDroppedTest {
    private static final int ROUNDS = 3;
    private static final int CONNECTIONS_A_ROUND = 100;

    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}""";

    private static final AtomicInteger FILES = new AtomicInteger();

    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = RunningGateway.startScripted(data);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    /** A client that talks, over whatever carries it. */
    private record Talk(OutputStream in, BufferedReader out) {
        void say(String line) throws IOException {
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        }

        /** The next answer or request; what only tells something is passed over. */
        String hear() throws IOException {
            String line = out.readLine();
            while (line != null && !line.contains("\"id\":")) {
                line = out.readLine();
            }
            return String.valueOf(line);
        }

        void initialize() throws IOException {
            say(INITIALIZE);
            assertThat(hear()).contains("\"id\":0");
        }
    }

    /** What a client has under way when it ends. */
    private enum Moment {
        IDLE {
            @Override
            void reach(Talk talk) throws Exception {
                talk.initialize();
                talk.say(call(1, "mirror", "{}"));
                assertThat(talk.hear()).contains("\"id\":1");
            }
        },
        SAID_NOTHING {
            @Override
            void reach(Talk talk) {}
        },
        HALF_A_MESSAGE {
            @Override
            void reach(Talk talk) throws Exception {
                talk.initialize();
                talk.in.write(call(1, "mirror", "{}").substring(0, 30).getBytes(StandardCharsets.UTF_8));
                talk.in.flush();
            }
        },
        A_CALL_RUNS {
            @Override
            void reach(Talk talk) throws Exception {
                talk.initialize();
                hang(talk, "");
            }
        },
        A_MODERN_CALL_RUNS {
            @Override
            void reach(Talk talk) throws Exception {
                hang(talk, META);
            }
        },
        A_CALL_WAITS_FOR_A_PERSON {
            @Override
            void reach(Talk talk) throws Exception {
                talk.initialize();
                talk.say(call(1, "mirror", "{\"a\":\"{{vault:db}}\",\"n\":" + FILES.incrementAndGet() + "}"));
                Await.until("a person is asked", () -> !approvals().isEmpty());
            }
        },
        THE_SERVER_ASKS {
            @Override
            void reach(Talk talk) throws Exception {
                talk.initialize();
                talk.say(call(1, "ask", "{\"method\":\"elicitation/create\"}"));
                assertThat(talk.hear()).contains("\"method\":\"elicitation/create\"");
            }
        },
        A_SUBSCRIPTION_IS_OPEN {
            @Override
            void reach(Talk talk) throws Exception {
                talk.say("{\"jsonrpc\":\"2.0\",\"id\":\"listen\",\"method\":\"subscriptions/listen\",\"params\":{"
                        + META + "\"notifications\":{\"toolsListChanged\":true}}}");
                assertThat(String.valueOf(talk.out.readLine())).contains("acknowledged");
            }
        };

        private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}},";

        abstract void reach(Talk talk) throws Exception;

        private static String call(int id, String tool, String arguments) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"s__" + tool
                    + "\",\"arguments\":" + arguments + "}}";
        }

        private static void hang(Talk talk, String meta) throws Exception {
            Path called = data.resolve("called-" + FILES.incrementAndGet());
            talk.say(call(1, "hang", "{\"file\":" + JsonStrings.quote(called.toString()) + "}")
                    .replace("\"params\":{", "\"params\":{" + meta));
            Await.file(called);
        }
    }

    private static ProcessBuilder connect() {
        ProcessBuilder builder = PosternProcess.builder("connect", "--data", data.toString());
        builder.environment().put("POSTERN_AGENT_KEY", gateway.key());
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    private static Talk talk(Process process) {
        return new Talk(
                process.getOutputStream(),
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }

    private static List<JsonValue> approvals() {
        return gateway.ask("approvals.list", Map.of()).elements();
    }

    @Test
    void connectIsKilled() throws Exception {
        leavesNothing(EnumSet.allOf(Moment.class), moment -> {
            Process process = connect().start();
            moment.reach(talk(process));
            process.destroyForcibly().waitFor();
        });
    }

    /** The one that started connect holds the pipes; bash, since the shell has no pipes in both directions. */
    @Test
    void whoeverStartedConnectIsKilled() throws Exception {
        leavesNothing(EnumSet.allOf(Moment.class), moment -> {
            ProcessBuilder builder = connect();
            List<String> command = new ArrayList<>(List.of(
                    "bash",
                    "-c",
                    "coproc C { exec \"$@\"; }; exec 3<&0 4>&\"${C[1]}\" 5<&\"${C[0]}\"; cat <&3 >&4 & cat <&5",
                    "bash"));
            command.addAll(builder.command());
            Process parent = builder.command(command).start();
            moment.reach(talk(parent));
            List<ProcessHandle> connect = new ArrayList<>();
            Await.until("connect was started", () -> {
                connect.addAll(parent.descendants()
                        .filter(one -> one.info().command().orElse("").endsWith("java"))
                        .toList());
                return !connect.isEmpty();
            });
            parent.descendants().filter(one -> !connect.contains(one)).forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly().waitFor();
            connect.getFirst().onExit().join();
        });
    }

    /** It hears the answers to what it has asked, and connect ends by itself. */
    @Test
    void standardInputIsClosed() throws Exception {
        Set<Moment> ending = EnumSet.complementOf(
                EnumSet.of(Moment.A_CALL_RUNS, Moment.A_MODERN_CALL_RUNS, Moment.A_CALL_WAITS_FOR_A_PERSON));
        leavesNothing(ending, moment -> {
            Process process = connect().start();
            Talk talk = talk(process);
            moment.reach(talk);
            talk.in.close();
            List<String> rest = talk.out.lines().toList();
            assertThat(process.waitFor()).as("the exit code").isZero();
            switch (moment) {
                case HALF_A_MESSAGE ->
                    assertThat(rest).singleElement().asString().contains("-32700");
                case THE_SERVER_ASKS ->
                    assertThat(rest).singleElement().asString().contains("\"id\":1", "the client is gone");
                default -> assertThat(rest).noneMatch(line -> line.contains("\"error\""));
            }
        });
    }

    @Test
    void standardInputAndOutputAreClosed() throws Exception {
        leavesNothing(EnumSet.allOf(Moment.class), moment -> {
            Process process = connect().start();
            Talk talk = talk(process);
            moment.reach(talk);
            talk.in.close();
            process.getInputStream().close();
            process.waitFor();
        });
    }

    /** Nobody can tell before something is said. */
    @Test
    void standardOutputIsClosed() throws Exception {
        leavesNothing(EnumSet.of(Moment.IDLE), moment -> {
            Process process = connect().start();
            Talk talk = talk(process);
            Moment.IDLE.reach(talk);
            process.getInputStream().close();
            talk.say("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
            assertThat(process.waitFor()).as("the exit code").isEqualTo(1);
        });
    }

    /** A closed stdin is no reason to give up what was asked before. */
    @Test
    void whatWasAskedBeforeTheEndIsAnswered() throws Exception {
        leavesNothing(EnumSet.of(Moment.IDLE), moment -> {
            Process process = connect().start();
            Talk talk = talk(process);
            talk.initialize();
            Path called = data.resolve("called-" + FILES.incrementAndGet());
            Path until = data.resolve("until-" + FILES.incrementAndGet());
            talk.say(Moment.call(
                    1,
                    "slow",
                    "{\"file\":" + JsonStrings.quote(called.toString()) + ",\"until\":"
                            + JsonStrings.quote(until.toString()) + "}"));
            Await.file(called);
            talk.in.close();
            Files.createFile(until);
            assertThat(talk.hear()).contains("\"id\":1", "slow but done");
            assertThat(process.waitFor()).isZero();
        });
    }

    /** As the gateway sees it: hundreds of connections, many at a time, which end at every moment. */
    @Test
    void hundredsOfConnectionsLeaveNothing() throws Exception {
        // Servers are processes: most connections have none.
        List<Moment> moments = new ArrayList<>(Collections.nCopies(CONNECTIONS_A_ROUND / 10, Moment.A_CALL_RUNS));
        for (int i = 0; i < CONNECTIONS_A_ROUND; i++) {
            moments.add(List.of(Moment.SAID_NOTHING, Moment.HALF_A_MESSAGE, Moment.A_SUBSCRIPTION_IS_OPEN)
                    .get(i % 3));
        }
        leavesNothing(moments, moment -> {
            try (SecretValue key = new SecretValue(gateway.key().getBytes(StandardCharsets.UTF_8));
                    ControlClient.Stream stream = gateway.control().open("connect", Map.of(), key)) {
                moment.reach(new Talk(
                        stream.out(), new BufferedReader(new InputStreamReader(stream.in(), StandardCharsets.UTF_8))));
            }
        });
    }

    private interface Dropping {
        void at(Moment moment) throws Exception;
    }

    /** Ends a client at each moment, all side by side, and again; then as much is there as after the first time. */
    private static void leavesNothing(Collection<Moment> moments, Dropping dropping) throws Exception {
        drop(moments, dropping);
        awaitNothing();
        long before = descriptors();
        for (int round = 1; round < ROUNDS; round++) {
            drop(moments, dropping);
        }
        awaitNothing();
        Await.until("no more descriptors are open than before", () -> descriptors() <= before + 2);
    }

    private static void drop(Collection<Moment> moments, Dropping dropping) throws Exception {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (Moment moment : moments) {
                ends.add(each.submit(() -> {
                    dropping.at(moment);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static void awaitNothing() throws Exception {
        Await.until("nobody is asked any more", () -> approvals().isEmpty());
        Await.until(
                "nothing of a conversation runs at the gateway", () -> threads().isEmpty());
        Await.until(
                "no server of a session runs", () -> gateway.processes().size() <= 2); // a modern agent's stays a while
    }

    private static long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/" + gateway.pid() + "/fd"))) {
            return open.count();
        }
    }

    /** The gateway's threads that are at work for a client of connect, virtual ones included; but the one that listens. */
    private static List<String> threads() throws Exception {
        Path dump = data.resolve("threads-" + FILES.incrementAndGet() + ".json");
        Process command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(gateway.pid()),
                        "Thread.dump_to_file",
                        "-format=json",
                        dump.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (command.waitFor() != 0) {
            return List.of("unknown: the gateway was too busy to tell");
        }
        try (var lines = Files.lines(dump)) {
            return lines.filter(line -> line.contains("\"name\":"))
                    .map(line -> line.substring(line.indexOf(':') + 1)
                            .replaceAll("[\",]", "")
                            .strip())
                    .filter(name -> name.startsWith("stdio-")
                            || name.startsWith("control-")
                            || (name.startsWith("mcp-") && !name.equals("mcp-tidy")))
                    .toList();
        } catch (UncheckedIOException e) {
            throw new AssertionError("the dump of threads cannot be read", e);
        } finally {
            Files.deleteIfExists(dump);
        }
    }
}
