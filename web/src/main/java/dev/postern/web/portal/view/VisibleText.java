package dev.postern.web.portal.view;

import dev.postern.web.portal.view.Segment.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A text somebody else wrote, shown so that it cannot look like what it is not: references stand out, characters
 * without a look (bidirectional controls, zero-width characters, control characters, unusual spaces, fillers) are named by
 * code point, and words that pass for other words by letters of another script are flagged.
 *
 * @param segments the whole text, in order
 * @param warnings one sentence for each kind of thing that was found
 */
public record VisibleText(List<Segment> segments, List<String> warnings) {
    public VisibleText {
        segments = List.copyOf(segments);
        warnings = List.copyOf(warnings);
    }

    /** Reads a text whole. Linear in its length. */
    public static VisibleText of(String text) {
        return new Reading(text).read();
    }

    /** What is shown, without marks. */
    public String shown() {
        StringBuilder shown = new StringBuilder();
        segments.forEach(segment -> shown.append(segment.text()));
        return shown.toString();
    }

    private static final class Reading {
        private final String text;
        private final List<Segment> segments = new ArrayList<>();
        private final Set<String> warnings = new LinkedHashSet<>();
        private final StringBuilder plain = new StringBuilder();
        private int at;

        Reading(String text) {
            this.text = text;
        }

        VisibleText read() {
            while (at < text.length()) {
                int point = text.codePointAt(at);
                if (point == '{') {
                    int end = ReferenceText.end(text, at);
                    if (end > 0) {
                        add(new Segment(Kind.REFERENCE, text.substring(at, end), "reference to a secret"));
                        at = end;
                        continue;
                    }
                }
                if (Invisible.is(point)) {
                    add(new Segment(Kind.INVISIBLE, Invisible.label(point), Invisible.name(point)));
                    warnings.add(Invisible.warning(point));
                    at += Character.charCount(point);
                } else if (isOfWord(point)) {
                    word();
                } else {
                    plain.appendCodePoint(point);
                    at += Character.charCount(point);
                }
            }
            flush();
            return new VisibleText(segments, List.copyOf(warnings));
        }

        private void word() {
            int start = at;
            while (at < text.length()) {
                int point = text.codePointAt(at);
                boolean isMark = Character.getType(point) == Character.NON_SPACING_MARK;
                if ((!isOfWord(point) && !isMark) || Invisible.is(point)) {
                    break;
                }
                at += Character.charCount(point);
            }
            String word = text.substring(start, at);
            String meaning = Lookalikes.meaning(word);
            if (meaning.isEmpty()) {
                plain.append(word);
            } else {
                add(new Segment(Kind.LOOKALIKE, word, meaning));
                warnings.add("“" + word + "” " + meaning + ".");
            }
        }

        private static boolean isOfWord(int point) {
            return Character.isLetterOrDigit(point) || Character.getType(point) == Character.LETTER_NUMBER;
        }

        private void add(Segment segment) {
            flush();
            segments.add(segment);
        }

        private void flush() {
            if (!plain.isEmpty()) {
                segments.add(Segment.plain(plain.toString()));
                plain.setLength(0);
            }
        }
    }
}
