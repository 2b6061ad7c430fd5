package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs {@code postern} commands in processes of their own. */
final class PosternProcess {
    static final long PATIENCE_SECONDS = 120;

    private PosternProcess() {}

    /** What a command did. */
    record Finished(int exitCode, String out, String err) {}

    /** Runs a command to its end. */
    static Finished run(Path data, byte[] input, String... arguments) throws IOException, InterruptedException {
        return run(data, input, Map.of(), arguments);
    }

    static Finished run(Path data, byte[] input, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("postern-out", ".txt");
        Path err = Files.createTempFile("postern-err", ".txt");
        Path in = Files.createTempFile("postern-in", ".txt");
        try {
            Files.write(in, input);
            ProcessBuilder builder = builder(arguments);
            builder.environment().put("POSTERN_DATA", data.toString());
            builder.environment().putAll(environment);
            Process process = builder.redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the command did not end: " + List.of(arguments));
            }
            return new Finished(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
            Files.delete(in);
        }
    }

    static Finished run(Path data, String... arguments) throws IOException, InterruptedException {
        return run(data, new byte[0], arguments);
    }

    static ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx384m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                "dev.postern.app.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("POSTERN_"));
        return builder;
    }

    /** Surefire starts its JVM on a jar that only points at the class path. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator);
    }

    static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }
}
