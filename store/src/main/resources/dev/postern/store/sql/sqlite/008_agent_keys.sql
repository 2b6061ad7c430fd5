-- An agent has more than one key while they are rotated; each ends on its own.
DROP INDEX agent_key;

CREATE TABLE agent_key (
    hash BLOB PRIMARY KEY,
    agent TEXT NOT NULL REFERENCES agent (id),
    prefix TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER
);

CREATE INDEX agent_key_agent ON agent_key (agent, created_at);

INSERT INTO agent_key (hash, agent, prefix, created_at, last_used_at)
    SELECT key_hash, id, key_prefix, created_at, last_used_at FROM agent;

ALTER TABLE agent DROP COLUMN key_hash;

ALTER TABLE agent DROP COLUMN key_prefix;

ALTER TABLE agent DROP COLUMN last_used_at;
