\pset format unaligned
\pset null '∅'
CREATE ROLE regress_nobody;
CREATE ROLE regress_reader IN ROLE memory_reader;
CREATE ROLE regress_writer IN ROLE memory_writer;
CREATE ROLE regress_service IN ROLE memory_writer, memory_service;
CREATE ROLE regress_service_only IN ROLE memory_service;
CREATE ROLE regress_admin IN ROLE memory_admin;

SELECT memory_add_turn(u, 's', 'hello from ' || u, 'hi ' || u) IS NOT NULL AS added FROM unnest('{rls-amy,rls-bob}'::text[]) AS u;
SELECT memory_add_summary(u, 's', 'summary of ' || u) IS NOT NULL AS added FROM unnest('{rls-amy,rls-bob}'::text[]) AS u;
SELECT id AS bobs FROM memory_get_recent('rls-bob', 's', 1) \gset

-- Nobody without a role gets in.
SET ROLE regress_nobody;
SELECT * FROM test.expect_error($$SELECT * FROM memory.messages$$);
SELECT * FROM test.expect_error($$SELECT token_estimate('x')$$);
SELECT * FROM test.expect_error($$SELECT memory_get_recent('rls-amy', 's')$$);
SELECT * FROM test.expect_error($$SELECT build_context_json('rls-amy', 's')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_message('rls-amy', 's', 'user', 'x')$$);
RESET ROLE;
SET ROLE regress_service_only;
SELECT * FROM test.expect_error($$SELECT * FROM memory.messages$$);
SELECT * FROM test.expect_error($$SELECT memory_stats('rls-amy')$$);
RESET ROLE;

