package dev.postern.gate.agent;

/** One thing that somebody may do to or through Postern. {@link Role} says who may. */
public enum Right {
    /** Call tools of the servers, under the policy. */
    CALL_TOOLS,
    /** Send references, under the policy and a person's approval. */
    USE_SECRETS,
    /** See names, descriptions and fields of secrets; never a value. */
    LIST_SECRETS,
    /** Make a one-time link to a secret in the vault. */
    PRESIGN_SECRETS,
    /** Make a one-time link to a value that is never stored. */
    MINT_BARE_LINKS,
    /** Add, change and remove secrets that one owns. */
    WRITE_OWN_SECRETS,
    /** Add, change and remove anybody's secrets. */
    WRITE_ALL_SECRETS,
    /** See what waits for approval. */
    SEE_APPROVALS,
    /** Approve and deny, and give grants with an approval. */
    DECIDE_APPROVALS,
    /** Revoke grants. */
    REVOKE_GRANTS,
    /** Accept a changed tool definition, so that the tool can get secrets again. */
    ACCEPT_DEFINITIONS,
    /** Stop calls. */
    ENGAGE_KILL_SWITCH,
    /** Let calls through again. */
    RELEASE_KILL_SWITCH,
    /** See the policy and its history. */
    READ_POLICY,
    /** Replace the policy. */
    APPLY_POLICY,
    /** Search and export the ledger. */
    READ_LEDGER,
    /** Add and revoke agents, and rotate their keys. */
    MANAGE_AGENTS,
    /** Add, change and remove servers. */
    MANAGE_SERVERS,
    /** Invite people, change their roles and end their sessions. */
    MANAGE_PEOPLE
}
