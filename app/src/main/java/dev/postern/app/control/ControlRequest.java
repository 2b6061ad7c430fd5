package dev.postern.app.control;

import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command asks of the gateway.
 *
 * @param operation such as {@code secret.add}
 * @param arguments a JSON object without any value
 * @param value the secret that travelled beside it; wiped by the server once the operation is done
 * @param passphrase the operator's, where it was asked for; wiped as the value is
 */
public record ControlRequest(
        String operation,
        JsonValue arguments,
        @Nullable SecretValue value,
        @Nullable SecretValue passphrase) {
    /** An argument that must be there. */
    public String text(String name) {
        String text = optionalText(name);
        if (text == null) {
            throw new ControlException(ExitCode.WRONG_USAGE, "the argument '" + name + "' is missing.");
        }
        return text;
    }

    public @Nullable String optionalText(String name) {
        return arguments.string(name);
    }

    /** The strings of an array; empty where it is absent. */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        JsonValue array = arguments.member(name);
        if (array != null) {
            for (JsonValue element : array.elements()) {
                if (element.is(JsonValue.Kind.STRING)) {
                    texts.add(element.string());
                }
            }
        }
        return texts;
    }

    /** A whole number, or null where it is absent. */
    public @Nullable Long number(String name) {
        JsonValue number = arguments.member(name);
        return number == null || !number.is(JsonValue.Kind.NUMBER) ? null : Long.valueOf(number.spelling());
    }

    /** The value that must have travelled with the request. */
    public SecretValue requiredValue() {
        if (value == null) {
            throw new ControlException(ExitCode.WRONG_USAGE, "a value must come with this request.");
        }
        return value;
    }

    @Override
    public String toString() {
        return "ControlRequest[" + operation + "]";
    }
}
