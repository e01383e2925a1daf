\pset format unaligned
\pset null '∅'
SET memory_ext.embedding_provider = none;
CREATE ROLE regress_m_nobody;
CREATE ROLE regress_m_reader IN ROLE memory_reader;
CREATE ROLE regress_m_writer IN ROLE memory_writer;
CREATE ROLE regress_m_service IN ROLE memory_writer, memory_service;
CREATE ROLE regress_m_admin IN ROLE memory_admin;
SELECT count(*) FROM unnest('{mrls-amy,mrls-bob}'::text[]) AS u, memory_create(u, 'secret of ' || u, embedding => '[1,0]', topics => '{secret}');
SELECT memory_pin('mrls-bob', test.memory('mrls-bob', 'secret of mrls-bob'));
SELECT memory_set_plan(u, 'free') FROM unnest('{mrls-amy,mrls-bob}'::text[]) AS u;
SELECT count(*) FROM generate_series(1, 5) n, unnest('{mrls-amy,mrls-bob}'::text[]) AS u, memory_add_turn(u, 's', 'question ' || n, 'answer');
SELECT duty FROM unnest('{mrls-amy,mrls-bob}'::text[]) AS u, memory_maintain(u);
SELECT test.memory('mrls-bob', 'secret of mrls-bob') AS bobs, test.memory('mrls-amy', 'secret of mrls-amy') AS amys \gset

-- Who may call what.
SELECT proname, has_function_privilege('regress_m_nobody', oid, 'execute') AS nobody, has_function_privilege('regress_m_reader', oid, 'execute') AS reader,
       has_function_privilege('regress_m_writer', oid, 'execute') AS writer, has_function_privilege('regress_m_admin', oid, 'execute') AS admin
FROM pg_proc WHERE oid IN (SELECT objid FROM pg_depend JOIN pg_extension e ON refobjid = e.oid WHERE extname = 'memory_ext' AND classid = 'pg_proc'::regclass)
  AND proname IN ('novelty_score', 'strength_after', 'memory_create', 'memory_get', 'memory_list', 'memory_load', 'memory_get_history', 'memory_update', 'memory_pin', 'memory_delete', 'memory_archive', 'memory_restore',
      'memory_archive_excess', 'memory_set_plan', 'memory_recall', 'memory_mark_used', 'memory_decay', 'memory_consolidate', 'memory_unconsolidate', 'memory_promote', 'memory_prune', 'memory_maintain', 'memory_reembed') ORDER BY proname COLLATE "C";
-- Who may do what with the tables and views.
SELECT c.oid::regclass AS relation, string_agg(r || ':' || concat(CASE WHEN has_table_privilege('regress_m_' || r, c.oid, 'select') THEN 's' END, CASE WHEN has_table_privilege('regress_m_' || r, c.oid, 'insert') THEN 'i' END,
       CASE WHEN has_table_privilege('regress_m_' || r, c.oid, 'update') THEN 'u' END, CASE WHEN has_table_privilege('regress_m_' || r, c.oid, 'delete') THEN 'd' END), ' ' ORDER BY n) AS may
FROM pg_class c, unnest('{nobody,reader,writer,admin}'::text[]) WITH ORDINALITY AS r (r, n) WHERE relnamespace = 'memory'::regnamespace AND relkind IN ('r', 'v')
  AND relname IN ('plans', 'users', 'models', 'scopes', 'stored_memories', 'search_entries', 'stored_history', 'memories', 'memory_history', 'recall_profiles', 'maintenance_runs') GROUP BY c.oid ORDER BY c.oid::regclass::text COLLATE "C";
-- Every table with a user's data is closed to all but that user.
SELECT relname, relrowsecurity AND relforcerowsecurity AS forced FROM pg_class c WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r'
  AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'user_id') ORDER BY relname COLLATE "C";
