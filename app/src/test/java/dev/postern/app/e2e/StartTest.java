package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong at a start is said in one plain sentence, with exit code 1 or 2, and nothing is damaged. */
class StartTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void theFirstStartMakesEverythingPrivateAndPrintsWhatToPaste() throws Exception {
        Path data = directory.resolve("data");
        try (RunningGateway gateway = RunningGateway.start(data)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("postern.key"))))
                    .isEqualTo("rw-------");
            assertThat(gateway.key()).isNotEmpty();
            assertThat(gateway.stop()).isZero();
        }
        assertThat(data.resolve("postern.sock")).doesNotExist();
        PosternProcess.Finished status = PosternProcess.run(data, "status");
        assertThat(status.exitCode()).isEqualTo(5);
    }

    @Test
    void aSecondUpOnTheSameDirectorySaysWhoHoldsIt() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(directory.resolve("data"))) {
            refused(1, "in use by process " + gateway.pid(), up(directory.resolve("data"), "--port", "0"));
            assertThat(gateway.ask("status", Map.of())).isNotNull();
        }
    }

    @Test
    void anOccupiedPortIsNamed() throws Exception {
        try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(occupied.getLocalPort());
            refused(1, "port " + port, up(directory.resolve("data"), "--port", port));
        }
        assertThat(directory.resolve("data/postern.db")).doesNotExist();
    }

    @Test
    void aWrongKeyTouchesNothing() throws Exception {
        Path data = directory.resolve("data");
        try (RunningGateway gateway = RunningGateway.start(data)) {
            gateway.addSecret("db", "a value that is long enough");
            gateway.stop();
        }
        byte[] database = Files.readAllBytes(data.resolve("postern.db"));
        byte[] key = Files.readAllBytes(data.resolve("postern.key"));
        PosternProcess.Finished up =
                PosternProcess.run(data, new byte[0], Map.of("POSTERN_KEY", "00".repeat(32)), "up", "--port", "0");
        refused(1, "key", up);
        assertThat(Files.readAllBytes(data.resolve("postern.db"))).isEqualTo(database);
        assertThat(Files.readAllBytes(data.resolve("postern.key"))).isEqualTo(key);
        try (RunningGateway gateway = RunningGateway.start(data)) {
            assertThat(gateway.ask("secret.list", Map.of()).elements()).hasSize(1);
        }
    }

    @Test
    void aBadConfigurationNamesItsPlace() throws Exception {
        Path data = directory.resolve("data");
        Path config = Files.writeString(
                directory.resolve("mine.json"), "{\n \"mcpServers\": { \"a\": { \"command\": 5, \"url\": 6 } } }");
        refused(1, "mine.json line 2, /mcpServers/a", up(data, "--port", "0", "--config", config.toString()));
        Files.writeString(config, "{ oops");
        refused(1, "mine.json line 1", up(data, "--port", "0", "--config", config.toString()));
        refused(
                2,
                "does not exist",
                up(
                        data,
                        "--port",
                        "0",
                        "--config",
                        directory.resolve("none.json").toString()));
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        refused(1, "is a file", up(file, "--port", "0"));
        refused(1, "/proc/postern", up(Path.of("/proc/postern"), "--port", "0"));
    }

    @Test
    void wrongUsageIsExitCodeTwo() throws Exception {
        Path data = directory.resolve("data");
        refused(2, "--port", up(data, "--port", "70000"));
        refused(2, "--port", up(data, "--port", "abc"));
        refused(2, "embedded database", up(data, "--database", "jdbc:postgresql://x/y"));
        refused(2, "Unknown option", PosternProcess.run(data, "status", "--nonsense"));
        refused(2, "command is missing", PosternProcess.run(data, "secret"));
    }

    private static PosternProcess.Finished up(Path data, String... options) throws Exception {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "up";
        arguments[1] = "--data";
        arguments[2] = data.toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return PosternProcess.run(data, arguments);
    }

    private static void refused(int exitCode, String says, PosternProcess.Finished finished) {
        assertThat(finished.exitCode()).as(finished.err()).isEqualTo(exitCode);
        assertThat(finished.err()).contains(says).doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(finished.err().lines().filter(line -> line.startsWith("postern: ")))
                .hasSize(1);
    }
}
