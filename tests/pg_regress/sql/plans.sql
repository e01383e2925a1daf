\pset format unaligned
\pset null '∅'
SET memory_ext.embedding_provider = none;
SET client_min_messages = notice;
SELECT * FROM memory.plans ORDER BY plan;
SHOW memory_ext.default_plan;
-- KNOCK 6.2: five memories, a sixth comes: the least important is archived, five stay active.
SELECT memory_set_plan('plans-free', 'free');
SELECT verdict, archived FROM (VALUES (1, 0.7), (2, 0.3), (3, 0.9), (4, 0.5), (5, 0.8)) AS v (n, i), memory_create('plans-free', 'memory ' || n, agent_id => 'luna', importance => i, force => true) ORDER BY n;
SELECT verdict, archived = ARRAY[test.memory('plans-free', 'memory 2')] AS the_least FROM memory_create('plans-free', 'memory 6', agent_id => 'luna', importance => 0.6, force => true);
SELECT content, importance, archive_reason FROM memory.memories WHERE user_id = 'plans-free' ORDER BY importance DESC;
SELECT count(*) FROM memory_list('plans-free', 'luna');
-- The new one itself goes when it is the least.
SELECT verdict, archived = ARRAY[id] AS itself FROM memory_create('plans-free', 'memory 7', agent_id => 'luna', importance => 0.1, force => true);
-- Another agent has its own five.
SELECT verdict, archived FROM memory_create('plans-free', 'memory 1', agent_id => 'sol', importance => 0.1, force => true);
-- Among equals the older goes.
SELECT id AS first FROM memory_create('plans-equal', 'first', importance => 0.5, force => true) \gset
SELECT id AS second FROM memory_create('plans-equal', 'second', importance => 0.5, force => true) \gset
SELECT memory_archive_excess('plans-equal', max_active => 1) = :'first' AS the_older;
-- An older memory whose topics a newer one repeats goes first, pinned ones stay.
SELECT count(*) FROM (VALUES (1, 0.9, '{film}'), (2, 0.2, '{work}'), (3, 0.3, '{film,fun}'), (4, 0.1, '{}')) AS v (n, i, t), memory_create('plans-topics', 'memory ' || n, importance => i, topics => t::text[], force => true);
SELECT memory_pin('plans-topics', test.memory('plans-topics', 'memory 4'));
SELECT m.content FROM memory_archive_excess('plans-topics', max_active => 3) AS a JOIN memory.memories m ON m.id = a;
SELECT m.content FROM memory_archive_excess('plans-topics', max_active => 2) AS a JOIN memory.memories m ON m.id = a;
SELECT m.content FROM memory_archive_excess('plans-topics', max_active => 1) AS a JOIN memory.memories m ON m.id = a;
SELECT count(*) FROM memory_archive_excess('plans-topics', max_active => 1);
-- Without a limit nothing happens: premium has none.
SELECT memory_set_plan('plans-topics', 'premium');
SELECT count(*) FROM memory_archive_excess('plans-topics');
SELECT count(*) FROM generate_series(1, 10) n, memory_create('plans-premium', 'memory ' || n, force => true);
SELECT count(*) FROM memory_list('plans-premium', "limit" => 100);
-- A plan that refuses: MEMORY_LIMIT_REACHED.
INSERT INTO memory.plans VALUES ('plans-strict', 2, 'refuse');
SELECT memory_set_plan('plans-refuse', 'plans-strict');
SELECT verdict FROM memory_create('plans-refuse', 'one', importance => 0.1, force => true);
SELECT verdict FROM memory_create('plans-refuse', 'two', force => true);
SELECT * FROM test.expect_error($$SELECT memory_create('plans-refuse', 'three', force => true)$$);
SELECT verdict FROM memory_create('plans-refuse', 'one');
SELECT verdict FROM memory_create('plans-refuse', 'one', agent_id => 'other');
-- An expired memory takes no place.
SELECT content FROM memory_update('plans-refuse', test.memory('plans-refuse', 'two'), expires_at => '2020-01-01');
SELECT verdict FROM memory_create('plans-refuse', 'three', force => true);
-- Restoring needs a place too.
SELECT memory_archive('plans-refuse', test.memory('plans-refuse', 'three')) IS NOT NULL AS archived;
SELECT verdict FROM memory_create('plans-refuse', 'four', force => true);
SELECT * FROM test.expect_error(format($$SELECT memory_restore('plans-refuse', %L)$$, test.memory('plans-refuse', 'three')));
SELECT memory_delete('plans-refuse', test.memory('plans-refuse', 'four'));
SELECT memory_restore('plans-refuse', test.memory('plans-refuse', 'three'));
-- The default plan is a setting; a plan that does not exist limits nothing.
SET memory_ext.default_plan = 'plans-strict';
SELECT verdict FROM generate_series(1, 2) n, memory_create('plans-default', 'memory ' || n, force => true);
SELECT code, message FROM test.expect_error($$SELECT memory_create('plans-default', 'memory 3', force => true)$$);
SELECT memory_set_plan('plans-default', 'premium');
SELECT verdict FROM memory_create('plans-default', 'memory 3', force => true);
SELECT memory_set_plan('plans-default', NULL);
SELECT code FROM test.expect_error($$SELECT memory_create('plans-default', 'memory 4', force => true)$$);
SET memory_ext.default_plan = 'no such plan';
SELECT verdict FROM memory_create('plans-default', 'memory 4', force => true);
RESET memory_ext.default_plan;
SELECT * FROM test.expect_error($$SELECT memory_set_plan('plans-default', 'gold')$$);
-- The table is the DBA's; what came with the extension can be changed, but not deleted, for a dump could not tell.
UPDATE memory.plans SET max_active = 2 WHERE plan = 'free';
SELECT count(*) FROM memory_archive_excess('plans-free', 'luna');
UPDATE memory.plans SET max_active = 5, shipped = false WHERE plan = 'free' RETURNING *;
SELECT * FROM test.expect_error($$DELETE FROM memory.plans WHERE plan = 'free'$$);
SELECT * FROM test.expect_error($$UPDATE memory.plans SET plan = 'gratis' WHERE plan = 'free'$$);
SELECT code, message FROM test.expect_error($$INSERT INTO memory.plans VALUES ('free', 7)$$);
SELECT code FROM test.expect_error($$INSERT INTO memory.plans VALUES ('odd', -1)$$);
SELECT code FROM test.expect_error($$INSERT INTO memory.plans VALUES ('odd', 1, 'panic')$$);
SELECT code FROM test.expect_error($$DELETE FROM memory.plans WHERE plan = 'plans-strict'$$);
UPDATE memory.users SET plan = NULL WHERE plan = 'plans-strict';
DELETE FROM memory.plans WHERE plan = 'plans-strict' RETURNING plan;
-- So are the recall profiles. A row of a dump takes the place of the shipped one.
SELECT * FROM test.expect_error($$DELETE FROM memory.recall_profiles WHERE profile = 'synk'$$);
BEGIN;
INSERT INTO memory.recall_profiles (profile, similarity, shipped) VALUES ('synk', 0.5, true), ('gone', 1, true);
SELECT profile, similarity, importance, shipped FROM memory.recall_profiles WHERE profile IN ('synk', 'gone') ORDER BY 1;
ROLLBACK;

