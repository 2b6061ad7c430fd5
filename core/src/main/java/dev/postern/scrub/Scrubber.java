package dev.postern.scrub;

import java.io.OutputStream;
import java.util.List;

/**
 * Takes a set of live values out of messages and texts, in every form of S3.
 *
 * <p>Built once for a set of values and used for any number of messages, by any number of threads at once. It holds
 * what it derived from the values until {@link #close()}, which wipes it; after that every use fails.
 *
 * <pre>{@code
 * try (Scrubber scrubber = Scrubber.of(List.of(new LiveSecret("{{vault:db}}", value)))) {
 *     byte[] clean = scrubber.scrub(jsonBytes);   // ScrubFailedException: nothing is returned
 * }
 * }</pre>
 */
public final class Scrubber implements AutoCloseable {
    private final Search search;
    private final BinaryResults binaryResults;

    private Scrubber(Search search, BinaryResults binaryResults) {
        this.search = search;
        this.binaryResults = binaryResults;
    }

    /** For values delivered in this very call: of 4 or more characters anywhere, shorter ones as whole tokens (S8). */
    public static Scrubber of(List<LiveSecret> live) {
        return of(live, List.of());
    }

    /**
     * For values of this call, and those remembered from earlier ones: of 8 or more characters anywhere, shorter ones only
     * where a whole string or scalar equals them (S9).
     */
    public static Scrubber of(List<LiveSecret> live, List<LiveSecret> remembered) {
        return of(live, remembered, BinaryResults.SCAN);
    }

    /** As {@link #of(List, List)}, with a choice of what becomes of binary payloads (S5). */
    public static Scrubber of(List<LiveSecret> live, List<LiveSecret> remembered, BinaryResults binaryResults) {
        return new Scrubber(new Search(Forms.of(live, remembered), false), binaryResults);
    }

    /** One that looks closely at everything: slow, and what the others are measured by. */
    static Scrubber thorough(List<LiveSecret> live, List<LiveSecret> remembered) {
        return new Scrubber(new Search(Forms.of(live, remembered), true), BinaryResults.SCAN);
    }

    /** Whether there is nothing to look for, so that every message passes unread (S11). */
    public boolean isEmpty() {
        return search.isEmpty() && binaryResults == BinaryResults.SCAN;
    }

    /**
     * The message without the values: every string, key and scalar is looked through; what was not touched keeps its exact
     * bytes (S2).
     *
     * @param json one JSON text in UTF-8
     * @return the very same array where nothing was found (S11)
     * @throws ScrubFailedException if the message is not valid JSON, nests deeper than 512 levels, cannot be walked, or is too
     *     large for the memory there is; then it must not be delivered (S10)
     */
    public byte[] scrub(byte[] json) {
        return scrubCounting(json).bytes();
    }

    /** As {@link #scrub(byte[])}, with the number of places replaced. */
    public Scrubbed scrubCounting(byte[] json) {
        if (isEmpty()) {
            return new Scrubbed(json, 0);
        }
        return look(json).scrubbed();
    }

    /** What was found in a message, and what follows from it. */
    record Look(List<Occurrences.Place> places, Scrubbed scrubbed) {}

    Look look(byte[] json) {
        try {
            return closely(json);
        } catch (OutOfMemoryError e) {
            throw tooLarge();
        }
    }

    /**
     * A close look takes arrays a dozen times as large as a text. Where there is no room for one, nothing was harmed: it is let go
     * before anything else needs it.
     */
    private static ScrubFailedException tooLarge() {
        return new ScrubFailedException("the text is too large to be looked through in the memory there is");
    }

    private Look closely(byte[] json) {
        Suspicion suspicion = new Suspicion(json, open().watch(), search.scalars());
        TokenList tokens = suspicion.factors() || binaryResults == BinaryResults.DROP ? new TokenList() : null;
        new JsonPass(json, suspicion, tokens).run();
        suspicion.complete();
        if (suspicion.isNone() && binaryResults == BinaryResults.SCAN) {
            return new Look(List.of(), new Scrubbed(json, 0));
        }
        if (tokens == null) {
            // An escape or a run looked suspicious: rare, so that most messages do not pay for the list.
            suspicion.mute();
            tokens = new TokenList();
            new JsonPass(json, suspicion, tokens).run();
        }
        Occurrences occurrences = new ScrubWalk(json, search, suspicion, tokens).find();
        List<Occurrences.Place> places = occurrences.united();
        return new Look(places, new Rewrite(json, tokens, places).apply(binaryResults));
    }

    /**
     * The plain text without the values: what a terminal shows, a log line, a body that is not JSON.
     *
     * @param text UTF-8, colour codes and all
     * @return the very same array where nothing was found
     * @throws ScrubFailedException if the text cannot be walked, or is too large for the memory there is; then it must not be
     *     delivered
     */
    public byte[] scrubText(byte[] text) {
        return scrubTextCounting(text).bytes();
    }

    /** As {@link #scrubText(byte[])}, with the number of places replaced. */
    public Scrubbed scrubTextCounting(byte[] text) {
        if (isEmpty()) {
            return new Scrubbed(text, 0);
        }
        try {
            return new TextPass(open()).find(text, text.length, true, true).replaceText(text);
        } catch (OutOfMemoryError e) {
            throw tooLarge();
        }
    }

    /** Text that arrives in pieces; see {@link TextScrubber}. */
    public TextScrubber text(OutputStream out) {
        return new TextScrubber(this, new TextPass(search), out);
    }

    /** What is looked for, as long as it is there. */
    Search open() {
        if (search.isWiped()) {
            throw new IllegalStateException("the scrubber is closed");
        }
        return search;
    }

    /** Wipes what was derived from the values. Idempotent; no use may be under way. */
    @Override
    public void close() {
        search.wipe();
    }

    @Override
    public String toString() {
        return "Scrubber[" + (search.isWiped() ? "closed" : "open") + "]";
    }
}