-- A reader sees the rows of the user that is set, and none when nobody is.
SET ROLE regress_reader;
SHOW memory_ext.user_id;
SELECT count(*) FROM memory.sessions UNION ALL SELECT count(*) FROM memory.messages UNION ALL SELECT count(*) FROM memory.summaries
UNION ALL SELECT count(*) FROM memory.stored_messages UNION ALL SELECT count(*) FROM memory.stored_summaries UNION ALL SELECT count(*) FROM memory.search_entries;
SELECT count(*) FROM memory_search_messages('rls-amy', 'hello');
SELECT * FROM test.expect_error($$SELECT memory_get_recent('rls-amy', 's')$$);
SET memory_ext.user_id = 'rls-amy';
SELECT user_id, content FROM memory.messages ORDER BY created_at, id;
SELECT user_id, content FROM memory.summaries;
SELECT content FROM memory_get_recent('rls-amy', 's');
SELECT content FROM memory_search_messages('rls-amy', 'hello');
SELECT count(*) FROM memory_search_messages('rls-bob', 'hello');
SELECT * FROM test.expect_error($$SELECT memory_get_recent('rls-bob', 's')$$);
SELECT * FROM test.expect_error($$SELECT memory_get_session('rls-bob', 's')$$);
SELECT count(*) FROM memory_list_sessions('rls-bob');
SELECT memory_stats('rls-bob') -> 'messages' AS messages;
SELECT build_context_json('rls-bob', 's') -> 'messages' AS messages;
SELECT jsonb_array_length(build_context_json('rls-amy', 's') -> 'messages') AS messages;
-- A leaky function in a query of its own does not see more.
CREATE FUNCTION pg_temp.leak(user_id text, content text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
$$ BEGIN RAISE NOTICE 'saw %: %', user_id, content; RETURN true; END $$;
SELECT count(*) FROM memory.messages WHERE pg_temp.leak(user_id, content);
-- It does not write.
SELECT * FROM test.expect_error($$SELECT memory_add_message('rls-amy', 's', 'user', 'x')$$);
SELECT * FROM test.expect_error($$SELECT memory_clear('rls-amy', true)$$);
SELECT * FROM test.expect_error($$INSERT INTO memory.sessions (user_id, session_id, started_at, last_activity_at) VALUES ('rls-amy', 'x', now(), now())$$);
SELECT * FROM test.expect_error($$UPDATE memory.messages SET emotion = 'x'$$);
SELECT * FROM test.expect_error($$DELETE FROM memory.messages$$);
-- Values that could mean more than they say.
SET memory_ext.user_id = ''' OR true --';
SELECT count(*) FROM memory.messages;
SET memory_ext.user_id = '%';
SELECT count(*) FROM memory.messages;
SET memory_ext.user_id = 'RLS-AMY';
SELECT count(*) FROM memory.messages;
SET memory_ext.user_id = ' rls-amy';
SELECT count(*) FROM memory.messages;
SET memory_ext.user_id = '';
SELECT count(*) FROM memory.messages;
SET memory_ext.user_id = DEFAULT;
SELECT count(*) FROM memory.messages;
SELECT length(set_config('memory_ext.user_id', repeat('한', 100000), false));
SELECT count(*) FROM memory.messages;
-- SET LOCAL ends with its transaction, and a kept plan follows.
RESET memory_ext.user_id;
BEGIN;
SET LOCAL memory_ext.user_id = 'rls-amy';
SELECT count(*) FROM memory_search_messages('rls-amy', 'hello');
COMMIT;
SELECT count(*) FROM memory_search_messages('rls-amy', 'hello');
RESET ROLE;

-- A writer writes for the user that is set, and for no other.
SET ROLE regress_writer;
SELECT * FROM test.expect_error($$SELECT memory_add_message('rls-amy', 's', 'user', 'x')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('rls-amy', 'new', 'x', 'y', idempotency_key => 'k')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('rls-amy', 'new')$$);
SET memory_ext.user_id = 'rls-amy';
SELECT added FROM memory_add_turn('rls-amy', 's', 'second', 'turn', idempotency_key => 'k');
SELECT added FROM memory_add_turn('rls-amy', 's', 'second', 'turn', idempotency_key => 'k');
SELECT content FROM memory_get_recent('rls-amy', 's');
SELECT * FROM test.expect_error($$SELECT memory_add_message('rls-bob', 's', 'user', 'x')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('rls-bob', 'new', 'x', 'y')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('rls-bob', 's')$$);
SELECT * FROM test.expect_error($$SELECT memory_end_session('rls-bob', 's')$$);
SELECT * FROM test.expect_error($$SELECT memory_delete_session('rls-bob', 's')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_summary('rls-bob', 's', 'x')$$);
SELECT code, hint FROM test.expect_error(format($$SELECT memory_delete_message('rls-bob', %L)$$, :'bobs'));
SELECT memory_clear('rls-bob', true);
-- Plain SQL is held to the same rows.
SELECT * FROM test.expect_error($$UPDATE memory.sessions SET user_id = 'rls-bob', session_id = 'stolen'$$);
SELECT * FROM test.expect_error($$INSERT INTO memory.sessions (user_id, session_id, started_at, last_activity_at) VALUES ('rls-bob', 'x', now(), now())$$);
WITH gone AS (DELETE FROM memory.search_entries WHERE user_id = 'rls-bob' RETURNING 1) SELECT count(*) FROM gone;
-- Agents and the sweep are for administrators.
SELECT * FROM test.expect_error($$SELECT memory_set_agent('rls', 'x')$$);
SELECT * FROM test.expect_error($$SELECT memory_sweep_sessions()$$);
SELECT * FROM test.expect_error($$INSERT INTO memory.agents (agent_id) VALUES ('rls')$$);
RESET memory_ext.user_id;
RESET ROLE;
SELECT content FROM memory_get_recent('rls-bob', 's');
SELECT * FROM test.faults('rls-amy') UNION ALL SELECT * FROM test.faults('rls-bob');

-- A service with memory_writer and memory_service works for all users.
SET ROLE regress_service;
SELECT added FROM memory_add_turn('rls-amy', 's2', 'from the service', 'ok');
SELECT added FROM memory_add_turn('rls-bob', 's2', 'from the service', 'ok');
SELECT user_id, count(*) FROM memory.messages WHERE user_id LIKE 'rls-%' GROUP BY 1 ORDER BY 1;
SELECT * FROM test.expect_error($$SELECT memory_sweep_sessions()$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('rls', 'x')$$);
RESET ROLE;

-- One connection, one role after the other: kept plans do not remember who made them.
SET memory_ext.user_id = 'rls-amy';
SET ROLE regress_service;
SELECT count(*) FROM memory_search_messages('rls-bob', 'hello');
SET ROLE regress_reader;
SELECT count(*) FROM memory_search_messages('rls-bob', 'hello');
SET ROLE regress_service;
SELECT count(*) FROM memory_search_messages('rls-bob', 'hello');
RESET ROLE;
RESET memory_ext.user_id;

-- Facts and relationships: one's own, nobody else's; the service sees all.
SET ROLE regress_service;
SELECT outcome FROM unnest('{rls-amy,rls-bob}'::text[]) AS u, memory_set_fact(u, '이름', u);
SELECT level FROM unnest('{rls-amy,rls-bob}'::text[]) AS u, memory_apply_relationship(u, deltas => '{"trust": 1}', emotion => 'joy');
SELECT count(memory_add_scene(u)) FROM unnest('{rls-amy,rls-bob}'::text[]) AS u;
SET ROLE regress_writer;
SELECT (SELECT count(*) FROM memory.facts) + (SELECT count(*) FROM memory.relationships) + (SELECT count(*) FROM memory.relationship_changes) + (SELECT count(*) FROM memory.scenes) AS nobody_is_set;
SET memory_ext.user_id = 'rls-amy';
SELECT user_id, value FROM memory.facts;
SELECT user_id FROM memory.relationships UNION ALL SELECT user_id FROM memory.relationship_changes UNION ALL SELECT user_id FROM memory.emotional_history UNION ALL SELECT user_id FROM memory.scenes;
SELECT count(*) FROM memory_get_facts('rls-bob');
SELECT count(*) FROM memory_retract_fact('rls-bob', '이름');
SELECT trust FROM memory_get_relationship('rls-bob');
SELECT code FROM test.expect_error($$SELECT memory_set_fact('rls-bob', '이름', 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_apply_relationship('rls-bob')$$);
SELECT code FROM test.expect_error($$SELECT memory_add_scene('rls-bob')$$);
SELECT code FROM test.expect_error($$INSERT INTO memory.fact_keys (key, category, class, label_ko, label_en) VALUES ('x', 'OTHER', 'moment', 'x', 'x')$$);
RESET ROLE;
RESET memory_ext.user_id;

-- An administrator does all of it.
SET ROLE regress_admin;
SELECT agent_id, persona FROM memory_set_agent('rls-agent', 'x');
SELECT memory_add_message('rls-bob', 'idle', 'user', 'x', created_at => '2026-01-01') IS NOT NULL AS added;
SELECT user_id, session_id FROM memory_sweep_sessions('1 day') WHERE user_id LIKE 'rls-%';
SELECT memory_clear(u, true) FROM unnest('{rls-amy,rls-bob}'::text[]) AS u;
DELETE FROM memory.agents WHERE agent_id = 'rls-agent';
RESET ROLE;

DROP FUNCTION pg_temp.leak;
DROP ROLE regress_nobody, regress_reader, regress_writer, regress_service, regress_service_only, regress_admin;
