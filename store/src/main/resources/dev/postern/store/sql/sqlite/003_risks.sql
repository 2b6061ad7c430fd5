-- What makes a request risky, and which secrets it was about: so that a person sees what was decided before.
ALTER TABLE approval ADD COLUMN risk_reasons TEXT NOT NULL DEFAULT '';

CREATE TABLE approval_secret (
    approval_id TEXT NOT NULL REFERENCES approval (id),
    secret_id TEXT NOT NULL,
    field TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    PRIMARY KEY (approval_id, secret_id, field)
);

CREATE INDEX approval_secret_use ON approval_secret (secret_id, server, tool);
