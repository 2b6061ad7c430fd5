-- Passkeys: what proves a signature, never what makes one. A challenge is kept as a hash until it is answered or has expired.

CREATE TABLE passkey (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (id),
    name TEXT NOT NULL,
    relying_party TEXT NOT NULL,
    credential TEXT NOT NULL,
    public_key TEXT NOT NULL,
    backup_eligible INTEGER NOT NULL,
    signatures INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
);

CREATE UNIQUE INDEX passkey_credential ON passkey (credential);

CREATE INDEX passkey_person ON passkey (person);

CREATE TABLE passkey_challenge (
    hash BLOB PRIMARY KEY,
    purpose TEXT NOT NULL,
    expires_at INTEGER NOT NULL
);

CREATE INDEX passkey_challenge_expires ON passkey_challenge (expires_at);
