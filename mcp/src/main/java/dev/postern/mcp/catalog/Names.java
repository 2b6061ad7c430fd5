package dev.postern.mcp.catalog;

import dev.postern.gate.call.ToolName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How an item of one server is called among those of all: {@code server__item}. Clients take at most 64 characters, some
 * with a prefix of their own, so a longer name keeps its start and ends in a digest of the whole: the same on every node
 * and in every session.
 */
public final class Names {
    /** The longest name that is offered. */
    public static final int MAX_LENGTH = 60;

    private static final int DIGEST_LENGTH = 8;

    private Names() {}

    public static String qualified(String server, String item) {
        String whole = server + ToolName.SEPARATOR + item;
        if (whole.length() <= MAX_LENGTH) {
            return whole;
        }
        return whole.substring(0, MAX_LENGTH - DIGEST_LENGTH - 1) + "_" + digest(whole);
    }

    /** Whether a name may have been cut: then only the server's list tells which item is meant. */
    public static boolean mayBeShortened(String qualified) {
        return qualified.length() == MAX_LENGTH && qualified.charAt(MAX_LENGTH - DIGEST_LENGTH - 1) == '_';
    }

    private static String digest(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, DIGEST_LENGTH / 2);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