-- KNOCK 2.3: what a conversation begins with: by importance, newest first, one for a repeated topic, five.
SELECT count(*) FROM (VALUES (1, 0.9, '{film}'), (2, 0.8, '{film}'), (3, 0.5, '{}'), (4, 0.5, '{}'), (5, 0.4, '{work}'), (6, 0.3, '{}'), (7, 0.2, '{}')) AS v (n, i, t), memory_create('plans-load', 'memory ' || n, agent_id => 'luna', importance => i, topics => t::text[], force => true);
SELECT content, importance FROM memory_load('plans-load', 'luna');
SELECT content FROM memory_load('plans-load', 'luna', 2);
SELECT count(*) FROM memory_load('plans-load', 'luna', 0);
SELECT count(*) FROM memory_load('plans-load', 'luna', 100);
SELECT count(*) FROM memory_load('plans-load');
SELECT memory_archive('plans-load', test.memory('plans-load', 'memory 2')) IS NOT NULL AS archived;
SELECT content FROM memory_load('plans-load', 'luna', 2);
SELECT u, f FROM unnest('{plans-free,plans-equal,plans-topics,plans-premium,plans-refuse,plans-default,plans-load}'::text[]) AS u, test.memory_faults(u) AS f;

-- Pinned memories stay, however few the plan allows.
SELECT count(*) FROM generate_series(1, 7) n, memory_create('plans-pinned', 'pinned ' || n, pinned => n <> 7, force => true);
SELECT count(*) FROM memory_archive_excess('plans-pinned', max_active => 2);
SELECT pinned, count(*) FROM memory.memories WHERE user_id = 'plans-pinned' AND archived_at IS NULL GROUP BY 1;
