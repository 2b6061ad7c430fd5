package dev.postern.mcp.tls;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the key and certificates of TLS are: two PEM files, as certificate authorities' clients leave them, or a PKCS #12
 * file. Read anew whenever they change.
 */
public final class TlsKeys {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final String ALIAS = "postern";
    /** Of a key store in memory that nobody else gets. */
    private static final char[] NO_PASSWORD = new char[0];

    private final Path certificates;
    private final @Nullable Path key;
    private final @Nullable SecretValue password;

    private TlsKeys(Path certificates, @Nullable Path key, @Nullable SecretValue password) {
        this.certificates = certificates;
        this.key = key;
        this.password = password;
    }

    /**
     * PEM files.
     *
     * @param certificates the server's first, then those that lead to a known authority
     * @param key PKCS #8, not encrypted
     */
    public static TlsKeys pem(Path certificates, Path key) {
        return new TlsKeys(certificates, key, null);
    }

    /** A PKCS #12 file with one key; the password is taken over. */
    public static TlsKeys pkcs12(Path file, SecretValue password) {
        return new TlsKeys(file, null, password);
    }

    /** What is read. */
    public List<Path> files() {
        return key == null ? List.of(certificates) : List.of(certificates, key);
    }

    /**
     * A key store without a password that holds one key and its certificates.
     *
     * @throws IOException with a sentence that names the file and the remedy
     */
    public KeyStore load() throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            Path keyFile = key;
            SecretValue opens = password;
            if (keyFile != null) {
                Certificate[] chain = chain();
                PrivateKey privateKey =
                        privateKey(keyFile, chain[0].getPublicKey().getAlgorithm());
                requirePair(privateKey, chain[0]);
                store.setKeyEntry(ALIAS, privateKey, NO_PASSWORD, chain);
            } else if (opens != null) {
                copy(opens, store);
            }
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "the key of TLS does not fit its certificates: name the pair that was issued together", e);
        }
    }

    private Certificate[] chain() throws IOException {
        try (InputStream in = new ByteArrayInputStream(read(certificates))) {
            Collection<? extends Certificate> chain =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (chain.isEmpty()) {
                throw new IOException("there is no certificate in " + certificates + ": name a PEM file that has one");
            }
            return chain.toArray(Certificate[]::new);
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates in " + certificates + " cannot be read: name a PEM file", e);
        }
    }

    private static PrivateKey privateKey(Path file, String algorithm) throws IOException, GeneralSecurityException {
        byte[] pem = read(file);
        byte[] body = new byte[0];
        byte[] encoded = new byte[0];
        try {
            int begin = indexOf(pem, BEGIN, 0);
            int end = begin < 0 ? -1 : indexOf(pem, END, begin);
            if (end < 0) {
                throw new IOException("there is no unencrypted PKCS #8 key in " + file
                        + ": 'openssl pkcs8 -topk8 -nocrypt -in KEY -out FILE' makes one of others");
            }
            body = Arrays.copyOfRange(pem, begin + BEGIN.length(), end);
            encoded = Base64.getMimeDecoder().decode(body);
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException e) {
            throw new IOException("the key in " + file + " is damaged");
        } finally {
            Arrays.fill(pem, (byte) 0);
            Arrays.fill(body, (byte) 0);
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** A pair that does not belong together would be noticed by clients only. */
    private static void requirePair(PrivateKey key, Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        byte[] signature = signing.sign();
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(certificate.getPublicKey());
        if (!verifying.verify(signature)) {
            throw new GeneralSecurityException("another key");
        }
    }

    private static int indexOf(byte[] bytes, String text, int from) {
        byte[] sought = text.getBytes(StandardCharsets.US_ASCII);
        for (int at = from; at <= bytes.length - sought.length; at++) {
            if (Arrays.equals(bytes, at, at + sought.length, sought, 0, sought.length)) {
                return at;
            }
        }
        return -1;
    }

    private void copy(SecretValue opens, KeyStore target) throws IOException, GeneralSecurityException {
        byte[] bytes = opens.reveal(Reveal.TO_DELIVER);
        char[] characters = new char[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            characters[i] = (char) (bytes[i] & 0xFF);
        }
        try (InputStream in = new ByteArrayInputStream(read(certificates))) {
            KeyStore file = KeyStore.getInstance("PKCS12");
            try {
                file.load(in, characters);
            } catch (IOException e) {
                throw new IOException("the PKCS #12 file " + certificates
                        + " does not open: it is damaged, or the password is wrong");
            }
            for (String alias : Collections.list(file.aliases())) {
                if (file.isKeyEntry(alias)) {
                    target.setKeyEntry(
                            ALIAS, file.getKey(alias, characters), NO_PASSWORD, file.getCertificateChain(alias));
                    return;
                }
            }
            throw new IOException("the PKCS #12 file " + certificates + " holds no key");
        } finally {
            Arrays.fill(bytes, (byte) 0);
            Arrays.fill(characters, '\0');
        }
    }

    private static byte[] read(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file + ", which 'tls' in the configuration names");
        } catch (IOException e) {
            throw new IOException("the file " + file + ", which 'tls' in the configuration names, cannot be read");
        }
    }
}
