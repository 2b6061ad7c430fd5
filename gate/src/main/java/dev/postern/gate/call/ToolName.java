package dev.postern.gate.call;

/** A tool of a configured server. People and files name it {@code server__tool}. */
public record ToolName(String server, String tool) {
    public static final String SEPARATOR = "__";

    /**
     * Reads {@code server__tool}.
     *
     * @throws IllegalArgumentException if there is no separator with something on both sides
     */
    public static ToolName parse(String qualified) {
        int at = qualified.indexOf(SEPARATOR);
        if (at < 1 || at + SEPARATOR.length() == qualified.length()) {
            throw new IllegalArgumentException("a tool is named server__tool");
        }
        return new ToolName(qualified.substring(0, at), qualified.substring(at + SEPARATOR.length()));
    }

    @Override
    public String toString() {
        return server + SEPARATOR + tool;
    }
}