CREATE FUNCTION pg_temp.seen() RETURNS TABLE (relation text, rows bigint, others bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH relation IN ARRAY '{users,scopes,stored_memories,search_entries,stored_history,memories,memory_history,maintenance_runs}'::text[] LOOP
        EXECUTE format('SELECT count(*), count(*) FILTER (WHERE user_id <> ''mrls-amy'') FROM memory.%I WHERE user_id LIKE ''mrls-%%''', relation) INTO rows, others;
        RETURN NEXT;
    END LOOP;
END $$;
CREATE TEMP TABLE calls (n int GENERATED ALWAYS AS IDENTITY, call text);
INSERT INTO calls (call) SELECT replace(c, 'ID', :'bobs') FROM unnest(ARRAY['memory_get(''USER'', ''ID'')', 'memory_list(''USER'')', 'memory_load(''USER'')', 'memory_get_history(''USER'', ''ID'')', 'memory_recall(''USER'', ''secret'', ''[1,0]'')', 'novelty_score(''USER'', embedding => ''[1,0]'')',
    'memory_create(''USER'', ''new'')', 'memory_update(''USER'', ''ID'', importance => 0)', 'memory_pin(''USER'', ''ID'', false)', 'memory_archive(''USER'', ''ID'')', 'memory_restore(''USER'', ''ID'')', 'memory_delete(''USER'', ''ID'')',
    'memory_archive_excess(''USER'', max_active => 0)', 'memory_mark_used(''USER'', ''{ID}'')', 'memory_decay(''USER'')', 'memory_consolidate(''USER'')', 'memory_unconsolidate(''USER'', ''ID'')', 'memory_promote(''USER'')',
    'memory_prune(''USER'', max_memories => 0)', 'memory_maintain(''USER'')', 'memory_set_plan(''USER'', NULL)']) WITH ORDINALITY AS c (c, n) ORDER BY n;
GRANT SELECT ON calls TO PUBLIC;
CREATE FUNCTION pg_temp.answer(call text, whose text, OUT rows bigint, OUT code text, OUT message text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(x) FROM %s AS x', replace(call, 'USER', whose)) INTO rows;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code := RETURNED_SQLSTATE, message := MESSAGE_TEXT;
END $$;

SET ROLE regress_m_nobody;
SELECT * FROM test.expect_error($$SELECT * FROM memory.memories$$);
SELECT DISTINCT code FROM calls, pg_temp.answer(call, 'mrls-bob');
RESET ROLE;

-- A reader with nobody set sees nothing, with Amy set Amy's rows; Bob's memory is not found.
SET ROLE regress_m_reader;
SELECT relation FROM pg_temp.seen() WHERE rows > 0;
SELECT count(*) FROM memory_recall('mrls-amy', 'secret', '[1,0]');
SET memory_ext.user_id = 'mrls-amy';
SELECT * FROM pg_temp.seen();
SELECT content FROM memory_recall('mrls-amy', 'secret', '[1,0]', kinds => '{episodic}');
SELECT replace(call, :'bobs', 'ID') AS call, rows, code, replace(message, :'bobs', 'ID') AS message FROM calls, pg_temp.answer(call, 'mrls-bob') ORDER BY n;
SELECT m ->> 'content' AS told FROM build_context_json('mrls-bob', NULL, 'secret') AS c, jsonb_array_elements(c -> 'memories') AS m;
SELECT * FROM test.expect_error($$UPDATE memory.plans SET max_active = 1000$$);
RESET memory_ext.user_id;
RESET ROLE;
-- A writer writes for the user that is set and for no other.
SET ROLE regress_m_writer;
SELECT replace(call, :'bobs', 'ID') AS call, rows, code, replace(message, :'bobs', 'ID') AS message FROM calls, pg_temp.answer(call, 'mrls-bob') ORDER BY n;
SET memory_ext.user_id = 'mrls-amy';
SELECT replace(call, :'bobs', 'ID') AS call, rows, code, replace(message, :'bobs', 'ID') AS message FROM calls, pg_temp.answer(call, 'mrls-bob') ORDER BY n;
SELECT verdict FROM memory_create('mrls-amy', 'new', embedding => '[0,1]');
SELECT memory_mark_used('mrls-amy', ARRAY[:'amys']::uuid[]), memory_decay('mrls-amy'), memory_pin('mrls-amy', :'amys');
SELECT * FROM memory_maintain();
SET memory_ext.decay_turns = 1;
SELECT memory_add_message('mrls-amy', 's', 'user', 'again') IS NOT NULL AS said;
SELECT * FROM memory_maintain();
SELECT * FROM pg_temp.seen();
-- A writer's own pruning may make it a big user.
SET memory_ext.exact_limit = 1;
SET memory_ext.prune_turns = 1;
SELECT * FROM memory_maintain();
SELECT plan, big FROM memory.users;
RESET memory_ext.prune_turns;
RESET memory_ext.exact_limit;
-- Plain SQL is held to the same rows; a new model can be noted, plans and profiles cannot be changed.
SELECT code FROM unnest(ARRAY['UPDATE memory.stored_memories SET user_id = ''mrls-bob''', 'INSERT INTO memory.scopes (user_id, agent_id, space) VALUES (''mrls-bob'', ''x'', ''x'')', 'INSERT INTO memory.users (user_id) VALUES (''mrls-carl'')', 'UPDATE memory.users SET plan = ''premium''',
    'DELETE FROM memory.plans', 'UPDATE memory.recall_profiles SET similarity = 1', 'UPDATE memory.models SET name = ''x''', 'DELETE FROM memory.models']) AS statement, test.expect_error(statement);
WITH gone AS (DELETE FROM memory.search_entries WHERE user_id = 'mrls-bob' RETURNING 1) SELECT count(*) FROM gone;
RESET memory_ext.decay_turns;
RESET memory_ext.user_id;
RESET ROLE;
-- Nothing of Bob's was touched.
SELECT content, importance, strength, mention_count, pinned, archived_at FROM memory.memories WHERE user_id = 'mrls-bob';
SELECT decay_steps FROM memory.scopes WHERE user_id = 'mrls-bob';
SELECT u, f FROM unnest('{mrls-amy,mrls-bob}'::text[]) AS u, test.memory_faults(u) AS f;
-- A service works for all users; an administrator sets plans and profiles.
SET ROLE regress_m_service;
SELECT verdict FROM memory_create('mrls-bob', 'from the service', embedding => '[0,1]');
SELECT user_id, count(*) FROM memory.memories WHERE user_id LIKE 'mrls-%' GROUP BY 1 ORDER BY 1;
SELECT code FROM test.expect_error($$SELECT memory_set_plan('mrls-bob', 'premium')$$);
SET ROLE regress_m_admin;
SELECT memory_set_plan('mrls-bob', 'premium');
INSERT INTO memory.plans VALUES ('mrls', 3);
DELETE FROM memory.plans WHERE plan = 'mrls' RETURNING plan;
SELECT code FROM test.expect_error($$DELETE FROM memory.plans WHERE plan = 'free'$$);
UPDATE memory.recall_profiles SET similarity = similarity WHERE profile = 'synk';
RESET ROLE;
SELECT memory_clear(u, true) -> 'memories' AS memories FROM unnest('{mrls-amy,mrls-bob}'::text[]) AS u;
DROP FUNCTION pg_temp.seen, pg_temp.answer;
DROP TABLE calls;
DROP ROLE regress_m_nobody, regress_m_reader, regress_m_writer, regress_m_service, regress_m_admin;
