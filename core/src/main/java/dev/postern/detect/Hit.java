package dev.postern.detect;

/**
 * A rule's match, while the text is still at hand. Not a record, and never public: its buffer holds the value.
 */
final class Hit {
    final Rule rule;
    final Buffer buffer;
    final int start;
    final int end;

    Hit(Rule rule, Buffer buffer, int start, int end) {
        this.rule = rule;
        this.buffer = buffer;
        this.start = start;
        this.end = end;
    }

    /** Where the span begins in the text as given. */
    int originalStart() {
        return buffer.original(start);
    }

    int originalEnd() {
        return buffer.original(end);
    }

    boolean overlaps(Hit later) {
        return later.originalStart() < originalEnd();
    }

    /**
     * Both spans as one. The rule that knows the value's own form names it; the first one among equals. Where one was
     * found in a string inside the other's, the outer buffer holds both.
     */
    Hit join(Hit later) {
        Rule stronger = rule.generic() && !later.rule.generic() ? later.rule : rule;
        Buffer outer = buffer.isWithin(later.buffer) ? later.buffer : buffer;
        int first = Math.min(buffer.offsetIn(outer, start), later.buffer.offsetIn(outer, later.start));
        int last = Math.max(buffer.offsetIn(outer, end), later.buffer.offsetIn(outer, later.end));
        return new Hit(stronger, outer, first, last);
    }
}
