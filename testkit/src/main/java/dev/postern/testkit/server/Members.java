package dev.postern.testkit.server;

import java.util.LinkedHashMap;
import java.util.Map;

/** The members of a JSON object as raw text; slow and obvious. Takes only well-formed JSON. */
final class Members {
    private final String json;
    private int at;

    private Members(String json) {
        this.json = json;
    }

    /** Name as it is spelt, without quotes, to the raw text of its value; empty for what is no object. */
    static Map<String, String> of(String json) {
        return new Members(json).read();
    }

    /** The text of a JSON string token; escapes of one character and {@code \\uXXXX}. */
    static String unquote(String token) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < token.length() - 1; i++) {
            char c = token.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char escaped = token.charAt(++i);
            switch (escaped) {
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'u' -> {
                    text.append((char) Integer.parseInt(token.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> text.append(escaped);
            }
        }
        return text.toString();
    }

    private Map<String, String> read() {
        Map<String, String> members = new LinkedHashMap<>();
        space();
        if (at >= json.length() || json.charAt(at) != '{') {
            return members;
        }
        at++;
        space();
        while (json.charAt(at) != '}') {
            String name = value();
            space();
            at++; // the colon
            space();
            members.put(name.substring(1, name.length() - 1), value());
            space();
            if (json.charAt(at) == ',') {
                at++;
                space();
            }
        }
        return members;
    }

    private String value() {
        int start = at;
        int depth = 0;
        boolean inString = false;
        for (; at < json.length(); at++) {
            char c = json.charAt(at);
            if (inString) {
                if (c == '\\') {
                    at++;
                } else if (c == '"') {
                    inString = false;
                }
            } else if (c == '"') {
                inString = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']' || c == ',' || c == ':') {
                if (depth == 0) {
                    break;
                }
                if (c == '}' || c == ']') {
                    depth--;
                }
            }
        }
        return json.substring(start, at).strip();
    }

    private void space() {
        while (at < json.length() && json.charAt(at) <= ' ') {
            at++;
        }
    }
}
