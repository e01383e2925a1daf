-- No worker: nothing may move by itself while these tests look.
SELECT format('ALTER DATABASE %I SET memory_ext.workers = off', current_database()) \gexec
SELECT count(pg_terminate_backend(pid)) < 2 AS gone FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'memory_ext worker';

-- What the other tests use.
CREATE SCHEMA test;
GRANT USAGE ON SCHEMA test TO PUBLIC;

-- Runs a statement that must fail and gives its error as an application sees it.
CREATE FUNCTION test.expect_error(statement text, OUT code text, OUT message text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    message := 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code := RETURNED_SQLSTATE, message := MESSAGE_TEXT, hint := PG_EXCEPTION_HINT;
END $$;

-- What must hold for a user at any time: counts of sessions are those of their rows, every message has its
-- session and is of the same scope. No row: all is well.
CREATE FUNCTION test.faults(whose text) RETURNS SETOF text
LANGUAGE sql AS $$
    SELECT 'counts of session ' || s.session_id
    FROM memory.sessions s
    LEFT JOIN memory.stored_messages m USING (user_id, session_id)
    WHERE s.user_id = whose
    GROUP BY s.user_id, s.session_id
    HAVING s.message_count <> count(m.id)
        OR s.turn_count <> count(m.id) FILTER (WHERE m.role = 'user')
        OR s.token_count <> coalesce(sum(m.tokens), 0)
    UNION ALL
    SELECT CASE WHEN s.user_id IS NULL THEN 'message without session' ELSE 'message of another scope than its session' END
    FROM memory.stored_messages m LEFT JOIN memory.sessions s USING (user_id, session_id)
    WHERE m.user_id = whose AND (m.agent_id, m.space, m.big) IS DISTINCT FROM (s.agent_id, s.space, s.big)
$$;
