package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Starts a server as a child: the configured command, a small environment, a session of its own where the system has
 * {@code setsid}, so that whatever it starts can be found and ended with it.
 */
final class ChildProcess {
    /** What a child gets of our environment. Nothing of ours that could hold a key or a proxy's password. */
    private static final List<String> INHERITED = List.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "LC_ALL",
            "LC_CTYPE",
            "TERM",
            "TMPDIR",
            "TZ",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "NODE_EXTRA_CA_CERTS");

    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    /** @param leadsSession whether the child leads a session of its own */
    record Started(Process process, boolean leadsSession) {}

    private ChildProcess() {}

    static Started start(ServerSpec.Stdio spec) {
        ProcessBuilder builder = new ProcessBuilder();
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        spec.environment().forEach((name, value) -> environment.put(name, text(value)));
        Path directory = spec.directory();
        if (directory != null) {
            if (!Files.isDirectory(directory)) {
                throw new UpstreamException(Kind.FAILED, "the server's working directory does not exist");
            }
            builder.directory(directory.toFile());
        }
        List<String> command = new ArrayList<>();
        Path setsid = SETSID.stream().filter(Files::isExecutable).findFirst().orElse(null);
        if (setsid != null) {
            command.add(setsid.toString());
        }
        command.add(find(
                text(spec.command()),
                environment.getOrDefault("PATH", DEFAULT_PATH),
                directory == null ? Path.of("") : directory));
        spec.arguments().forEach(argument -> command.add(text(argument)));
        try {
            return new Started(builder.command(command).start(), setsid != null);
        } catch (IOException | IllegalArgumentException e) {
            // Its text quotes the command, which may hold a value.
            throw new UpstreamException(Kind.FAILED, "the server's command cannot be started");
        }
    }

    /** The file that a command names, as a shell would find it; so that a missing one is told from one that fails. */
    private static String find(String command, String searchPath, Path directory) {
        if (command.contains("/")) {
            if (Files.isExecutable(directory.resolve(command))) {
                return command;
            }
        } else {
            for (String folder : searchPath.split(File.pathSeparator, -1)) {
                Path candidate = directory.resolve(folder).resolve(command);
                if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
                    return candidate.toAbsolutePath().toString();
                }
            }
        }
        throw new UpstreamException(Kind.FAILED, "the server's command was not found");
    }

    /** The platform takes strings only; this one lives as long as the start. */
    private static String text(SecretValue value) {
        byte[] bytes = value.reveal(Reveal.TO_DELIVER);
        try {
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (!Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"))
                    .newEncoder()
                    .canEncode(text)) {
                throw new UpstreamException(
                        Kind.FAILED, "the server's command or environment does not fit the locale of the gateway");
            }
            return text;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
