-- Challenges are not kept until they are answered, only from then until they lapse, as a hash.

DROP TABLE passkey_challenge;

CREATE TABLE passkey_challenge (
    hash BLOB PRIMARY KEY,
    lapses_at INTEGER NOT NULL
);

CREATE INDEX passkey_challenge_lapses ON passkey_challenge (lapses_at);
