-- The account at an OpenID Connect provider that a session was opened with: whoever has nothing else to prove that it is them
-- signs in there again, with the same one.
ALTER TABLE session ADD COLUMN issuer TEXT;
ALTER TABLE session ADD COLUMN subject TEXT;
