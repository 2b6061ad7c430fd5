package dev.postern.tool;

import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import org.jspecify.annotations.Nullable;

/**
 * Where the values behind references come from: a vault, a keychain, a test. This is the place to ask a person too: it is
 * asked before a tool runs, and nothing runs without its answer.
 */
@FunctionalInterface
public interface SecretSource {
    /**
     * The value a reference stands for, which the caller closes.
     *
     * @param tool the tool that would receive it
     * @param reference without filters
     * @return null if there is no such secret, or this tool is not to have it; then no tool runs
     */
    @Nullable
    SecretValue resolve(String tool, Reference reference);
}
