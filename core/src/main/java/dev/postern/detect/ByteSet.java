package dev.postern.detect;

/** A set of byte values: the alphabet of a run. Immutable once built; membership is one array read. */
final class ByteSet {
    private final boolean[] members = new boolean[256];

    static ByteSet of(String characters) {
        ByteSet set = new ByteSet();
        for (int i = 0; i < characters.length(); i++) {
            set.add(characters.charAt(i));
        }
        return set;
    }

    boolean contains(byte b) {
        return members[b & 0xFF];
    }

    ByteSet add(int value) {
        members[value] = true;
        return this;
    }

    ByteSet addRange(int from, int to) {
        for (int value = from; value <= to; value++) {
            members[value] = true;
        }
        return this;
    }

    ByteSet addAll(ByteSet other) {
        for (int value = 0; value < 256; value++) {
            members[value] |= other.members[value];
        }
        return this;
    }

    /** Everything else, bytes of multi-byte characters included. */
    ByteSet complement() {
        ByteSet set = new ByteSet();
        for (int value = 0; value < 256; value++) {
            set.members[value] = !members[value];
        }
        return set;
    }

    /** Closes the set under ASCII case. */
    ByteSet foldCase() {
        for (int upper = 'A'; upper <= 'Z'; upper++) {
            boolean either = members[upper] || members[upper + 32];
            members[upper] = either;
            members[upper + 32] = either;
        }
        return this;
    }
}
