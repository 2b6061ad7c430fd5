-- What servers gave the gateway to come with: tokens and what renews them, sealed, one for each server.
CREATE TABLE server_login (
    server TEXT PRIMARY KEY,
    key_version INTEGER NOT NULL REFERENCES key_encryption_key (version),
    wrapped_key BLOB NOT NULL,
    login BLOB NOT NULL,
    saved_at INTEGER NOT NULL
);
