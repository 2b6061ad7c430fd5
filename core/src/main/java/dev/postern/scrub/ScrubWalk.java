package dev.postern.scrub;

import java.util.List;

/**
 * The closer look at a message that something was seen in from afar: matches what is suspicious in its strings and names,
 * enters what is found, and has it replaced.
 */
final class ScrubWalk {
    private final byte[] json;
    private final Search search;
    private final Triggers triggers;
    private final Seams seams;
    private final TokenList tokens;
    private final Scan scan;
    private final Occurrences occurrences = new Occurrences();
    private final Unescaped unescaped = new Unescaped();

    ScrubWalk(byte[] json, Search search, Suspicion suspicion, TokenList tokens) {
        this.json = json;
        this.search = search;
        this.triggers = suspicion.triggers();
        this.seams = suspicion.seams();
        this.tokens = tokens;
        this.scan = new Scan(search);
    }

    /** Finds everything. */
    Occurrences find() {
        for (int token = 0; token < tokens.size(); token++) {
            switch (tokens.kind(token)) {
                case TokenList.NAME, TokenList.STRING -> string(tokens.start(token) + 1, tokens.end(token) - 1);
                case TokenList.SCALAR -> scalar(tokens.start(token), tokens.end(token));
                default -> {}
            }
        }
        seams.forEach(this::together);
        scan.clear();
        unescaped.wipe();
        return occurrences;
    }

    private void string(int start, int end) {
        if (search.watch().everywhere()) {
            stretch(start, end, start, end, true);
            return;
        }
        int first = triggers.firstFrom(start);
        if (first < triggers.size() && triggers.at(first) < end) {
            Windows.of(
                    json,
                    start,
                    end,
                    triggers,
                    first,
                    search.watch(),
                    (from, to, opened) -> stretch(start, end, from, to, opened));
        }
    }

    private void stretch(int start, int end, int from, int to, boolean opened) {
        int first = JsonText.boundary(json, start, from);
        int last = JsonText.boundaryAfter(json, start, end, to);
        unescaped.clear();
        unescaped.append(json, first, last);
        scanUnescaped(first == start, last == end, opened);
    }

    private void scanUnescaped(boolean head, boolean tail, boolean opened) {
        scan.text(
                unescaped.text(),
                0,
                unescaped.length(),
                head,
                tail,
                opened,
                (start, end, target) -> unescaped.found(start, end, target, occurrences));
    }

    /** S4: what lies around the seams of adjacent text blocks is looked through as one text. */
    private void together(List<Seams.Piece> pieces, boolean head, boolean tail) {
        unescaped.clear();
        for (Seams.Piece piece : pieces) {
            unescaped.append(json, piece.start(), piece.end());
        }
        scanUnescaped(head, tail, true);
    }

    private void scalar(int start, int end) {
        for (Scalar scalar : search.scalars()) {
            if (scalar.equals(json, start, end)) {
                occurrences.addScalar(start, end, scalar.target());
            }
        }
    }
}
