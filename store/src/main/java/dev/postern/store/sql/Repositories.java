package dev.postern.store.sql;

import dev.postern.gate.vault.ServerLogins;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The repositories on one open database, and the work that has to be done from time to time. */
public final class Repositories implements AutoCloseable {
    private final InstantSource clock;
    private final Database database;
    private final KeyRing ring;
    private final OperatorLog operatorLog;
    private final SqlVault vault;
    private final VaultKeys keys;
    private final SqlServerLogins logins;
    private final SqlAgents agents;
    private final SqlPolicy policy;
    private final SqlKills kills;
    private final SqlPins pins;
    private final SqlApprovals approvals;
    private final SqlGrants grants;
    private final SqlPeople people;
    private final SqlSessions sessions;
    private final SqlPasskeys passkeys;
    private final SqlLinks links;
    private final ScheduledExecutorService housekeeping;

    private Repositories(Opening opening, DataDirectory directory, KeySource source, InstantSource clock) {
        this.clock = clock;
        this.database = opening.database();
        this.ring = opening.keys();
        this.operatorLog = new OperatorLog(database, clock);
        this.vault = new SqlVault(database, ring);
        this.keys = new VaultKeys(database, directory, source, ring, operatorLog, clock);
        this.logins = new SqlServerLogins(database, ring, operatorLog, clock);
        this.agents = new SqlAgents(database, operatorLog, clock);
        this.policy = new SqlPolicy(database, operatorLog, clock);
        this.kills = new SqlKills(database, operatorLog);
        this.pins = new SqlPins(database, operatorLog);
        this.approvals = new SqlApprovals(database, operatorLog);
        this.grants = new SqlGrants(database, operatorLog, clock);
        this.people = new SqlPeople(database, operatorLog, clock);
        this.sessions = new SqlSessions(database);
        this.passkeys = new SqlPasskeys(database, operatorLog);
        this.links = new SqlLinks(database, ring, clock);
        this.housekeeping = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("postern-store-housekeeping").factory());
    }

    /**
     * Opens the database of a directory, making it and its keys where there is none.
     *
     * @throws StoreException with a sentence, if the database cannot be used
     * @throws dev.postern.store.crypto.KeyException with a sentence, if the key cannot
     */
    public static Repositories open(DataDirectory directory, KeySource source, InstantSource clock) {
        Opening opening = Opening.of(directory, source, clock);
        try {
            Repositories repositories = new Repositories(opening, directory, source, clock);
            repositories.start();
            return repositories;
        } catch (RuntimeException e) {
            opening.database().close();
            opening.keys().close();
            throw e;
        }
    }

    private void start() {
        keys.finishIfBehind();
        every(Duration.ofMinutes(1), writer(OperatorLog.OPERATOR)::purge);
        every(Duration.ofSeconds(20), links::purge); // what has expired is gone within a minute (O3)
    }

    private void every(Duration time, Runnable chore) {
        var _ = housekeeping.scheduleWithFixedDelay(
                () -> {
                    try {
                        chore.run();
                    } catch (StoreException e) {
                        // The next time tries again; who needs the database meanwhile is told by it.
                    }
                },
                0,
                time.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    public Database database() {
        return database;
    }

    public SqlVault vault() {
        return vault;
    }

    /** Writing secrets in the name of an actor, such as {@code operator}. */
    public VaultWriter vaultWriter(String actor) {
        return writer(actor);
    }

    private SqlVaultWriter writer(String actor) {
        return new SqlVaultWriter(database, ring, operatorLog, clock, actor);
    }

    public VaultKeys keys() {
        return keys;
    }

    public ServerLogins logins() {
        return logins;
    }

    public SqlAgents agents() {
        return agents;
    }

    public SqlPolicy policy() {
        return policy;
    }

    public SqlPins pins() {
        return pins;
    }

    public SqlKills kills() {
        return kills;
    }

    public SqlApprovals approvals() {
        return approvals;
    }

    public SqlGrants grants() {
        return grants;
    }

    /** A key for something else than secrets; see {@link KeyRing#derive}. */
    public byte[] derivedKey(String purpose) {
        return ring.derive(purpose);
    }

    /** The key that signs the ledger. */
    public SigningKeys signingKeys() {
        return new SigningKeys(ring, clock);
    }

    public SqlPeople people() {
        return people;
    }

    public SqlSessions sessions() {
        return sessions;
    }

    public SqlPasskeys passkeys() {
        return passkeys;
    }

    public SqlLinks links() {
        return links;
    }

    public OperatorLog operatorLog() {
        return operatorLog;
    }

    /** Finishes what was asked for, closes the database, and wipes the keys. */
    @Override
    public void close() {
        housekeeping.close();
        database.close();
        ring.close();
    }
}
