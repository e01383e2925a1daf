\pset format unaligned
\pset null '∅'
SET memory_ext.embedding_provider = none;
-- SYNK 6-3: strength below 0.15 and never mentioned. 0.95 ^ 36 is 0.158, 0.95 ^ 37 is 0.1499.
SELECT count(*) FROM (VALUES ('faded', false), ('mentioned', false), ('pinned', true)) AS v (c, p), memory_create('prune-amy', c, importance => 0, pinned => p, force => true);
SELECT memory_mark_used('prune-amy', ARRAY[test.memory('prune-amy', 'mentioned')]);
SELECT memory_decay('prune-amy', steps => 36);
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy');
SELECT memory_decay('prune-amy');
SELECT content, round(strength::numeric, 4) AS strength, mention_count, pinned FROM memory.memories WHERE user_id = 'prune-amy' ORDER BY id;
SELECT archived = ARRAY[test.memory('prune-amy', 'faded')] AS the_faded_one, deleted FROM memory_prune('prune-amy');
SELECT content, archive_reason FROM memory.memories WHERE user_id = 'prune-amy' ORDER BY id;
SELECT action, before FROM memory_get_history('prune-amy', test.memory('prune-amy', 'faded'));
-- It can be restored, until the keeping time is over.
SELECT memory_restore('prune-amy', test.memory('prune-amy', 'faded'));
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy');
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy', keep => '1 hour');
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy', keep => '290000 years');
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy', 'other space', keep => '0');
-- What was archived for another reason stays, and so does what was pinned.
SELECT memory_archive('prune-amy', test.memory('prune-amy', 'mentioned')) IS NOT NULL AS archived;
SELECT memory_pin('prune-amy', test.memory('prune-amy', 'faded'));
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy', keep => '0');
SELECT memory_pin('prune-amy', test.memory('prune-amy', 'faded'), false);
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy', keep => '0');
SELECT content, archive_reason FROM memory.memories WHERE user_id = 'prune-amy' ORDER BY id;
SELECT * FROM test.memory_faults('prune-amy');
-- The setting is the default.
SELECT verdict FROM memory_create('prune-amy', 'expired', expires_at => '2020-01-01', force => true);
SET memory_ext.prune_keep = 0;
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-amy');
RESET memory_ext.prune_keep;

-- Over 100 for a user and space, whatever the agent: the lowest importance goes, then the lowest strength.
SELECT count(*) FROM generate_series(1, 98) n, memory_create('prune-many', 'n' || n, agent_id => CASE WHEN n % 2 = 0 THEN 'a' ELSE 'b' END, importance => 0.5, force => true);
SELECT verdict FROM memory_create('prune-many', 'unimportant and pinned', importance => 0, pinned => true, force => true);
SELECT verdict FROM memory_create('prune-many', 'unimportant', importance => 0.4, force => true);
SELECT verdict FROM memory_create('prune-many', 'elsewhere', space => 'other', importance => 0, force => true);
SELECT cardinality(archived) AS archived FROM memory_prune('prune-many');
SELECT memory_decay('prune-many', 'a', steps => 2);
SELECT count(*) FROM generate_series(1, 3) n, memory_create('prune-many', 'important ' || n, importance => 1, force => true);
SELECT cardinality(archived) AS archived FROM memory_prune('prune-many', max_memories => 102);
SELECT content FROM memory.memories WHERE user_id = 'prune-many' AND archived_at IS NOT NULL;
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-many');
SELECT agent_id, content FROM memory.memories WHERE user_id = 'prune-many' AND archived_at IS NOT NULL ORDER BY id;
SELECT space, count(*) FROM memory.memories WHERE user_id = 'prune-many' AND archived_at IS NULL GROUP BY 1 ORDER BY 1;
SET memory_ext.max_memories = 2;
SELECT cardinality(archived) AS archived FROM memory_prune('prune-many', '');
RESET memory_ext.max_memories;
SELECT content FROM memory.memories WHERE user_id = 'prune-many' AND archived_at IS NULL ORDER BY 1;
SELECT cardinality(archived) AS archived FROM memory_prune('prune-many', max_memories => 0);
SELECT content FROM memory.memories WHERE user_id = 'prune-many' AND archived_at IS NULL ORDER BY 1;
SELECT cardinality(archived) AS archived, deleted FROM memory_prune('prune-nobody');
SELECT * FROM test.memory_faults('prune-many');
