-- What a call was decided on: JSON, on the disk before the call left.
ALTER TABLE ledger_intent ADD COLUMN decision TEXT;

-- How each call came to what it came to, in a chain of its own: the line of an export stays what it is.
CREATE TABLE ledger_trace (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    decision TEXT,
    stages TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL
);

CREATE INDEX ledger_trace_id ON ledger_trace (id);

INSERT INTO ledger_head (chain, position, hash) VALUES
    ('ledger_trace', 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- For looking through the ledger, newest first, and counting over time. Each has few values or grows at its end.
CREATE INDEX ledger_at ON ledger (at);

CREATE INDEX ledger_agent ON ledger (agent);

CREATE INDEX ledger_tool ON ledger (server, tool);

CREATE INDEX ledger_disposition ON ledger (disposition);

-- Who signs the ledger. The private key is sealed as a secret's value is.
CREATE TABLE ledger_key (
    id TEXT PRIMARY KEY,
    public_key BLOB NOT NULL,
    key_version INTEGER NOT NULL REFERENCES key_encryption_key (version),
    wrapped_key BLOB NOT NULL,
    private_key BLOB NOT NULL,
    created_at INTEGER NOT NULL
);

-- Where the chains stood at a time, signed.
CREATE TABLE ledger_checkpoint (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    entries INTEGER NOT NULL,
    hash TEXT NOT NULL,
    intents INTEGER NOT NULL,
    intent_hash TEXT NOT NULL,
    traces INTEGER NOT NULL,
    trace_hash TEXT NOT NULL,
    key TEXT NOT NULL REFERENCES ledger_key (id),
    signature TEXT NOT NULL
);

CREATE INDEX ledger_checkpoint_entries ON ledger_checkpoint (entries, number);

CREATE INDEX ledger_checkpoint_intents ON ledger_checkpoint (intents, number);

CREATE INDEX ledger_checkpoint_traces ON ledger_checkpoint (traces, number);

-- Segments that were moved out of the database. Each ends at its checkpoint, which stays when the files are deleted.
CREATE TABLE ledger_archive (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checkpoint INTEGER NOT NULL REFERENCES ledger_checkpoint (number),
    entries INTEGER NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    archived_at INTEGER NOT NULL,
    deleted_at INTEGER
);

-- Intents still in the database whose entry was moved out.
CREATE TABLE ledger_carried (
    intent INTEGER PRIMARY KEY
);
