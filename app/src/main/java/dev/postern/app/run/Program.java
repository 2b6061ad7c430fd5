package dev.postern.app.run;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file that a command's first word names, as a shell would find it. */
final class Program {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private Program() {}

    /**
     * Finds it.
     *
     * @param searchPath {@code PATH}
     * @throws ControlException with exit code 1 if there is none, or it may not be run
     */
    static Path find(String command, @Nullable String searchPath) {
        boolean forbidden = false;
        try {
            if (command.contains("/")) {
                Path named = Path.of(command);
                if (isProgram(named)) {
                    return named;
                }
                forbidden = Files.exists(named);
            } else if (!command.isEmpty()) {
                String folders = searchPath == null ? DEFAULT_PATH : searchPath;
                for (String folder : folders.split(File.pathSeparator, -1)) {
                    Path candidate = Path.of(folder).resolve(command);
                    if (isProgram(candidate)) {
                        return candidate.toAbsolutePath();
                    }
                    forbidden |= Files.isRegularFile(candidate);
                }
            }
        } catch (InvalidPathException e) {
            // Then no file has that name.
        }
        throw new ControlException(
                ExitCode.FAILED,
                forbidden
                        ? "the command '" + command + "' is not an executable file; nothing was started."
                        : "the command '" + command
                                + "' was not found; give its path, or check PATH. Nothing was started.");
    }

    private static boolean isProgram(Path file) {
        return Files.isExecutable(file) && !Files.isDirectory(file);
    }
}
