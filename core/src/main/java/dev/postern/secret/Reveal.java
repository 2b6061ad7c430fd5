package dev.postern.secret;

/**
 * Why a value is read. There are no other reasons; a search for {@code Reveal.} finds every reader of every secret in
 * the product. Idea: the access tokens of Tink's key handles.
 */
public enum Reveal {
    /** To place it into the arguments of an approved call, a server's configuration or a child's environment. */
    TO_DELIVER,
    /** To find it in what comes back. */
    TO_SCRUB,
    /** To encrypt it for the vault, or to compute on it there. */
    TO_SEAL
}
