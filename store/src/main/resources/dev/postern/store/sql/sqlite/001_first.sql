-- Times are epoch milliseconds, except in the ledger, whose columns are what an export shows.

CREATE TABLE schema_version (
    version INTEGER PRIMARY KEY
);

-- What is known of the operator's key: one row.
CREATE TABLE root_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    kind TEXT NOT NULL,
    salt BLOB,
    memory_kibibytes INTEGER,
    iterations INTEGER,
    lanes INTEGER
);

CREATE TABLE key_encryption_key (
    version INTEGER PRIMARY KEY,
    wrapped BLOB NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE TABLE secret (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    website TEXT,
    username TEXT,
    description TEXT,
    tags TEXT NOT NULL,
    allowed_servers TEXT NOT NULL,
    allowed_tools TEXT NOT NULL,
    allowed_hosts TEXT NOT NULL,
    has_notes INTEGER NOT NULL,
    version INTEGER NOT NULL,
    owner TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    removed_at INTEGER
);

CREATE UNIQUE INDEX secret_name ON secret (tenant, name) WHERE removed_at IS NULL;

CREATE TABLE secret_version (
    secret_id TEXT NOT NULL REFERENCES secret (id),
    version INTEGER NOT NULL,
    key_version INTEGER NOT NULL REFERENCES key_encryption_key (version),
    wrapped_key BLOB NOT NULL,
    password BLOB NOT NULL,
    notes BLOB,
    retired_at INTEGER,
    PRIMARY KEY (secret_id, version)
);

CREATE INDEX secret_version_key ON secret_version (key_version);

CREATE INDEX secret_version_retired ON secret_version (retired_at) WHERE retired_at IS NOT NULL;

CREATE TABLE agent (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    user_name TEXT NOT NULL,
    key_prefix TEXT NOT NULL,
    key_hash BLOB NOT NULL,
    denied TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
);

CREATE UNIQUE INDEX agent_name ON agent (name) WHERE revoked_at IS NULL;

CREATE UNIQUE INDEX agent_key ON agent (key_hash);

CREATE TABLE policy (
    revision INTEGER PRIMARY KEY,
    document BLOB NOT NULL,
    applied_at INTEGER NOT NULL,
    actor TEXT NOT NULL
);

CREATE TABLE kill_switch (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    engaged INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    actor TEXT NOT NULL
);

CREATE TABLE approval (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    digest TEXT NOT NULL,
    nonce TEXT NOT NULL,
    agent TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    user_name TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments BLOB NOT NULL,
    secrets TEXT NOT NULL,
    destination TEXT NOT NULL,
    risk TEXT NOT NULL,
    definition_hash TEXT NOT NULL,
    policy_revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    decided_by TEXT,
    decided_at INTEGER,
    note TEXT,
    seen_at INTEGER
);

CREATE INDEX approval_fingerprint ON approval (fingerprint, created_at);

CREATE INDEX approval_pending ON approval (created_at, agent) WHERE state = 'PENDING';

CREATE TABLE access_grant (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    tool TEXT NOT NULL,
    secret_id TEXT NOT NULL,
    field TEXT NOT NULL,
    destination TEXT NOT NULL,
    expires_at INTEGER,
    uses_left INTEGER,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
);

CREATE INDEX access_grant_scope ON access_grant (agent, tool, secret_id, field) WHERE revoked_at IS NULL;

-- What people did, in order. Rows are only ever added.
CREATE TABLE operator_act (
    position INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    act TEXT NOT NULL,
    subject TEXT NOT NULL
);

-- What was about to leave, on the disk before it left.
CREATE TABLE ledger_intent (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    agent TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    secret_refs TEXT NOT NULL,
    approver TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL
);

CREATE INDEX ledger_intent_id ON ledger_intent (id);

-- Intents whose call is not finished: a crash's leftovers are found at the next start without reading the whole ledger.
CREATE TABLE ledger_open (
    intent INTEGER PRIMARY KEY REFERENCES ledger_intent (position)
);

-- One row a finished call. The columns from id to hash are the members of an exported line.
CREATE TABLE ledger (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    agent TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    secret_refs TEXT NOT NULL,
    disposition TEXT NOT NULL,
    code TEXT,
    approver TEXT,
    duration_ms INTEGER NOT NULL,
    result_bytes INTEGER NOT NULL,
    scrub_hits INTEGER NOT NULL,
    error TEXT,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    intent INTEGER REFERENCES ledger_intent (position)
);

CREATE INDEX ledger_id ON ledger (id);

CREATE UNIQUE INDEX ledger_closes ON ledger (intent) WHERE intent IS NOT NULL;

-- Where each chain ends: a missing tail is found, and appending reads one row.
CREATE TABLE ledger_head (
    chain TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    hash TEXT NOT NULL
);

INSERT INTO ledger_head (chain, position, hash) VALUES
    ('ledger', 0, '0000000000000000000000000000000000000000000000000000000000000000'),
    ('ledger_intent', 0, '0000000000000000000000000000000000000000000000000000000000000000');
