\pset format unaligned
\pset null '∅'
SET memory_ext.embedding_provider = none;
-- SYNK 6-1: episodes with a cosine of at least 0.80 become one semantic memory. [4,3] stands at exactly 0.8 to [1,0].
SELECT count(*) FROM (VALUES
    (1, 'tea in the morning', '[1,0,0]', 0.3, 'calm', 0.1, 'morning', '{tea}', false), (2, 'tea at noon', '[4,3,0]', 0.6, 'joy', 0.7, NULL, '{tea,noon}', false),
    (3, 'not quite tea', '[7999,6001.35,0]', 0.5, NULL, 0, NULL, '{}', false),
    (4, 'a film', '[0,0,1]', 0.5, NULL, 0, NULL, '{}', false), (5, 'a film again', '[0,0.1,1]', 0.5, NULL, 0, NULL, '{}', false),
    (6, 'pinned tea', '[1,0,0]', 0.5, NULL, 0, NULL, '{}', true)) AS v (n, content, vector, importance, emotion, intensity, view, topics, pinned),
    LATERAL (SELECT FROM memory_create('consolidate-amy', content, embedding => vector::vector, importance => v.importance, emotion => v.emotion, emotion_intensity => intensity,
        interpretation => view, topics => v.topics::text[], pinned => v.pinned, occurred_at => '2026-01-01'::timestamptz + n * interval '1 day', metadata => '{"k": 1}', force => true)) AS made;
SELECT memory_mark_used('consolidate-amy', ARRAY[test.memory('consolidate-amy', 'tea at noon')]);
SELECT memory_decay('consolidate-amy', steps => 3);
-- Other kinds, scopes and users, archived and expired episodes stay out.
SELECT count(*) FROM (VALUES ('semantic', '', NULL), ('emotional', '', NULL), ('episodic', 'other', NULL), ('episodic', '', '2020-01-01')) AS v (k, s, x),
    memory_create('consolidate-amy', 'stays ' || k || s, kind => k, space => s, embedding => '[1,0,0]', expires_at => x::timestamptz, force => true);
SELECT memory_archive('consolidate-amy', id) IS NOT NULL AS archived FROM memory_create('consolidate-amy', 'archived tea', embedding => '[1,0,0]', force => true);
CREATE TEMP TABLE memories_before AS SELECT * FROM memory.stored_memories WHERE user_id = 'consolidate-amy';
CREATE TEMP TABLE entries_before AS SELECT * FROM memory.search_entries WHERE user_id = 'consolidate-amy';
CREATE TEMP TABLE strengths_before AS SELECT id, importance, strength FROM memory.memories WHERE user_id = 'consolidate-amy';

-- A dry run only tells.
SELECT memory_id, cardinality(member_ids) AS members, content FROM memory_consolidate('consolidate-amy', dry_run => true);
SELECT count(*) FROM (TABLE memories_before EXCEPT SELECT * FROM memory.stored_memories WHERE user_id = 'consolidate-amy') AS changed;
-- It is done.
CREATE TEMP TABLE done AS SELECT * FROM memory_consolidate('consolidate-amy');
SELECT memory_id IS NOT NULL AS made, cardinality(member_ids) AS members, content FROM done;
SELECT content, kind, interpretation, topics, emotion, emotion_intensity, importance, mention_count, pinned, source, occurred_at::date, expires_at,
       strength = (SELECT max(s.strength) FROM strengths_before s, done d WHERE d.memory_id = m.id AND s.id = ANY (d.member_ids)) AS strongest
