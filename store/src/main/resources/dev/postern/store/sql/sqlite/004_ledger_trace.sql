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
