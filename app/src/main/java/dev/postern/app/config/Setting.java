package dev.postern.app.config;

/**
 * One text of the configuration, variables expanded, references (R10) still in it. Hidden in {@code toString}, because
 * people write keys into such files.
 *
 * @param place where it stands, such as {@code postern.json line 4, /mcpServers/files/env/TOKEN}
 */
public record Setting(String text, String place) {
    /** By text alone: a setting that only moved to another line has not changed. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Setting setting && text.equals(setting.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "Setting[" + place + "]";
    }
}
