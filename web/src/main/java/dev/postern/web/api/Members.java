package dev.postern.web.api;

import dev.postern.json.JsonValue;
import dev.postern.web.http.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads members of a JSON body; what is of another kind is a 400 that names it. */
final class Members {
    private Members() {}

    static @Nullable String text(JsonValue body, String name) {
        JsonValue member = present(body, name);
        if (member == null) {
            return null;
        }
        if (!member.is(JsonValue.Kind.STRING)) {
            throw Request.invalid("'" + name + "' is not a string.");
        }
        return member.string();
    }

    static String requiredText(JsonValue body, String name) {
        String text = text(body, name);
        if (text == null || text.isBlank()) {
            throw Request.invalid("'" + name + "' is missing.");
        }
        return text;
    }

    /** The strings of an array; null where it is absent. */
    static @Nullable List<String> texts(JsonValue body, String name) {
        JsonValue member = present(body, name);
        if (member == null) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        for (JsonValue element : member.elements()) {
            if (!element.is(JsonValue.Kind.STRING)) {
                throw Request.invalid("'" + name + "' is not a list of strings.");
            }
            texts.add(element.string());
        }
        if (!member.is(JsonValue.Kind.ARRAY)) {
            throw Request.invalid("'" + name + "' is not a list of strings.");
        }
        return texts;
    }

    /** A whole number from 1; null where it is absent. */
    static @Nullable Long number(JsonValue body, String name) {
        JsonValue member = present(body, name);
        if (member == null) {
            return null;
        }
        try {
            long number = Long.parseLong(member.spelling());
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw Request.invalid("'" + name + "' is not a whole number from 1.");
    }

    static @Nullable JsonValue present(JsonValue body, String name) {
        JsonValue member = body.member(name);
        return member == null || member.is(JsonValue.Kind.NULL) ? null : member;
    }
}
