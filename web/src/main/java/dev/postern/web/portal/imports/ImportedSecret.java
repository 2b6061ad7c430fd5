package dev.postern.web.portal.imports;

import dev.postern.secret.SecretValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One secret of a file. Owns its values; closing it wipes them.
 *
 * @param title what the file calls it
 * @param isLikely whether it looks like a secret at all, rather than a setting
 */
public record ImportedSecret(
        String title,
        SecretValue value,
        @Nullable SecretValue notes,
        @Nullable String website,
        @Nullable String username,
        List<String> tags,
        boolean isLikely)
        implements AutoCloseable {
    @Override
    public void close() {
        value.close();
        if (notes != null) {
            notes.close();
        }
    }

    @Override
    public String toString() {
        return "ImportedSecret[hidden]";
    }
}