FROM memory.memories m WHERE user_id = 'consolidate-amy' AND source = 'consolidation' ORDER BY id;
SELECT content, archive_reason, consolidated_into = (SELECT memory_id FROM done WHERE m.id = ANY (member_ids)) AS linked FROM memory.memories m WHERE user_id = 'consolidate-amy' AND archived_at IS NOT NULL ORDER BY id;
SELECT content FROM memory.memories WHERE user_id = 'consolidate-amy' AND archived_at IS NULL ORDER BY id;
SELECT action FROM done, memory_get_history('consolidate-amy', memory_id);
-- Again there is nothing to do.
SELECT count(*) FROM memory_consolidate('consolidate-amy');
-- The merged memory is found by the words and meaning of all of them.
SELECT content, round(similarity::numeric, 3) AS similarity FROM memory_recall('consolidate-amy', 'noon', '[0.9486833,0.3162278,0]', k => 1, kinds => '{semantic}');
SELECT * FROM test.memory_faults('consolidate-amy');
-- Undone, everything is as it was, row by row.
SELECT cardinality(array_agg(u)) AS restored FROM done, memory_unconsolidate('consolidate-amy', memory_id) u GROUP BY memory_id ORDER BY memory_id;
SELECT 'lost' AS what, content FROM (TABLE memories_before EXCEPT SELECT * FROM memory.stored_memories WHERE user_id = 'consolidate-amy') AS x
UNION ALL SELECT 'new', content FROM (SELECT * FROM memory.stored_memories WHERE user_id = 'consolidate-amy' EXCEPT TABLE memories_before) AS x;
SELECT 'lost' AS what, id FROM (SELECT id, to_jsonb(e)::text FROM entries_before e EXCEPT SELECT id, to_jsonb(e)::text FROM memory.search_entries e WHERE user_id = 'consolidate-amy') AS x
UNION ALL SELECT 'new', id FROM (SELECT id, to_jsonb(e)::text FROM memory.search_entries e WHERE user_id = 'consolidate-amy' EXCEPT SELECT id, to_jsonb(e)::text FROM entries_before e) AS x;
SELECT code, hint FROM done, test.expect_error(format('SELECT memory_unconsolidate(%L, %L)', 'consolidate-amy', memory_id));
SELECT code, hint FROM test.expect_error(format('SELECT memory_unconsolidate(%L, %L)', 'consolidate-amy', test.memory('consolidate-amy', 'a film')));
SELECT action FROM memory_get_history('consolidate-amy', test.memory('consolidate-amy', 'a film'));
-- A text that was told anew meanwhile keeps its row; the restored one comes back beside it.
SELECT memory_id AS film FROM memory_consolidate('consolidate-amy') WHERE content LIKE 'a film%' \gset
SELECT verdict FROM memory_create('consolidate-amy', 'a film', embedding => '[0,-1,0]');
SELECT count(*) FROM memory_unconsolidate('consolidate-amy', :'film');
SELECT count(*) FROM memory_list('consolidate-amy', "limit" => 100) WHERE content = 'a film';
SELECT * FROM test.memory_faults('consolidate-amy');
-- So do two of one text that come back together: one was changed while it was archived.
SELECT count(*) FROM unnest('{one,another}'::text[]) AS c, memory_create('consolidate-equal', c, embedding => '[1,0]', force => true);
SELECT memory_id AS equal FROM memory_consolidate('consolidate-equal') \gset
SELECT content FROM memory_update('consolidate-equal', test.memory('consolidate-equal', 'another'), content => 'one');
SELECT count(*) FROM memory_unconsolidate('consolidate-equal', :'equal');
SELECT content FROM memory_list('consolidate-equal');
SELECT * FROM test.memory_faults('consolidate-equal');
-- Only the latest 50 episodes are looked at.
SELECT count(*) FROM generate_series(1, 52) n, memory_create('consolidate-window', 'n' || n, embedding => CASE WHEN n < 3 THEN '[1,0]' ELSE '[0,1]' END::vector, force => true);
SELECT cardinality(member_ids) FROM memory_consolidate('consolidate-window', dry_run => true);
-- Vectors of different models never meet.
SELECT verdict FROM memory_create('consolidate-models', 'one', embedding => '[1,0]', force => true);
SET memory_ext.embedding_model = 'other';
SELECT verdict FROM memory_create('consolidate-models', 'two', embedding => '[1,0]', force => true);
RESET memory_ext.embedding_model;
SELECT count(*) FROM memory_consolidate('consolidate-models', dry_run => true);
-- A group whose memories all expire makes one that expires last.
SELECT verdict FROM memory_create('consolidate-expires', 'until June', embedding => '[1,0]', expires_at => '2999-06-01', force => true);
SELECT verdict FROM memory_create('consolidate-expires', 'until July', embedding => '[1,0]', expires_at => '2999-07-01', force => true);
SELECT content FROM memory_consolidate('consolidate-expires');
SELECT content, expires_at::date FROM memory.memories WHERE user_id = 'consolidate-expires' AND archived_at IS NULL;

-- SYNK 6-2: an episode mentioned three times becomes semantic with importance 0.8.
SELECT count(*) FROM generate_series(0, 4) n, memory_create('consolidate-promote', 'mentioned ' || n, importance => 0.5, force => true);
SELECT memory_mark_used('consolidate-promote', ARRAY[test.memory('consolidate-promote', 'mentioned ' || n)]) FROM generate_series(1, 4) n, generate_series(1, n);
SELECT verdict FROM memory_create('consolidate-promote', 'a feeling', kind => 'emotional', force => true);
SELECT memory_mark_used('consolidate-promote', ARRAY[test.memory('consolidate-promote', 'a feeling')]) FROM generate_series(1, 3);
SELECT count(*) FROM memory_promote('consolidate-promote', 'other');
SELECT content FROM memory_promote('consolidate-promote') AS p JOIN memory.memories m ON m.id = p ORDER BY 1;
SELECT count(*) FROM memory_promote('consolidate-promote');
SELECT content, kind, importance, mention_count FROM memory.memories WHERE user_id = 'consolidate-promote' ORDER BY 1;
SELECT action, before FROM memory_get_history('consolidate-promote', test.memory('consolidate-promote', 'mentioned 3'));
-- It fades as knowledge does: 0.98 + 0.02 x 0.24.
SELECT memory_decay('consolidate-promote');
SELECT content, round(strength::numeric, 6) AS strength FROM memory.memories WHERE user_id = 'consolidate-promote' ORDER BY 1;
SELECT u, f FROM unnest('{consolidate-window,consolidate-models,consolidate-expires,consolidate-promote}'::text[]) AS u, test.memory_faults(u) AS f;

-- Episodes that were given the same text while they were archived come back, too.
SELECT count(*) FROM generate_series(1, 3) n, memory_create('consolidate-twins', 'walk ' || n, embedding => '[1,0,0]', force => true);
SELECT memory_id AS merged FROM memory_consolidate('consolidate-twins') \gset
SELECT count(*) FROM memory.memories m, memory_update('consolidate-twins', m.id, content => 'the same walk') WHERE m.user_id = 'consolidate-twins' AND m.archived_at IS NOT NULL;
SELECT count(*) FROM memory_unconsolidate('consolidate-twins', :'merged');
SELECT content, archived_at IS NULL AS active FROM memory.memories WHERE user_id = 'consolidate-twins';
SELECT * FROM test.memory_faults('consolidate-twins');
