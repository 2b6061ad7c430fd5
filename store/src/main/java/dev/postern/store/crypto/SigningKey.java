package dev.postern.store.crypto;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;

/**
 * An Ed25519 key that signs, and what whoever checks needs of it. The public key is X.509 ({@code SubjectPublicKeyInfo});
 * its id is the beginning of its SHA-256. Thread-safe.
 */
public final class SigningKey {
    private static final String ALGORITHM = "Ed25519";
    private static final int ID_BYTES = 8;

    private final PrivateKey privateKey;
    private final byte[] publicKey;

    private SigningKey(PrivateKey privateKey, byte[] publicKey) {
        this.privateKey = privateKey;
        this.publicKey = publicKey;
    }

    public static SigningKey generate() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
            return new SigningKey(pair.getPrivate(), pair.getPublic().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform since 15 has Ed25519", e);
        }
    }

    /**
     * A key that was stored.
     *
     * @param privateKey PKCS #8; the caller wipes it
     * @throws SealException unless the two belong together
     */
    public static SigningKey of(byte[] privateKey, byte[] publicKey) {
        try {
            SigningKey key = new SigningKey(
                    KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(privateKey)),
                    publicKey.clone());
            if (!verifies(publicKey, publicKey, key.sign(publicKey))) {
                throw new SealException("a public key that is not the signing key's");
            }
            return key;
        } catch (GeneralSecurityException e) {
            throw new SealException("not a signing key");
        }
    }

    public String id() {
        return id(publicKey);
    }

    public byte[] publicKey() {
        return publicKey.clone();
    }

    /** PKCS #8, to be sealed. The caller wipes it. */
    public byte[] privateKey() {
        return privateKey.getEncoded();
    }

    public byte[] sign(byte[] text) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(privateKey);
            signature.update(text);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("signing failed", e);
        }
    }

    /** Whether a text was signed by the private key that belongs to this public one; false for what is no key. */
    public static boolean verifies(byte[] publicKey, byte[] text, byte[] signature) {
        try {
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(publicKey)));
            check.update(text);
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Names a public key. */
    public static String id(byte[] publicKey) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(publicKey);
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** A public key as a PEM file, as {@code openssl} reads it. */
    public static String pem(byte[] publicKey) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey)
                + "\n-----END PUBLIC KEY-----\n";
    }

    /**
     * The public key of a PEM file.
     *
     * @throws IllegalArgumentException if it holds none
     */
    public static byte[] fromPem(String pem) {
        String body = pem.replaceAll("-----(BEGIN|END) PUBLIC KEY-----", "").replaceAll("\\s", "");
        byte[] key = Base64.getDecoder().decode(body);
        if (key.length == 0) {
            throw new IllegalArgumentException("no public key");
        }
        return key;
    }

    @Override
    public String toString() {
        return "SigningKey[" + id() + "]";
    }
}
