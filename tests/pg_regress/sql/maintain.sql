\pset format unaligned
\pset null '∅'
SET memory_ext.embedding_provider = none;
-- SYNK 7: every 5 turns decay, every 10 consolidate and promote, every 25 prune; for each scope by its own turns.
SELECT count(*) FROM (VALUES ('tea', '[1,0]'), ('tea again', '[1,0.1]'), ('coffee', '[0,1]')) AS v (c, e), memory_create('maintain-amy', c, agent_id => 'luna', embedding => e::vector, importance => 0, force => true);
CREATE FUNCTION pg_temp.turns(whose text, many int) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM memory_add_turn(whose, 's', 'question ' || n, 'answer', agent_id => 'luna') FROM generate_series(1, many) n;
    RETURN QUERY SELECT concat_ws(' ', duty, scopes, affected, errors) FROM memory_maintain(whose);
END $$;
SELECT 'turn 4' AS turn, * FROM pg_temp.turns('maintain-amy', 4);
SELECT 'turn 5' AS turn, * FROM pg_temp.turns('maintain-amy', 1);
SELECT 'turn 5' AS turn, * FROM pg_temp.turns('maintain-amy', 0);
SELECT 'turn 9' AS turn, * FROM pg_temp.turns('maintain-amy', 4);
SELECT 'turn 10' AS turn, * FROM pg_temp.turns('maintain-amy', 1);
SELECT content, kind, round(strength::numeric, 4) AS strength FROM memory.memories WHERE user_id = 'maintain-amy' AND archived_at IS NULL ORDER BY id;
SELECT 'turn 24' AS turn, * FROM pg_temp.turns('maintain-amy', 14);
SELECT 'turn 25' AS turn, * FROM pg_temp.turns('maintain-amy', 1);
SELECT decay_steps, decayed_turn, consolidated_turn, pruned_turn FROM memory.scopes WHERE user_id = 'maintain-amy';
-- A late run does every step that is due, and keeps the rest for the next.
SELECT 'turn 37' AS turn, * FROM pg_temp.turns('maintain-amy', 12);
SELECT decay_steps, decayed_turn FROM memory.scopes WHERE user_id = 'maintain-amy';
SELECT 'turn 40' AS turn, * FROM pg_temp.turns('maintain-amy', 3);
-- What was done is noted.
SELECT duty, agent_id, space, affected, error, duration >= '0' AND started_at <= clock_timestamp() AS timed FROM memory.maintenance_runs WHERE user_id = 'maintain-amy' ORDER BY run_id;
-- Other cadences; 0 is never.
SET memory_ext.decay_turns = 1;
SET memory_ext.consolidate_turns = 0;
SET memory_ext.prune_turns = 0;
SELECT 'turn 42' AS turn, * FROM pg_temp.turns('maintain-amy', 2);
SET memory_ext.decay_turns = 0;
SELECT 'turn 92' AS turn, * FROM pg_temp.turns('maintain-amy', 50);
-- By the clock: what was last done longer ago than the interval is due.
SET memory_ext.maintenance_interval = '1h';
SELECT * FROM memory_maintain('maintain-amy');
UPDATE memory.scopes SET decayed_at = now() - interval '2 hours', pruned_at = now() - interval '2 hours' WHERE user_id = 'maintain-amy';
SELECT * FROM memory_maintain('maintain-amy');
SELECT * FROM memory_maintain('maintain-amy');
RESET memory_ext.maintenance_interval;
RESET memory_ext.decay_turns;
RESET memory_ext.consolidate_turns;
RESET memory_ext.prune_turns;
-- Deleted sessions make the turns fewer; the counters follow.
SELECT memory_delete_session('maintain-amy', 's') > 0 AS deleted;
SELECT * FROM memory_maintain('maintain-amy');
SELECT decayed_turn, consolidated_turn, pruned_turn FROM memory.scopes WHERE user_id = 'maintain-amy';
SELECT * FROM memory_maintain('maintain-amy');

-- One scope, or all of a user; so many scopes at a time.
SELECT count(*) FROM (VALUES ('a', ''), ('a', 's'), ('b', '')) AS v (a, s), memory_create('maintain-scopes', 'memory', agent_id => a, space => s, force => true);
SELECT count(*) FROM (VALUES ('a', ''), ('a', 's'), ('b', '')) AS v (a, s), generate_series(1, 5) n, memory_add_turn('maintain-scopes', a || s || '-', 'q' || n, 'a', agent_id => a, space => s);
SELECT * FROM memory_maintain('maintain-scopes', 'a', 's');
SELECT * FROM memory_maintain('maintain-scopes', max_scopes => 0);
SELECT * FROM memory_maintain('maintain-scopes', max_scopes => 1);
SELECT * FROM memory_maintain('maintain-scopes');
SELECT * FROM memory_maintain('maintain-scopes');
SELECT * FROM memory_maintain('maintain-nobody');

