package dev.postern.scrub;

import dev.postern.json.JsonException;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.Splice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One walk over a JSON message: strings, keys and scalars are scanned, the finds entered and spliced. */
final class ScrubWalk {
    private final byte[] json;
    private final Scan scan;
    private final List<Scalar> scalars;
    private final BinaryResults binaryResults;
    private final Occurrences occurrences = new Occurrences();
    private final Unescaped unescaped = new Unescaped();
    private final List<Block> blocks = new ArrayList<>();
    private final Set<Integer> scalarStarts = new HashSet<>();
    private final List<JsonValue> objectsWithFoundKeys = new ArrayList<>();

    /** A block of binary content that goes as a whole, and the text that takes its place. */
    private record Block(JsonValue value, String replacement) {}

    ScrubWalk(byte[] json, Scan scan, List<Scalar> scalars, BinaryResults binaryResults) {
        this.json = json;
        this.scan = scan;
        this.scalars = scalars;
        this.binaryResults = binaryResults;
    }

    Scrubbed scrub() {
        JsonValue root;
        try {
            root = JsonValue.parse(json);
        } catch (JsonException invalid) {
            throw new ScrubFailedException("the message is not valid JSON within the depth allowed");
        }
        walk(root);
        Scrubbed result = rewrite();
        scan.clear();
        unescaped.wipe();
        return result;
    }

    private void walk(JsonValue value) {
        switch (value.kind()) {
            case OBJECT -> object(value);
            case ARRAY -> array(value);
            case STRING -> string(value);
            case NUMBER, TRUE, FALSE, NULL -> scalar(value);
        }
    }

    private void object(JsonValue object) {
        int before = occurrences.size();
        value(object);
        if (binaryResults == BinaryResults.DROP || occurrences.size() > before) {
            binary(object, before);
        }
    }

    private void value(JsonValue object) {
        boolean[] keyFound = new boolean[1];
        object.forEachMember((name, value) -> {
            int before = occurrences.size();
            string(name);
            keyFound[0] |= occurrences.size() > before;
            walk(value);
        });
        if (keyFound[0]) {
            objectsWithFoundKeys.add(object);
        }
    }

    /** S5: a binary payload with a value in it goes as a whole. */
    private void binary(JsonValue object, int since) {
        String type = object.string("type");
        JsonValue payload = null;
        JsonValue resource = null;
        if ("image".equals(type) || "audio".equals(type)) {
            payload = object.member("data");
        } else if ("resource".equals(type)) {
            resource = object.member("resource");
            payload = resource == null ? null : resource.member("blob");
        } else {
            payload = object.member("blob");
        }
        if (payload == null || !payload.is(JsonValue.Kind.STRING)) {
            return;
        }
        boolean found = occurrences.anyWithin(payload.start(), payload.end(), since);
        if (!found && binaryResults == BinaryResults.SCAN) {
            return;
        }
        Target target = occurrences.within(payload.start(), payload.end());
        String what = "image".equals(type) || "audio".equals(type) ? type : "binary content";
        String placeholder = target == null ? "" : new String(target.text(), StandardCharsets.UTF_8);
        String text = "[" + what + " withheld"
                + (target == null ? ": binary results are dropped here]" : ": it holds " + placeholder + "]");
        JsonValue uri = object.member("uri");
        blocks.removeIf(inner -> inner.value.start() >= object.start() && inner.value.end() <= object.end());
        if (type == null && uri != null && uri.is(JsonValue.Kind.STRING) && resource == null) {
            String kept = occurrences.within(uri.start(), uri.end()) == null
                    ? uri.spelling()
                    : JsonStrings.quote(new String(
                            java.util.Objects.requireNonNull(occurrences.within(uri.start(), uri.end()))
                                    .text(),
                            StandardCharsets.UTF_8));
            blocks.add(new Block(
                    object,
                    "{\"uri\":" + kept + ",\"mimeType\":\"text/plain\",\"text\":" + JsonStrings.quote(text) + "}"));
        } else {
            blocks.add(new Block(object, "{\"type\":\"text\",\"text\":" + JsonStrings.quote(text) + "}"));
        }
    }

