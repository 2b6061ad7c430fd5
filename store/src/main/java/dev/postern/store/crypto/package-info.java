/**
 * How secrets are kept (V2): AES-256-GCM, one data key for each record, wrapped by a versioned key-encryption key, which is
 * itself wrapped by the root key that the operator holds.
 *
 * <pre>
 * root key (POSTERN_KEY | postern.key | passphrase through Argon2id)
 *   └ wraps key-encryption key, version n
 *       └ wraps data key of one version of one secret
 *           └ seals its value, its notes
 * </pre>
 *
 * <p>In: plaintext and keys as byte arrays. Out: sealed bytes that open only in the place they were made for
 * ({@link dev.postern.store.crypto.Binding}). No SQL here. Arrays that hold keys or plaintext are wiped by whoever made
 * them; no exception, {@code toString} or log shows one.
 */
@NullMarked
package dev.postern.store.crypto;

import org.jspecify.annotations.NullMarked;
