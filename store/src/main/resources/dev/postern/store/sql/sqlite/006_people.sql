-- Who decides, and how they prove it. Passphrases, tokens and links are kept as hashes.

CREATE TABLE person (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    passphrase_hash TEXT,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    last_sign_in_at INTEGER,
    removed_at INTEGER
);

CREATE UNIQUE INDEX person_name ON person (name) WHERE removed_at IS NULL;

CREATE TABLE sign_in_link (
    token_hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (id),
    expires_at INTEGER NOT NULL
);

CREATE TABLE session (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL,
    person TEXT NOT NULL REFERENCES person (id),
    opened_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    confirmed_at INTEGER
);

CREATE UNIQUE INDEX session_token ON session (token_hash);

CREATE INDEX session_person ON session (person);