    private void array(JsonValue array) {
        List<JsonValue> texts = new ArrayList<>();
        for (JsonValue element : array.elements()) {
            JsonValue text = element.member("text");
            if (text == null || !text.is(JsonValue.Kind.STRING)) {
                together(texts);
                texts.clear();
            } else {
                texts.add(text);
            }
            walk(element);
        }
        together(texts);
    }

    /** S4: adjacent text blocks are scanned as one text. */
    private void together(List<JsonValue> texts) {
        if (texts.size() > 1) {
            unescaped.clear();
            for (JsonValue text : texts) {
                unescaped.append(json, text.start() + 1, text.end() - 1);
            }
            scanUnescaped();
        }
    }

    private void string(JsonValue string) {
        unescaped.clear();
        unescaped.append(json, string.start() + 1, string.end() - 1);
        scanUnescaped();
    }

    private void scanUnescaped() {
        scan.text(
                unescaped.text(),
                0,
                unescaped.length(),
                (start, end, target) -> unescaped.found(start, end, target, occurrences));
    }

    private void scalar(JsonValue value) {
        for (Scalar scalar : scalars) {
            if (scalar.equals(json, value.start(), value.end())) {
                occurrences.add(value.start(), value.end(), scalar.target());
                scalarStarts.add(value.start());
            }
        }
    }

    private Scrubbed rewrite() {
        if (occurrences.isEmpty() && blocks.isEmpty()) {
            return new Scrubbed(json, 0);
        }
        List<Occurrences.Place> places = occurrences.united();
        List<Edit> edits = new ArrayList<>();
        for (Occurrences.Place place : places) {
            if (blocks.stream()
                    .noneMatch(block -> block.value.start() <= place.start() && place.end() <= block.value.end())) {
                edits.add(new Edit(place.start(), place.end(), replacement(place)));
            }
        }
        for (Block block : blocks) {
            edits.add(new Edit(
                    block.value.start(), block.value.end(), block.replacement.getBytes(StandardCharsets.UTF_8)));
        }
        edits.sort(java.util.Comparator.comparingInt(Edit::start));
        int hits = edits.size();
        for (JsonValue object : objectsWithFoundKeys) {
            distinguishKeys(object, edits);
        }
        edits.sort(java.util.Comparator.comparingInt(Edit::start));
        Splice splice = new Splice(json);
        edits.forEach(edit -> splice.replace(edit.start, edit.end, edit.replacement));
        return new Scrubbed(splice.apply(), hits);
    }

    private record Edit(int start, int end, byte[] replacement) {}

    private byte[] replacement(Occurrences.Place place) {
        Target target = place.target();
        if (target == null) {
            return new byte[0];
        }
        if (!scalarStarts.contains(place.start())) {
            return target.escaped();
        }
        return JsonStrings.quote(new String(target.text(), StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** S7: of keys that became equal, the second is told apart by {@code #2}, and so on. */
    private void distinguishKeys(JsonValue object, List<Edit> edits) {
        Set<String> taken = new HashSet<>();
        List<JsonValue> changed = new ArrayList<>();
        object.forEachMember((name, value) -> {
            if (edits.stream().anyMatch(edit -> edit.start > name.start() && edit.end < name.end())) {
                changed.add(name);
            } else {
                taken.add(name.string());
            }
        });
        for (JsonValue name : changed) {
            String key = rewritten(name, edits);
            int number = 1;
            String candidate = key;
            while (!taken.add(candidate)) {
                candidate = key + "#" + ++number;
            }
            if (number > 1) {
                edits.add(new Edit(name.end() - 1, name.end() - 1, ("#" + number).getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private String rewritten(JsonValue name, List<Edit> edits) {
        Splice splice = new Splice(name.bytes());
        for (Edit edit : edits) {
            if (edit.start > name.start() && edit.end < name.end()) {
                splice.replace(edit.start - name.start(), edit.end - name.start(), edit.replacement);
            }
        }
        return JsonValue.parse(splice.apply()).string();
    }
}
