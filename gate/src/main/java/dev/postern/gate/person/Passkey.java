package dev.postern.gate.person;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A passkey of somebody's: what proves a signature of their device.
 *
 * @param id names it, and opens nothing
 * @param person the person's id
 * @param name what they call it
 * @param relyingParty the host name it works for
 * @param credential the authenticator's id of it, in base64url
 * @param publicKey the attested credential data (WebAuthn 6.5.1), in base64url
 * @param isBackupEligible whether it may be copied to other devices of theirs
 * @param signatures how many signatures the authenticator counted; 0 where it does not count
 */
public record Passkey(
        String id,
        String person,
        String name,
        String relyingParty,
        String credential,
        String publicKey,
        boolean isBackupEligible,
        long signatures,
        Instant created,
        @Nullable Instant lastUsed) {}
