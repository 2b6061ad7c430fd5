package dev.postern.store;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.approval.ApprovalStore;
import dev.postern.gate.definition.PinStore;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.link.LinkStore;
import dev.postern.gate.person.PasskeyStore;
import dev.postern.gate.person.PersonStore;
import dev.postern.gate.person.SessionStore;
import dev.postern.gate.policy.KillStore;
import dev.postern.gate.policy.PolicyStore;
import dev.postern.gate.vault.ServerLogins;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.ledger.LedgerArchives;
import dev.postern.store.ledger.SqlLedger;
import dev.postern.store.sql.OperatorLog;
import dev.postern.store.sql.Repositories;
import dev.postern.store.sql.VaultKeys;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything at rest of one installation: the vault, agents, policy, kill switch, approvals, grants and the ledger, in one data
 * directory. What it gives out is thread-safe and may be called from virtual threads.
 */
public final class Store implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    private final Repositories repositories;
    private final SqlLedger ledger;
    private final LedgerArchives archives;

    private Store(Repositories repositories, SqlLedger ledger, LedgerArchives archives) {
        this.repositories = repositories;
        this.ledger = ledger;
        this.archives = archives;
    }

    /**
     * Opens the store, making the database and its keys on the first start. The directory stays the caller's to close, after
     * this.
     *
     * @throws dev.postern.store.sql.StoreException with one plain sentence, if the database is damaged, newer than this
     *     program or cannot be written; nothing is changed
     * @throws dev.postern.store.crypto.KeyException with one plain sentence, if the key is missing or is another's;
     *     nothing is changed
     */
    public static Store open(DataDirectory directory, KeySource key) {
        return open(directory, key, InstantSource.system());
    }

    /** As {@link #open(DataDirectory, KeySource)}, with another clock. */
    public static Store open(DataDirectory directory, KeySource key, InstantSource clock) {
        Repositories repositories = Repositories.open(directory, key, clock);
        try {
            SqlLedger ledger = new SqlLedger(repositories.database(), repositories.signingKeys(), clock);
            int cutShort = ledger.recover();
            if (cutShort > 0) {
                LOG.warn("{} calls were cut short by the last stop; their ledger entries say so", cutShort);
            }
            return new Store(
                    repositories, ledger, ledger.archives(directory.path(), repositories.operatorLog(), clock));
        } catch (RuntimeException e) {
            repositories.close();
            throw e;
        }
    }

    /** Reading secrets, for the governed call. */
    public Vault vault() {
        return repositories.vault();
    }

    /** Writing secrets, in the name of a person; {@link OperatorLog#OPERATOR} for this machine's user. */
    public VaultWriter vaultWriter(String actor) {
        return repositories.vaultWriter(actor);
    }

    /** Rotating and checking the vault's keys. */
    public VaultKeys keys() {
        return repositories.keys();
    }

    /** What servers gave the gateway to come with. */
    public ServerLogins logins() {
        return repositories.logins();
    }

    public AgentStore agents() {
        return repositories.agents();
    }

    public PolicyStore policy() {
        return repositories.policy();
    }

    /** Tool definitions as people approved them (P5). */
    public PinStore pins() {
        return repositories.pins();
    }

    public KillStore kills() {
        return repositories.kills();
    }

    public ApprovalStore approvals() {
        return repositories.approvals();
    }

    /** Which calls may pass unasked (P4). */
    public GrantStore grants() {
        return repositories.grants();
    }

    /** Who decides, and how they sign in. */
    public PersonStore people() {
        return repositories.people();
    }

    public SessionStore sessions() {
        return repositories.sessions();
    }

    /** Passkeys, and the challenges that are out. */
    public PasskeyStore passkeys() {
        return repositories.passkeys();
    }

    /** Values behind one-time links. */
    public LinkStore links() {
        return repositories.links();
    }

    /** Writing the ledger; {@link dev.postern.store.ledger.LedgerReader} reads it. */
    public Ledger ledger() {
        return ledger;
    }

    /** The key that seals what an agent brings back for an approval, after a restart, too; the caller wipes it. */
    public byte[] approvalStateKey() {
        return repositories.derivedKey("postern/approval-state/1");
    }

    /** Moving old entries of the ledger out of the database. */
    public LedgerArchives ledgerArchives() {
        return archives;
    }

    /** What people did. */
    public OperatorLog operatorLog() {
        return repositories.operatorLog();
    }

    /** Writes what is still to be written, closes the database, and wipes the keys. */
    @Override
    public void close() {
        try {
            ledger.seal();
        } catch (LedgerUnavailableException e) {
            LOG.error("the last ledger entries could not be written: {}", e.getMessage());
        } finally {
            repositories.close();
        }
    }
}
