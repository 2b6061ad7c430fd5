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
    private record Range(int start, int end, @Nullable Target target, boolean scalar) {}

    private final List<Range> ranges = new ArrayList<>();

    /** Enters a range of a text, string or name. */
    void add(int start, int end, @Nullable Target target) {
        ranges.add(new Range(start, end, target, false));
    }

    /** Enters a whole number, boolean or null. */
    void addScalar(int start, int end, Target target) {
        ranges.add(new Range(start, end, target, true));
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
            united.add(new Place(first.start, end, target, first.scalar));
        }
        return united;
    }

    /** A range to be replaced. */
    record Place(int start, int end, @Nullable Target target, boolean scalar) {}

    static @Nullable Target longer(@Nullable Target one, @Nullable Target other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.characters() > one.characters() ? other : one;
    }

    /** The text with every place replaced. */
    Scrubbed replaceText(byte[] text) {
        if (ranges.isEmpty()) {
            return new Scrubbed(text, 0);
        }
        List<Place> places = united();
        Splice splice = new Splice(text);
        for (Place place : places) {
            splice.replace(place.start, place.end, place.target == null ? new byte[0] : place.target.text());
        }
        return new Scrubbed(splice.apply(), places.size());
    }
}
