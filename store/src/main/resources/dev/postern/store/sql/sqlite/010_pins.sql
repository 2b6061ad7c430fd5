-- Tool definitions as a person approved them, and what servers show instead.
CREATE TABLE tool_pin (
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    hash TEXT NOT NULL,
    definition BLOB NOT NULL,
    pinned_at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    accepted_at INTEGER,
    seen_hash TEXT,
    seen_definition BLOB,
    seen_at INTEGER,
    PRIMARY KEY (server, tool)
);
