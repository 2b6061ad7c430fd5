package dev.postern.gate.call;

import dev.postern.json.JsonValue;
import java.util.List;

/**
 * What comes into a call's arguments from elsewhere, such as the answer of an earlier call. It is put in after references were
 * found in what the agent wrote, so text that came from a server can never be one, not even a part of one (R9).
 */
@FunctionalInterface
public interface Filling {
    /** Nothing comes from elsewhere. */
    Filling NONE = arguments -> List.of();

    /**
     * What to put where.
     *
     * @param arguments as the agent wrote them
     * @return gaps in document order that do not overlap
     * @throws RefusedException if it cannot be told
     */
    List<Gap> gaps(JsonValue arguments);

    /**
     * A part of the arguments and what takes its place.
     *
     * @param start offset of its first byte in {@code arguments.text()}
     * @param end offset just past its last byte
     * @param content JSON if the part is a whole value, else text escaped for the inside of a JSON string
     */
    record Gap(int start, int end, byte[] content) {
        @Override
        public String toString() {
            return "Gap[" + start + ".." + end + "]";
        }
    }
}
