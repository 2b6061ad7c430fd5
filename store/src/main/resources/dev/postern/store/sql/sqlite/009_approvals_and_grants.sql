-- What a person sees of a grant when the agent or a captured secret is gone.
ALTER TABLE access_grant ADD COLUMN agent_name TEXT NOT NULL DEFAULT '';

ALTER TABLE access_grant ADD COLUMN secret_name TEXT NOT NULL DEFAULT '';

UPDATE access_grant SET
    agent_name = coalesce((SELECT name FROM agent WHERE agent.id = access_grant.agent), ''),
    secret_name = coalesce((SELECT name FROM secret WHERE secret.id = access_grant.secret_id), '');

-- When the agent was told that its call waits and may be sent again; null while a call itself is held.
ALTER TABLE approval ADD COLUMN told_at INTEGER;
