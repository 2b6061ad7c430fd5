package dev.postern.scrub;

import dev.postern.json.Splice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All places of a message where something was found, and the one rewrite that follows from them: places that overlap
 * are one (S6), each is replaced once, and what is put in is never looked at again.
 */
final class Occurrences {
    /** A range of the message. A null target leaves nothing in its place: the value began in an earlier range. */
    private record Range(int start, int end, @Nullable Target target) {}

    private final List<Range> ranges = new ArrayList<>();

    void add(int start, int end, @Nullable Target target) {
        ranges.add(new Range(start, end, target));
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    int size() {
        return ranges.size();
    }

    /** Whether anything was found within {@code [start, end)}. */
    boolean anyWithin(int start, int end, int since) {
        for (int i = since; i < ranges.size(); i++) {
            if (ranges.get(i).start >= start && ranges.get(i).end <= end) {
                return true;
            }
        }
        return false;
    }

    /** The target that names the found places within {@code [start, end)}. */
    @Nullable
    Target within(int start, int end) {
        Target longest = null;
        for (Range range : ranges) {
            if (range.start >= start && range.end <= end) {
                longest = longer(longest, range.target);
            }
        }
        return longest;
    }

    /** The places in order, those that overlap as one, named after the longest value among them. */
    List<Place> united() {
        List<Range> sorted = new ArrayList<>(ranges);
        sorted.sort(Comparator.comparingInt(Range::start));
        List<Place> united = new ArrayList<>();
        for (int i = 0; i < sorted.size(); ) {
            Range first = sorted.get(i);
            int end = first.end;
            Target target = first.target;
            for (i++; i < sorted.size() && sorted.get(i).start < end; i++) {
                end = Math.max(end, sorted.get(i).end);
                target = longer(target, sorted.get(i).target);
            }
            united.add(new Place(first.start, end, target));
        }
        return united;
    }

    /** A range to be replaced. */
    record Place(int start, int end, @Nullable Target target) {}

    static @Nullable Target longer(@Nullable Target one, @Nullable Target other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.characters() > one.characters() ? other : one;
    }

    /** The text with every place replaced. */
    Scrubbed replaceText(byte[] text) {
        List<Place> places = united();
        Splice splice = new Splice(text);
        for (Place place : places) {
            splice.replace(place.start, place.end, place.target == null ? new byte[0] : place.target.text());
        }
        return new Scrubbed(splice.apply(), places.size());
    }
}
