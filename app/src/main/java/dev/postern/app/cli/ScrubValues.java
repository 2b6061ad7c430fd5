package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.reference.Reference;
import dev.postern.reference.ReferenceException;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.Scrubber;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values a scrubber is to look for, as files and batch lines give them. */
record ScrubValues(List<LiveSecret> live, List<LiveSecret> remembered) {
    /**
     * Reads {@code {"secrets":[{"reference","value"}…],"remembered":[…]}}, or the short form {@code {"reference":"value"}}.
     *
     * @throws ControlException if it is neither
     */
    static ScrubValues read(JsonValue document) {
        if (!document.is(Kind.OBJECT)) {
            throw malformed();
        }
        JsonValue secrets = document.member("secrets");
        JsonValue remembered = document.member("remembered");
        if (isList(secrets) || isList(remembered)) {
            return new ScrubValues(list(secrets), list(remembered));
        }
        List<LiveSecret> live = new ArrayList<>();
        document.forEachMember((reference, value) -> live.add(secret(reference, value)));
        return new ScrubValues(live, List.of());
    }

    Scrubber scrubber() {
        return Scrubber.of(live, remembered);
    }

    private static boolean isList(@Nullable JsonValue value) {
        return value != null && value.is(Kind.ARRAY);
    }

    private static List<LiveSecret> list(@Nullable JsonValue array) {
        List<LiveSecret> secrets = new ArrayList<>();
        if (array != null) {
            for (JsonValue element : array.elements()) {
                JsonValue reference = element.member("reference");
                JsonValue value = element.member("value");
                if (reference == null || value == null) {
                    throw malformed();
                }
                secrets.add(secret(reference, value));
            }
        }
        return secrets;
    }

    private static LiveSecret secret(JsonValue reference, JsonValue value) {
        if (!reference.is(Kind.STRING) || !value.is(Kind.STRING)) {
            throw malformed();
        }
        byte[] bytes = JsonStrings.unescape(value);
        try {
            return new LiveSecret(placeholder(reference.string()), new SecretValue(bytes));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** What stands for a value is told by its reference (S7); any other name stands as it is. */
    private static String placeholder(String reference) {
        try {
            return Reference.parse(reference).placeholder();
        } catch (ReferenceException e) {
            return reference;
        }
    }

    private static ControlException malformed() {
        return new ControlException(
                ExitCode.FAILED,
                "the values are {\"reference\": \"value\"} or {\"secrets\":[{\"reference\",\"value\"}],\"remembered\":[…]}.");
    }
}
