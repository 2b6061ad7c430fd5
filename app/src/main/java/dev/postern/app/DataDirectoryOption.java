package dev.postern.app;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the data directory is: {@code --data}, else {@code $POSTERN_DATA}, else {@code ~/.postern}. */
public final class DataDirectoryOption {
    private DataDirectoryOption() {}

    /** The directory where {@code --data} was not given. */
    public static Path ofEnvironment() {
        String variable = System.getenv("POSTERN_DATA");
        return variable != null && !variable.isEmpty()
                ? Path.of(variable)
                : Path.of(System.getProperty("user.home"), ".postern");
    }

    /** For {@code connect} alone or with {@code --data DIR}: the directory. Null for anything that takes a real parser. */
    static @Nullable Path ofPlainConnect(String[] arguments) {
        if (arguments.length == 0 || !arguments[0].equals("connect")) {
            return null;
        }
        if (arguments.length == 1) {
            return ofEnvironment();
        }
        if (arguments.length == 2 && arguments[1].startsWith("--data=")) {
            return Path.of(arguments[1].substring("--data=".length()));
        }
        return arguments.length == 3 && arguments[1].equals("--data") ? Path.of(arguments[2]) : null;
    }
}
