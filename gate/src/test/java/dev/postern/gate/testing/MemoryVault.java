package dev.postern.gate.testing;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A vault in memory: counts what is read of it, keeps hold of every value it opened, and breaks on demand. */
public final class MemoryVault implements Vault {
    private record Stored(SecretRecord record, Map<Field, String> values) {}

    private final Map<String, Stored> byName = new LinkedHashMap<>();
    private final Map<String, Stored> versions = new HashMap<>();
    private final List<SecretValue> opened = new ArrayList<>();
    private final AtomicInteger reads = new AtomicInteger();
    private boolean broken;
    private boolean sealed;

    /** Adds a secret with this value, which may go anywhere, or replaces it with a new version. */
    public synchronized SecretRecord put(String name, String value) {
        return put(name, value, "alice", DestinationRules.ANYWHERE, List.of());
    }

    public synchronized SecretRecord put(
            String name, String value, String username, DestinationRules rules, List<String> tags) {
        Stored before = byName.get(name);
        Set<Field> fields = EnumSet.of(Field.PASSWORD);
        if (!username.isEmpty()) {
            fields.add(Field.USERNAME);
        }
        SecretRecord record = new SecretRecord(
                before == null ? UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)) : before.record.id(),
                name,
                name + ".example.com",
                username.isEmpty() ? null : username,
                null,
                tags,
                rules,
                fields,
                before == null ? 1 : before.record.version() + 1,
                "user",
                Instant.EPOCH,
                Instant.EPOCH);
        Stored stored = new Stored(record, Map.of(Field.PASSWORD, value, Field.USERNAME, username));
        byName.put(name, stored);
        versions.put(name + "/" + record.version(), stored);
        return record;
    }

    public synchronized void remove(String name) {
        byName.remove(name);
    }

    /** From now on nothing can be read. */
    public synchronized void breakDown() {
        broken = true;
    }

    /** From now on records can be read, but no envelope opens. */
    public synchronized void seal() {
        sealed = true;
    }

    @Override
    public synchronized Optional<SecretRecord> find(Reference reference) {
        reads.incrementAndGet();
        if (broken) {
            throw new VaultException("the vault cannot be read");
        }
        return byName.values().stream()
                .map(Stored::record)
                .filter(record -> reference.kind() == Reference.Kind.VAULT
                        ? record.name().equals(reference.name())
                        : record.id().toString().equals(reference.name()))
                .findFirst();
    }

    @Override
    public synchronized List<SecretRecord> list() {
        throw new AssertionError("the gate lists no secrets");
    }

    @Override
    public synchronized SecretValue open(SecretRecord secret, Field field) {
        reads.incrementAndGet();
        // As in the real vault, an old version opens for a while: what was delivered must still be scrubbed.
        Stored stored = versions.get(secret.name() + "/" + secret.version());
        if (sealed || stored == null) {
            throw new VaultException("the envelope does not open");
        }
        String text = requireNonNull(stored.values.get(field));
        SecretValue value = new SecretValue(text.getBytes(StandardCharsets.UTF_8));
        opened.add(value);
        return value;
    }

    public int reads() {
        return reads.get();
    }

    /** How many values were opened. */
    public synchronized int openedCount() {
        return opened.size();
    }

    /** Whether every value that was opened has been wiped again. */
    public synchronized boolean isAllWiped() {
        return opened.stream().allMatch(MemoryVault::isWiped);
    }

    private static boolean isWiped(SecretValue value) {
        try {
            value.reveal(Reveal.TO_SCRUB);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
