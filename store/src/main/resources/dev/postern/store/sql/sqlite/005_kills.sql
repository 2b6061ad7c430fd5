-- What is stopped, by scope: ALL, AGENT or SERVER.
CREATE TABLE kill (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    engaged_at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT,
    PRIMARY KEY (kind, name)
);

INSERT INTO kill (kind, name, engaged_at, actor) SELECT 'ALL', '', changed_at, actor FROM kill_switch WHERE engaged = 1;

DROP TABLE kill_switch;
