package dev.postern.reference;

import dev.postern.json.JsonTokens;
import dev.postern.json.JsonTokens.Token;
import dev.postern.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the references in the arguments of a tool call (R3 to R5, R7, R8). Linear in the bytes of the arguments.
 *
 * <p>What is a reference and what is not: a marker, <code>{{vault:</code> or <code>{{secret:</code>, starts one
 * wherever it stands in a decoded string, also between further braces ({@code {{{vault:x}}}} puts the value between
 * one brace and another). A space before the kind, another word, one brace: other templates, which pass. Strings are
 * decoded once: a reference in JSON inside a string is found in that string's text; one that is escaped twice over is
 * not a reference but text about one.
 */
public final class ReferenceFinder {
    /** Pointers are made per string; what all of them may measure together, in multiples of the arguments' limit. */
    private static final int POINTER_BUDGET_FACTOR = 4;

    private ReferenceFinder() {}

    /**
     * Whether these bytes may hold a reference; if not, they go on as they are (R8). One scan, without parsing, of any
     * bytes. Never wrong when it says no of well-formed JSON, however a reference is escaped (R5); seldom when it says
     * yes.
     */
    public static boolean mightContain(byte[] json) {
        return mightContain(json, 0, json.length);
    }

    /** As {@link #mightContain(byte[])}, of the range {@code [start, end)}. */
    public static boolean mightContain(byte[] text, int start, int end) {
        return MarkerScan.find(text, start, end);
    }

    /**
     * The references in {@code arguments}, in document order; empty if there are none.
     *
     * @throws ReferenceException if one stands in a member's name, or is malformed, or if there are too many, the
     *     arguments are too large or too deep, or are no object; arguments without a marker are never refused
     */
    public static List<Placement> find(JsonValue arguments, ReferenceLimits limits) {
        if (!mightContain(arguments.text(), arguments.start(), arguments.end())) {
            return List.of();
        }
        if (arguments.end() - arguments.start() > limits.maxBytes()) {
            throw new ReferenceException("the arguments are larger than a call with references may be");
        }
        List<Placement> placements = new ArrayList<>();
        Set<Reference> distinct = new HashSet<>();
        long pointerBudget = (long) POINTER_BUDGET_FACTOR * limits.maxBytes();
        JsonTokens tokens = new JsonTokens(arguments);
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            if (tokens.depth() > limits.maxDepth()) {
                throw new ReferenceException("the arguments nest deeper than a call with references may");
            }
            boolean isText = token == Token.STRING || token == Token.NAME;
            if (!isText || !mightContain(arguments.text(), tokens.start() + 1, tokens.end() - 1)) {
                continue;
            }
            JsonValue string = tokens.value();
            String text = string.string();
            int marker = ReferenceGrammar.nextMarker(text, 0);
            if (marker < 0) {
                continue;
            }
            String pointer = token == Token.NAME ? tokens.parentPointer() : tokens.pointer();
            pointerBudget -= pointer.length();
            if (pointerBudget < 0) {
                throw new ReferenceException("the places of the references are too long to be named");
            }
            if (token == Token.NAME) {
                throw nameRefusal(text, marker).within(pointer);
            }
            try {
                place(text, marker, pointer, string, placements, distinct, limits);
            } catch (ReferenceException e) {
                throw e.within(pointer);
            }
        }
        if (!placements.isEmpty() && !arguments.is(JsonValue.Kind.OBJECT)) {
            throw new ReferenceException("references stand in arguments that are no object");
        }
        return List.copyOf(placements);
    }

    private static void place(
            String text,
            int firstMarker,
            String pointer,
            JsonValue string,
            List<Placement> placements,
            Set<Reference> distinct,
            ReferenceLimits limits) {
        RawOffsets offsets = new RawOffsets(string);
        int marker = firstMarker;
        while (marker >= 0) {
            ReferenceGrammar.Found found = ReferenceGrammar.read(text, marker);
            if (distinct.add(found.reference()) && distinct.size() > limits.maxDistinct()) {
                throw new ReferenceException(
                        "", marker, found.end() - marker, "the call has more distinct references than it may");
            }
            int start = offsets.rawOffset(marker);
            int end = offsets.rawOffset(found.end());
            placements.add(new Placement(pointer, string, start, end, found.reference()));
            marker = ReferenceGrammar.nextMarker(text, found.end());
        }
    }

    private static ReferenceException nameRefusal(String text, int marker) {
        int end = ReferenceGrammar.candidateEnd(text, marker);
        return new ReferenceException("", marker, end - marker, "a reference stands in the name of a member");
    }
}
