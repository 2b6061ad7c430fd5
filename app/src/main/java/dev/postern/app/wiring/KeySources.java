package dev.postern.app.wiring;

import dev.postern.secret.SecretValue;
import dev.postern.store.crypto.KeySource;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Chooses where the root key comes from (V2): {@code POSTERN_KEY}, else the key file. */
public final class KeySources {

    private KeySources() {}

    public static KeySource of(Function<String, @Nullable String> environment) {
        String key = environment.apply(KeySource.ENVIRONMENT_VARIABLE);
        if (key != null && !key.isEmpty()) {
            return KeySource.given(new SecretValue(key.getBytes(StandardCharsets.UTF_8)));
        }
        return KeySource.file();
    }
}
