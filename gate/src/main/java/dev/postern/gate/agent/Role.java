package dev.postern.gate.agent;

import static dev.postern.gate.agent.Right.*;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What somebody is to Postern, and what that lets them do (A2). This table is the only one: every surface asks
 * {@link #may}. An agent has rights no person needs, and none of those by which a person decides (A1).
 */
public enum Role {
    /** A program with a key of its own. */
    AGENT("agent", EnumSet.of(CALL_TOOLS, USE_SECRETS, LIST_SECRETS, PRESIGN_SECRETS)),
    /** A person with secrets. */
    MEMBER("member", EnumSet.of(LIST_SECRETS, PRESIGN_SECRETS, MINT_BARE_LINKS, WRITE_OWN_SECRETS)),
    /** A person who also decides what agents may do. */
    APPROVER(
            "approver",
            MEMBER,
            EnumSet.of(
                    SEE_APPROVALS,
                    DECIDE_APPROVALS,
                    REVOKE_GRANTS,
                    ACCEPT_DEFINITIONS,
                    ENGAGE_KILL_SWITCH,
                    READ_POLICY,
                    READ_LEDGER)),
    /** A person who also makes the rules. */
    ADMIN(
            "admin",
            APPROVER,
            EnumSet.of(
                    WRITE_ALL_SECRETS,
                    RELEASE_KILL_SWITCH,
                    APPLY_POLICY,
                    MANAGE_AGENTS,
                    MANAGE_SERVERS,
                    MANAGE_PEOPLE));

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // Set.copyOf made it
    private final Set<Right> rights;

    Role(String label, Set<Right> rights) {
        this.label = label;
        this.rights = Set.copyOf(rights);
    }

    Role(String label, Role lesser, Set<Right> more) {
        this(label, Stream.concat(lesser.rights.stream(), more.stream()).collect(Collectors.toSet()));
    }

    /** Whether this role has the right. */
    public boolean may(Right right) {
        return rights.contains(right);
    }

    /** Everything this role may do. */
    public Set<Right> rights() {
        return rights;
    }

    /** Whether a person can have this role. */
    public boolean isPerson() {
        return this != AGENT;
    }

    /** The name in commands, files and the database. */
    public String label() {
        return label;
    }

    /**
     * The role with this label.
     *
     * @throws IllegalArgumentException if no role has this label
     */
    public static Role parse(String label) {
        for (Role role : values()) {
            if (role.label.equals(label)) {
                return role;
            }
        }
        throw new IllegalArgumentException("a role is agent, member, approver or admin");
    }
}
