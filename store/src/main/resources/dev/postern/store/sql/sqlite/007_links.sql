-- Values behind one-time links. The token is not here, its SHA-256 is; a row lives until it is claimed or has expired.
CREATE TABLE one_time_link (
    token_hash BLOB PRIMARY KEY,
    key_version INTEGER NOT NULL REFERENCES key_encryption_key (version),
    wrapped_key BLOB NOT NULL,
    value BLOB NOT NULL,
    call_id TEXT NOT NULL,
    user_name TEXT NOT NULL,
    approver TEXT NOT NULL,
    placeholder TEXT NOT NULL,
    secret_ref TEXT,
    expires_at INTEGER NOT NULL
);

CREATE INDEX one_time_link_expires ON one_time_link (expires_at);
