package dev.postern.store.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** V2: what is sealed opens only with its key, in its place, unchanged. */
final class KeyRingTest {
    private static final byte[] VALUE = "correct horse".getBytes(StandardCharsets.UTF_8);

    private final RootKey root = new RootKey(AesKey.random());
    private final KeyRing ring = new KeyRing();

    @BeforeEach
    void firstKey() {
        ring.add(root, 1, KeyRing.generate(root, 1));
    }

    @Test
    void aSealedFieldOpensThroughItsWrappedDataKey() {
        try (RecordKey key = ring.newRecordKey("local", "id", 1)) {
            WrappedKey wrapped = ring.wrap(key);
            byte[] sealed = key.seal("password", VALUE);
            try (RecordKey again = ring.unwrap(wrapped, "local", "id", 1)) {
                assertThat(again.open("password", sealed)).isEqualTo(VALUE);
            }
        }
    }

    @Test
    void aFieldDoesNotOpenAsAnotherField() {
        try (RecordKey key = ring.newRecordKey("local", "id", 1)) {
            byte[] sealed = key.seal("password", VALUE);
            assertThatThrownBy(() -> key.open("notes", sealed)).isInstanceOf(SealException.class);
        }
    }

    @Test
    void aDataKeyDoesNotOpenForAnotherTenantRecordOrVersion() {
        WrappedKey wrapped = ring.wrap(ring.newRecordKey("local", "id", 1));
        assertThatThrownBy(() -> ring.unwrap(wrapped, "other", "id", 1)).isInstanceOf(SealException.class);
        assertThatThrownBy(() -> ring.unwrap(wrapped, "local", "other", 1)).isInstanceOf(SealException.class);
        assertThatThrownBy(() -> ring.unwrap(wrapped, "local", "id", 2)).isInstanceOf(SealException.class);
    }

    @Test
    void fieldsOfOneDataKeyAreBoundToTheRecordToo() {
        RecordKey key = new RecordKey(AesKey.random(), new Binding("local", "id", "", 1));
        byte[] sealed = key.seal("password", VALUE);
        AesKey same = AesKey.random();
        RecordKey one = new RecordKey(same, new Binding("local", "a", "", 1));
        RecordKey two = new RecordKey(same, new Binding("local", "b", "", 1));
        assertThatThrownBy(() -> two.open("password", one.seal("password", VALUE)))
                .isInstanceOf(SealException.class);
        assertThatThrownBy(() -> one.open("password", sealed)).isInstanceOf(SealException.class);
    }

    @Test
    void placesWhosePartsRunTogetherAlikeAreDifferentPlaces() {
        assertThat(new Binding("a", "bc", "d", 1).associatedData())
                .isNotEqualTo(new Binding("ab", "c", "d", 1).associatedData());
    }

    @Test
    void everyChangedBitIsNoticed() {
        try (RecordKey key = ring.newRecordKey("local", "id", 1)) {
            byte[] sealed = key.seal("password", VALUE);
            for (int bit = 0; bit < sealed.length * 8; bit++) {
                byte[] changed = sealed.clone();
                changed[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatThrownBy(() -> key.open("password", changed)).isInstanceOf(SealException.class);
            }
        }
    }

    @Test
    void twoSealsOfOneValueDiffer() {
        try (RecordKey key = ring.newRecordKey("local", "id", 1)) {
            assertThat(key.seal("password", VALUE)).isNotEqualTo(key.seal("password", VALUE));
        }
    }

    @Test
    void anotherRootKeyOpensNothing() {
        byte[] wrapped = KeyRing.generate(root, 7);
        RootKey other = new RootKey(AesKey.random());
        assertThat(other.opens(7, wrapped)).isFalse();
        assertThat(root.opens(8, wrapped)).isFalse();
        assertThat(root.opens(7, wrapped)).isTrue();
    }

    @Test
    void aClosedKeySealsNothingMore() {
        AesKey key = AesKey.random();
        key.close();
        assertThatThrownBy(() -> key.seal(VALUE, new byte[0])).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nothingShowsAKey() {
        assertThat(root).hasToString("RootKey[hidden]");
        assertThat(ring.newRecordKey("local", "id", 1)).hasToString("RecordKey[hidden]");
        assertThat(AesKey.random()).hasToString("AesKey[hidden]");
    }
}
