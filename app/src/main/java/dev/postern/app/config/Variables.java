package dev.postern.app.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Expansion of <code>${VAR}</code>, <code>${VAR:-default}</code> (also for a variable that is empty),
 * <code>${env:VAR}</code> and <code>${input:ID}</code>. Anything else between <code>${</code> and a brace is an error,
 * because a server would take it for its setting.
 *
 * @param environment a variable's value, or null
 * @param inputs what stands for a declared input, or null where none has that id
 */
record Variables(Function<String, @Nullable String> environment, Function<String, @Nullable String> inputs) {
    /**
     * Expands once: what a variable holds is not looked at again.
     *
     * @throws ConfigException naming {@code place} and the variable
     */
    String expand(String text, String place) {
        int open = text.indexOf("${");
        if (open < 0) {
            return text;
        }
        StringBuilder expanded = new StringBuilder(text.length() + 32);
        int from = 0;
        while (open >= 0) {
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw new ConfigException(
                        place + ": a ${ is not closed; write the brace, or leave out the dollar sign.");
            }
            expanded.append(text, from, open).append(value(text.substring(open + 2, close), place));
            from = close + 1;
            open = text.indexOf("${", from);
        }
        return expanded.append(text, from, text.length()).toString();
    }

    private String value(String inside, String place) {
        if (inside.startsWith("input:")) {
            String input = inputs.apply(inside.substring("input:".length()));
            if (input == null) {
                throw new ConfigException(place + ": there is no such input; declare it under \"inputs\".");
            }
            return input;
        }
        String expression = inside.startsWith("env:") ? inside.substring("env:".length()) : inside;
        int split = expression.indexOf(":-");
        String name = split < 0 ? expression : expression.substring(0, split);
        if (!isName(name)) {
            throw new ConfigException(
                    place
                            + ": a variable is written ${VAR}, ${VAR:-default} or ${env:VAR}, with letters, digits and _ in its name.");
        }
        String value = environment.apply(name);
        if (split >= 0 && (value == null || value.isEmpty())) {
            return expression.substring(split + 2);
        }
        if (value == null) {
            throw new ConfigException(
                    place + ": the variable " + name + " is not set; set it, or write ${" + name + ":-default}.");
        }
        return value;
    }

    private static boolean isName(String name) {
        if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
            return false;
        }
        return name.chars().allMatch(c -> c == '_' || (c < 0x80 && Character.isLetterOrDigit(c)));
    }
}
