package dev.postern.store.ledger;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What whoever verifies has kept elsewhere, out of reach of who could change the ledger.
 *
 * @param publicKey the key that must have signed every checkpoint, X.509; null for the one the ledger names itself
 * @param kept checkpoints: the chains must still go through each of them
 */
public record LedgerProofs(byte @Nullable [] publicKey, List<Checkpoint> kept) {
    /** Nothing was kept: what the ledger says of itself must agree. */
    public static final LedgerProofs NONE = of(List.of());

    public LedgerProofs {
        publicKey = publicKey == null ? null : publicKey.clone();
        kept = kept.stream()
                .sorted(Comparator.comparingLong(Checkpoint::entries))
                .toList();
    }

    /** Checkpoints were kept. */
    public static LedgerProofs of(List<Checkpoint> kept) {
        return new LedgerProofs(null, kept);
    }

    /** The public key was kept, X.509, and perhaps checkpoints. */
    public static LedgerProofs of(byte[] publicKey, List<Checkpoint> kept) {
        return new LedgerProofs(publicKey, kept);
    }

    @Override
    public byte @Nullable [] publicKey() {
        return publicKey == null ? null : publicKey.clone();
    }

    @Override
    public String toString() {
        return "LedgerProofs[" + (publicKey == null ? "" : "a key, ") + kept.size() + " checkpoints]";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LedgerProofs proofs
                && Arrays.equals(publicKey, proofs.publicKey)
                && kept.equals(proofs.kept);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(publicKey) + kept.hashCode();
    }
}
