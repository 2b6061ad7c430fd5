-- Whose link it is, so that the kill switch stops it; empty where a person made it.
ALTER TABLE one_time_link ADD COLUMN agent TEXT NOT NULL DEFAULT '';
