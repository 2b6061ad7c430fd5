package dev.postern.app.config;

import java.nio.file.Path;

/** Where the key and certificates of TLS are. */
public sealed interface ConfiguredTls {
    /** Two PEM files. */
    record Pem(Path certificate, Path key) implements ConfiguredTls {}

    /** A PKCS #12 file; its password may be a reference. */
    record Pkcs12(Path keystore, Setting password) implements ConfiguredTls {}
}
