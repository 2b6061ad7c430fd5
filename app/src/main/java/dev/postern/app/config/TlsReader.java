package dev.postern.app.config;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads {@code tls}: {@code certificate} and {@code key}, or {@code keystore} and {@code password}. */
final class TlsReader {
    private static final Set<String> PEM = Set.of("certificate", "key");
    private static final Set<String> PKCS12 = Set.of("keystore", "password");

    private final ConfigFile file;
    private final Variables variables;

    TlsReader(ConfigFile file, Variables variables) {
        this.file = file;
        this.variables = variables;
    }

    /** Null where there is none. */
    @Nullable
    ConfiguredTls read(JsonValue root) {
        JsonValue tls = root.member("tls");
        if (tls == null) {
            return null;
        }
        Set<String> members = new TreeSet<>();
        if (tls.is(Kind.OBJECT)) {
            tls.forEachMember((name, value) -> members.add(name.string()));
        }
        if (members.equals(PEM)) {
            return new ConfiguredTls.Pem(path(tls, "certificate"), path(tls, "key"));
        }
        if (members.equals(PKCS12)) {
            return new ConfiguredTls.Pkcs12(path(tls, "keystore"), text(tls, "password"));
        }
        throw wrong(
                tls, "/tls", "it has 'certificate' and 'key' for PEM files, or 'keystore' and 'password' for PKCS #12");
    }

    private Path path(JsonValue tls, String name) {
        return file.directory().resolve(text(tls, name).text());
    }

    private Setting text(JsonValue tls, String name) {
        JsonValue value = tls.member(name);
        if (value == null || !value.is(Kind.STRING) || value.string().isEmpty()) {
            throw wrong(value == null ? tls : value, "/tls/" + name, "this is not a text");
        }
        String place = file.place(value, "/tls/" + name);
        return new Setting(variables.expand(value.string(), place), place);
    }

    private ConfigException wrong(JsonValue at, String pointer, String what) {
        return new ConfigException(file.place(at, pointer) + ": " + what + ".");
    }
}
