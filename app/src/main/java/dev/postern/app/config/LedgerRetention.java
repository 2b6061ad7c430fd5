package dev.postern.app.config;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * How long the ledger's entries stay where they are: {@code "ledger": {"keepDays": 90, "keepArchivesDays": 730}}.
 *
 * @param keepDays older ones are archived each day; null: never
 * @param keepArchivesDays older archives are deleted each day, all but their signed ends; null: never
 */
public record LedgerRetention(
        @Nullable Integer keepDays, @Nullable Integer keepArchivesDays) {
    private static final String SECTION = "ledger";
    private static final String KEEP = "keepDays";
    private static final String KEEP_ARCHIVES = "keepArchivesDays";

    static LedgerRetention read(ConfigFile file) {
        JsonValue section = file.root().member(SECTION);
        if (section == null) {
            return new LedgerRetention(null, null);
        }
        String pointer = "/" + SECTION;
        if (!section.is(Kind.OBJECT)) {
            throw new ConfigException(file.place(section, pointer) + ": this is not an object with " + KEEP + " or "
                    + KEEP_ARCHIVES + ".");
        }
        section.forEachMember((name, value) -> {
            if (!name.string().equals(KEEP) && !name.string().equals(KEEP_ARCHIVES)) {
                throw new ConfigException(file.place(name, pointer + "/" + name.string())
                        + ": there is no such setting; there are " + KEEP + " and " + KEEP_ARCHIVES + ".");
            }
        });
        return new LedgerRetention(
                days(file, section.member(KEEP), KEEP), days(file, section.member(KEEP_ARCHIVES), KEEP_ARCHIVES));
    }

    private static @Nullable Integer days(ConfigFile file, @Nullable JsonValue value, String name) {
        if (value == null) {
            return null;
        }
        try {
            int days = value.is(Kind.NUMBER) ? Integer.parseInt(value.spelling()) : -1;
            if (days >= 1) {
                return days;
            }
        } catch (NumberFormatException e) {
            // As any other number that will not do.
        }
        throw new ConfigException(
                file.place(value, "/" + SECTION + "/" + name) + ": this is not a whole number of days, 1 or more.");
    }
}
