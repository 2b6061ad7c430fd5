package dev.postern.scrub;

import static java.util.Objects.requireNonNull;

import dev.postern.json.JsonStrings;
import dev.postern.json.Splice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a message that carry binary content (S5): images, audio, and resources with a blob. One with a value in
 * it, or each where binary results are dropped, is replaced by a text block that says so.
 */
final class BinaryBlocks {
    /** A range of the message and what takes its place. */
    record Block(int start, int end, byte[] replacement) {}

    /** An object that is still open. */
    private static final class Open {
        private final int start;
        private @Nullable String type;
        private int payload = -1;
        private int uri = -1;
        private int resource = -1;
        private @Nullable Open inner;

        Open(int start) {
            this.start = start;
        }
    }

    private final byte[] json;
    private final TokenList tokens;
    private final List<Occurrences.Place> places;
    private final List<Block> blocks = new ArrayList<>();

    BinaryBlocks(byte[] json, TokenList tokens, List<Occurrences.Place> places) {
        this.json = json;
        this.tokens = tokens;
        this.places = places;
    }

    List<Block> find(BinaryResults binaryResults) {
        if (binaryResults == BinaryResults.SCAN && !isAnyInPayload()) {
            return List.of();
        }
        List<@Nullable Open> open = new ArrayList<>();
        for (int token = 0; token < tokens.size(); token++) {
            switch (tokens.kind(token)) {
                case TokenList.OBJECT -> open.add(new Open(token));
                case TokenList.ARRAY -> open.add(null);
                case TokenList.ARRAY_END -> open.remove(open.size() - 1);
                case TokenList.NAME -> {
                    Open object = open.get(open.size() - 1);
                    if (object != null) {
                        member(object, token);
                    }
                }
                case TokenList.OBJECT_END -> {
                    Open object = open.remove(open.size() - 1);
                    Open outer = open.isEmpty() ? null : open.get(open.size() - 1);
                    if (object != null) {
                        close(object, token, outer, binaryResults);
                    }
                }
                default -> {}
            }
        }
        return blocks;
    }

    /** Most messages with a value in them have it elsewhere, and need no look at what belongs to what. */
    private boolean isAnyInPayload() {
        for (Occurrences.Place place : places) {
            int token = tokens.at(place.start());
            if (token > 0 && tokens.kind(token) == TokenList.STRING && isPayload(token - 1)) {
                return true;
            }
        }
        return false;
    }

    private boolean isPayload(int name) {
        return tokens.is(name, json, "data") || tokens.is(name, json, "blob");
    }

    private void member(Open object, int name) {
        if (name + 1 >= tokens.size() || tokens.kind(name + 1) != TokenList.STRING) {
            if (tokens.is(name, json, "resource") && tokens.kind(name + 1) == TokenList.OBJECT) {
                object.resource = name + 1;
            }
            return;
        }
        if (tokens.is(name, json, "type")) {
            for (String type : List.of("image", "audio", "resource")) {
                if (tokens.is(name + 1, json, type)) {
                    object.type = type;
                }
            }
        } else if (isPayload(name)) {
            object.payload = name + 1;
        } else if (tokens.is(name, json, "uri")) {
            object.uri = name + 1;
        }
    }

    private void close(Open object, int end, @Nullable Open outer, BinaryResults binaryResults) {
        if (outer != null && outer.resource == object.start) {
            outer.inner = object;
        }
        boolean media = "image".equals(object.type) || "audio".equals(object.type);
        int payload = object.payload;
        boolean embedded = object.inner != null && "resource".equals(object.type);
        if (embedded) {
            payload = requireNonNull(object.inner).payload;
        }
        if (payload < 0 || (!media && !isBlob(payload))) {
            return;
        }
        Target target = targetWithin(tokens.start(payload), tokens.end(payload));
        if (target == null && binaryResults == BinaryResults.SCAN) {
            return;
        }
        String what = media ? String.valueOf(object.type) : "binary content";
        String why = target == null
                ? "binary results are dropped here"
                : "it holds " + new String(target.text(), StandardCharsets.UTF_8);
        String text = JsonStrings.quote("[" + what + " withheld: " + why + "]");
        int start = tokens.start(object.start);
        blocks.removeIf(inner -> inner.start >= start);
        boolean contents = !media && !embedded && object.uri >= 0;
        String block = contents
                ? "{\"uri\":" + uri(object.uri) + ",\"mimeType\":\"text/plain\",\"text\":" + text + "}"
                : "{\"type\":\"text\",\"text\":" + text + "}";
        blocks.add(new Block(start, tokens.end(end), block.getBytes(StandardCharsets.UTF_8)));
    }

    private boolean isBlob(int payload) {
        return tokens.is(payload - 1, json, "blob");
    }

    /** The address of a resource stays, without the values in it. */
    private String uri(int token) {
        int start = tokens.start(token);
        Splice splice = new Splice(Arrays.copyOfRange(json, start, tokens.end(token)));
        for (Occurrences.Place place : places) {
            if (place.start() > start && place.end() < tokens.end(token)) {
                splice.replace(place.start() - start, place.end() - start, Rewrite.replacement(place));
            }
        }
        return new String(splice.apply(), StandardCharsets.UTF_8);
    }

    private @Nullable Target targetWithin(int start, int end) {
        Target longest = null;
        for (Occurrences.Place place : places) {
            if (place.start() >= start && place.end() <= end) {
                longest = Occurrences.longer(longest, place.target());
            }
        }
        return longest;
    }
}
