package dev.postern.store.sql;

import dev.postern.gate.agent.Role;
import dev.postern.gate.person.Person;
import dev.postern.gate.person.PersonStore;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** People and their links (A1, A2). That somebody is left who administers is held in the transaction that would end it. */
public final class SqlPeople implements PersonStore {
    private static final String HAS_PASSKEY =
            "EXISTS (SELECT 1 FROM passkey WHERE passkey.person = person.id) AS has_passkey";
    private static final String LIST =
            "SELECT person.*, " + HAS_PASSKEY + " FROM person WHERE removed_at IS NULL ORDER BY name";
    private static final String FIND =
            "SELECT person.*, " + HAS_PASSKEY + " FROM person WHERE id = ? AND removed_at IS NULL";
    private static final String NAMED =
            "SELECT person.*, " + HAS_PASSKEY + " FROM person WHERE name = ? AND removed_at IS NULL";
    private static final String INSERT =
            "INSERT INTO person (id, name, role, created_at, created_by) VALUES (?, ?, ?, ?, ?)";
    private static final String ROLE = "UPDATE person SET role = ? WHERE id = ?";
    private static final String REMOVE = "UPDATE person SET removed_at = ?, passphrase_hash = NULL WHERE id = ?";
    private static final String OTHER_ADMINS =
            "SELECT count(*) FROM person WHERE role = 'admin' AND removed_at IS NULL AND id <> ?";
    private static final String HASH =
            "SELECT passphrase_hash FROM person WHERE id = ? AND removed_at IS NULL AND passphrase_hash IS NOT NULL";
    private static final String SET_HASH = "UPDATE person SET passphrase_hash = ? WHERE id = ?";
    private static final String SIGNED_IN = "UPDATE person SET last_sign_in_at = ? WHERE id = ?";
    private static final String ADD_LINK = "INSERT INTO sign_in_link (token_hash, person, expires_at) VALUES (?, ?, ?)";
    private static final String END_LINKS = "DELETE FROM sign_in_link WHERE person = ? OR expires_at <= ?";
    private static final String LINK = "SELECT person.*, " + HAS_PASSKEY + """
             FROM sign_in_link JOIN person ON person.id = sign_in_link.person
            WHERE token_hash = ? AND expires_at > ? AND removed_at IS NULL""";
    private static final String CLAIM_LINK = "DELETE FROM sign_in_link WHERE token_hash = ?";
    private static final String END_PASSKEYS = "DELETE FROM passkey WHERE person = ?";
    private static final String END_SESSIONS = "DELETE FROM session WHERE person = ?";

    private final Database database;
    private final OperatorLog log;
    private final InstantSource clock;

    SqlPeople(Database database, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.log = log;
        this.clock = clock;
    }

    @Override
    public List<Person> list() {
        return database.read("person.list", statements -> statements.list(LIST, SqlPeople::person));
    }

    @Override
    public Optional<Person> find(String id) {
        return database.read("person.find", statements -> statements.first(FIND, SqlPeople::person, id));
    }

    @Override
    public Optional<Person> named(String name) {
        return database.read("person.named", statements -> statements.first(NAMED, SqlPeople::person, name));
    }

    @Override
    public Person add(String name, Role role, String by) {
        if (name.isBlank() || name.length() > 64) {
            throw new IllegalArgumentException("A person's name has 1 to 64 characters.");
        }
        requirePerson(role);
        Person person = new Person(UUID.randomUUID().toString(), name, role, false, false, clock.instant(), by, null);
        database.write("person.add", statements -> {
            if (statements.first(NAMED, SqlPeople::person, name).isPresent()) {
                throw new IllegalArgumentException("A person of that name is there already.");
            }
            statements.update(INSERT, person.id(), name, role.label(), person.created(), by);
            log.record(statements, by, "person.add", name + " as " + role.label());
            return true;
        });
        return person;
    }

    @Override
    public boolean changeRole(String id, Role role, String by) {
        requirePerson(role);
        return database.write("person.role", statements -> {
            Optional<Person> person = statements.first(FIND, SqlPeople::person, id);
            if (person.isPresent()) {
                if (role != Role.ADMIN) {
                    requireOtherAdmin(statements, person.get());
                }
                statements.update(ROLE, role.label(), id);
                log.record(statements, by, "person.role", person.get().name() + " is " + role.label());
            }
            return person.isPresent();
        });
    }

    @Override
    public boolean remove(String id, String by) {
        return database.write("person.remove", statements -> {
            Optional<Person> person = statements.first(FIND, SqlPeople::person, id);
            if (person.isPresent()) {
                requireOtherAdmin(statements, person.get());
                statements.update(REMOVE, clock.instant(), id);
                statements.update(END_LINKS, id, clock.instant());
                statements.update(END_SESSIONS, id);
                statements.update(END_PASSKEYS, id);
                log.record(statements, by, "person.remove", person.get().name());
            }
            return person.isPresent();
        });
    }

    private static void requirePerson(Role role) {
        if (!role.isPerson()) {
            throw new IllegalArgumentException("A person's role is member, approver or admin.");
        }
    }

    private static void requireOtherAdmin(Statements statements, Person person) throws SQLException {
        if (person.role() == Role.ADMIN && statements.number(OTHER_ADMINS, person.id()) == 0) {
            throw new IllegalArgumentException("This is the last administrator: make somebody else one first.");
        }
    }

    @Override
    public Optional<String> passphraseHash(String id) {
        return database.read(
                "person.hash", statements -> statements.first(HASH, row -> row.text("passphrase_hash"), id));
    }

    @Override
    public void setPassphraseHash(String id, String hash, String by) {
        database.write("person.passphrase", statements -> {
            Person person = statements.first(FIND, SqlPeople::person, id).orElseThrow();
            statements.update(SET_HASH, hash, id);
            statements.update(END_LINKS, id, clock.instant());
            log.record(statements, by, "person.passphrase", person.name());
            return true;
        });
    }

    @Override
    public void signedIn(String id, Instant at) {
        database.write("person.sign-in", statements -> {
            Person person = statements.first(FIND, SqlPeople::person, id).orElseThrow();
            statements.update(SIGNED_IN, at, id);
            log.record(statements, person.name(), "person.sign-in", person.name());
            return true;
        });
    }

    @Override
    public void addLink(byte[] tokenHash, String person, Instant expires, String by) {
        database.write("sign-in-link.add", statements -> {
            Person owner = statements.first(FIND, SqlPeople::person, person).orElseThrow();
            statements.update(END_LINKS, person, clock.instant());
            statements.update(ADD_LINK, tokenHash, person, expires);
            log.record(statements, by, "person.link", owner.name());
            return true;
        });
    }

    @Override
    public Optional<Person> linkOwner(byte[] tokenHash, Instant now) {
        return database.read(
                "sign-in-link.find", statements -> statements.first(LINK, SqlPeople::person, tokenHash, now));
    }

    @Override
    public Optional<Person> claimLink(byte[] tokenHash, Instant now) {
        return database.write("sign-in-link.claim", statements -> {
            Optional<Person> owner = statements.first(LINK, SqlPeople::person, tokenHash, now);
            if (owner.isPresent()) {
                statements.update(CLAIM_LINK, (Object) tokenHash);
            }
            return owner;
        });
    }

    private static Person person(Row row) throws SQLException {
        return new Person(
                row.text("id"),
                row.text("name"),
                Role.parse(row.text("role")),
                row.textOrNull("passphrase_hash") != null,
                row.truth("has_passkey"),
                row.instant("created_at"),
                row.text("created_by"),
                row.instantOrNull("last_sign_in_at"));
    }
}
