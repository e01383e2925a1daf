-- Has its row once anything was encrypted: from then on nothing is written plain, whatever the settings say.
CREATE TABLE memory.encryption (
    only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    master_id text NOT NULL,
    since     timestamptz NOT NULL DEFAULT pg_catalog.now()
);

-- pgrx cannot give a trigger's function a search_path.
ALTER FUNCTION @extschema@.encryption_changed() SET search_path = pg_catalog, pg_temp;
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON memory.encryption
    FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.encryption_changed();
ALTER TABLE memory.encryption ENABLE ALWAYS TRIGGER changed;

-- A user's keys under the master key. The newest seals; older ones stay until no row needs them. keyed: whether the
-- words of the user's rows are hashed with the key. sealed_at: when every row was found sealed with it.
CREATE TABLE memory.user_keys (
    user_id    text NOT NULL,
    key_id     integer NOT NULL,
    wrapped    bytea NOT NULL,
    master_id  text NOT NULL,
    keyed      boolean NOT NULL,
    sealed_at  timestamptz,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    PRIMARY KEY (user_id, key_id)
);

-- How far the encryption of what is stored has come.
CREATE VIEW memory.encryption_progress WITH (security_barrier, security_invoker) AS
    SELECT u.user_id, k.key_id, k.key_count, k.master_id, k.sealed_at
    FROM (SELECT user_id FROM memory.sessions UNION SELECT user_id FROM memory.scopes
          UNION SELECT user_id FROM memory.stored_relationships UNION SELECT user_id FROM memory.stored_scenes) u
    LEFT JOIN LATERAL (
        SELECT n.key_id, n.master_id, n.sealed_at, pg_catalog.count(*) OVER () AS key_count
        FROM memory.user_keys n WHERE n.user_id OPERATOR(pg_catalog.=) u.user_id
        ORDER BY n.key_id DESC LIMIT 1) k ON true;

COMMENT ON VIEW memory.encryption_progress IS 'How far the encryption of every user has come';
COMMENT ON COLUMN memory.encryption_progress.user_id IS 'The data subject';
COMMENT ON COLUMN memory.encryption_progress.key_id IS 'The key that encrypts now; NULL: nothing of the user is encrypted';
COMMENT ON COLUMN memory.encryption_progress.key_count IS 'How many keys are in use: more than one until memory_encrypt is done with the user';
COMMENT ON COLUMN memory.encryption_progress.master_id IS 'The fingerprint of the master key that the key is encrypted with';
COMMENT ON COLUMN memory.encryption_progress.sealed_at IS 'When every text was found encrypted with the key; NULL: some are left';

COMMENT ON TABLE memory.encryption IS 'Since when the data is encrypted and by which master key; empty: it is not';
COMMENT ON COLUMN memory.encryption.only_row IS 'There is one row at most';
COMMENT ON COLUMN memory.encryption.master_id IS 'The fingerprint of the master key; it tells nothing of the key';
COMMENT ON COLUMN memory.encryption.since IS 'When the first row was encrypted';

COMMENT ON TABLE memory.user_keys IS 'The keys of users, encrypted with the master key';
COMMENT ON COLUMN memory.user_keys.user_id IS 'The data subject';
COMMENT ON COLUMN memory.user_keys.key_id IS 'The number of the key, which every text sealed with it names';
COMMENT ON COLUMN memory.user_keys.wrapped IS 'The key, encrypted';
COMMENT ON COLUMN memory.user_keys.master_id IS 'The fingerprint of the master key that it is encrypted with';
COMMENT ON COLUMN memory.user_keys.keyed IS 'Whether the words of the search index are hashed with it';
COMMENT ON COLUMN memory.user_keys.sealed_at IS 'When every text of the user was found encrypted with it; NULL: some are left (memory_encrypt)';
COMMENT ON COLUMN memory.user_keys.created_at IS 'When the key was made';
