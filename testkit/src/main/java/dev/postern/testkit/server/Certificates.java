package dev.postern.testkit.server;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for this machine, made by the JDK's keytool, as PKCS #12 and as PEM. */
public record Certificates(Path keystore, Path certificate, Path key) {
    public static final String PASSWORD = "changeit";

    /** Makes one. */
    public static Certificates in(Path directory, String name, String algorithm) throws Exception {
        Path keystore = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        keystore.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keyalg",
                        algorithm,
                        "-alias",
                        name,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "2"))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            store.load(in, PASSWORD.toCharArray());
        }
        Path certificate = directory.resolve(name + ".pem");
        Path key = directory.resolve(name + ".key");
        Files.writeString(
                certificate, pem("CERTIFICATE", store.getCertificate(name).getEncoded()));
        Files.writeString(
                key,
                pem("PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded()));
        return new Certificates(keystore, certificate, key);
    }

    private static String pem(String kind, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
    }

    /** What a client trusts that trusts this certificate alone. */
    public SSLContext trusted() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        String alias = store.aliases().nextElement();
        trust.setCertificateEntry(alias, store.getCertificate(alias));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trust);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
