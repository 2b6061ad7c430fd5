package dev.postern.mcp.sdk;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Another version of the official Java SDK beside the one on the class path: its jars, which the build copies into a folder of
 * their own, come first for the SDK's classes and for {@link SessionClient}; everything else is shared.
 */
final class OlderSdk extends URLClassLoader {
    private static final List<String> OWN = List.of("io.modelcontextprotocol.", SessionClient.class.getName());

    private OlderSdk(URL[] jars) {
        super(jars, OlderSdk.class.getClassLoader());
    }

    /** The version whose jars are in {@code target/sdk-VERSION}. */
    static OlderSdk of(String version) throws IOException {
        List<URL> urls = new ArrayList<>();
        Path folder = Path.of("target", "sdk-" + version);
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
                for (Path jar : jars) {
                    urls.add(jar.toUri().toURL());
                }
            }
        }
        if (urls.isEmpty()) {
            throw new IllegalStateException("the build did not copy the SDK's jars into " + folder);
        }
        urls.add(SessionClient.class.getProtectionDomain().getCodeSource().getLocation());
        return new OlderSdk(urls.toArray(URL[]::new));
    }

    /** A client of that version. */
    @SuppressWarnings("unchecked") // the same interface, from the same loader
    BiFunction<List<String>, List<String>, List<String>> sessionClient() throws ReflectiveOperationException {
        return (BiFunction<List<String>, List<String>, List<String>>) loadClass(SessionClient.class.getName())
                .getDeclaredConstructor()
                .newInstance();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (OWN.stream().noneMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    /** Services too: the one of the other version is registered under the same name. */
    @Override
    public java.util.Enumeration<URL> getResources(String name) throws IOException {
        return name.startsWith("META-INF/services/io.modelcontextprotocol")
                ? findResources(name)
                : super.getResources(name);
    }
}
