-- Secrets nobody told us about, in a call or its answer: a JSON array, or nothing.
ALTER TABLE ledger ADD COLUMN findings TEXT;