-- A scope that fails is noted and does not stop the others; what it had begun is undone.
CREATE FUNCTION pg_temp.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'scope % cannot be maintained', NEW.space; END $$;
SELECT count(*) FROM (VALUES ('bad'), ('good')) AS v (s), memory_create('maintain-error', 'memory', space => s, importance => 0, force => true);
SELECT count(*) FROM (VALUES ('bad'), ('good')) AS v (s), generate_series(1, 5) n, memory_add_turn('maintain-error', s, 'q' || n, 'a', space => s);
BEGIN;
CREATE TRIGGER fail BEFORE UPDATE ON memory.scopes FOR EACH ROW WHEN (NEW.user_id = 'maintain-error' AND NEW.space = 'bad' AND NEW.decayed_turn > 0) EXECUTE FUNCTION pg_temp.fail();
SELECT * FROM memory_maintain('maintain-error');
SELECT space, decay_steps, decayed_turn FROM memory.scopes WHERE user_id = 'maintain-error' ORDER BY 1;
SELECT duty, space, affected, error FROM memory.maintenance_runs WHERE user_id = 'maintain-error' ORDER BY run_id;
-- It is due again.
DROP TRIGGER fail ON memory.scopes;
SELECT * FROM memory_maintain('maintain-error');
SELECT space, decay_steps, decayed_turn FROM memory.scopes WHERE user_id = 'maintain-error' ORDER BY 1;
COMMIT;

-- Above memory_ext.exact_limit pruning hands a user's entries to the indexes of big users.
SELECT count(*) FROM generate_series(1, 30) n, memory_create('maintain-big', 'memory ' || n, embedding => ARRAY[1, n]::vector, force => true);
SELECT count(*) FROM generate_series(1, 25) n, memory_add_turn('maintain-big', 's', 'q' || n, 'a');
SET memory_ext.exact_limit = 50;
SELECT explanation ->> 'path' AS path FROM memory_recall('maintain-big', 'memory', '[1,3]', k => 1, explain => true);
SELECT duty, scopes FROM memory_maintain('maintain-big');
SELECT big, entries FROM memory.users WHERE user_id = 'maintain-big';
SELECT big, count(*) FROM memory.search_entries WHERE user_id = 'maintain-big' GROUP BY 1;
SELECT big, count(*) FROM memory.stored_messages WHERE user_id = 'maintain-big' GROUP BY 1;
SELECT count(memory_add_message('maintain-big', s, 'user', said)) FROM (VALUES ('s', 'to a session that is handed over'), ('another', 'to a new one')) AS v (s, said);
SELECT big, count(*) FROM memory.stored_messages WHERE user_id = 'maintain-big' GROUP BY 1;
SELECT content FROM memory_recall('maintain-big', 'handed over', kinds => '{message}', k => 1);
SELECT content, explanation ->> 'path' AS path FROM memory_recall('maintain-big', 'memory', '[1,3]', k => 1, profile => 'synk', explain => true);
SELECT verdict FROM memory_create('maintain-big', 'later', embedding => '[-1,0]', force => true);
SELECT big FROM memory.search_entries WHERE user_id = 'maintain-big' AND id = test.memory('maintain-big', 'later');
SET memory_ext.exact_limit = 1000;
SELECT explanation ->> 'path' AS path FROM memory_recall('maintain-big', 'memory', '[1,3]', k => 1, explain => true);
-- A user who is cleared starts small again.
SELECT memory_clear('maintain-big', true) -> 'memories' AS memories;
SELECT big, entries FROM memory.users WHERE user_id = 'maintain-big';
SELECT count(memory_add_message('maintain-big', 's', 'user', 'small again')) FROM generate_series(1, 1);
SELECT big FROM memory.stored_messages WHERE user_id = 'maintain-big';
RESET memory_ext.exact_limit;
SELECT u, f FROM unnest('{maintain-amy,maintain-scopes,maintain-error,maintain-big}'::text[]) AS u, test.memory_faults(u) AS f;
