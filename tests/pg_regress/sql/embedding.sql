\pset format unaligned
\pset null '∅'
-- The provider none: the application passes vectors, or there are none.
SET memory_ext.embedding_provider = none;
SELECT verdict FROM memory_create('embedding-none', 'no vector');
SELECT verdict FROM memory_create('embedding-none', 'a vector', embedding => '[1,2,3]');
SELECT m.content, m.model, e.embedding FROM memory.memories m JOIN memory.search_entries e USING (user_id, id) WHERE user_id = 'embedding-none' ORDER BY id;
SELECT content, round(similarity::numeric, 4) AS similarity FROM memory_recall('embedding-none', 'vector', '[1,2,3]') ORDER BY content;
SELECT content, similarity FROM memory_recall('embedding-none', 'vector') ORDER BY content;
SELECT * FROM test.expect_error($$SELECT memory_reembed('embedding-none')$$);
-- What no similarity is defined for is refused, everywhere a vector can be passed.
SELECT id AS one FROM memory_create('embedding-bad', 'one', embedding => '[1,0]') \gset
SELECT replace(f, :'one', 'ONE') AS f, v, code, message, hint FROM unnest(ARRAY['memory_create(''embedding-bad'', ''two'', embedding => %L)', 'novelty_score(''embedding-bad'', embedding => %L)', 'memory_recall(''embedding-bad'', embedding => %L)',
    format('memory_update(''embedding-bad'', %L, embedding => %%L)', :'one')]) WITH ORDINALITY AS t (f, n), unnest('{"[0,0]","[1,2,3]","[1]"}'::text[]) AS v, test.expect_error('SELECT ' || format(f, v)) ORDER BY n, v;
SELECT v, code, message FROM unnest('{"[NaN,1]","[Infinity,1]","[1e39,1]","[]"}'::text[]) AS v, test.expect_error(format('SELECT memory_create(%L, %L, embedding => %L)', 'embedding-bad', 'two', v));
-- pgvector's own functions make none of them either.
SELECT code, message FROM test.expect_error($$SELECT memory_create('embedding-bad', 'two', embedding => '[3e38,3e38]'::vector * '[10,10]'::vector)$$);
SELECT count(*) FROM memory.memories WHERE user_id = 'embedding-bad';
-- Very small, very large and very long vectors work.
SELECT verdict, round(similarity::numeric, 4) AS similarity FROM memory_create('embedding-small', 'one', embedding => '[1e-38,0]');
SELECT verdict, round(similarity::numeric, 4) AS similarity FROM memory_create('embedding-small', 'two', embedding => '[3e38,1e37]');
SELECT verdict FROM memory_create('embedding-long', 'long', embedding => array_fill(1, '{16000}')::vector);
SELECT verdict, round(similarity::numeric, 4) AS similarity FROM memory_create('embedding-long', 'long again', embedding => array_fill(2, '{16000}')::vector);
SELECT content, round(similarity::numeric, 4) AS similarity FROM memory_recall('embedding-long', embedding => array_fill(1, '{16000}')::vector);
SELECT code, message FROM test.expect_error($$SELECT memory_recall('embedding-long', embedding => array_fill(1, '{16001}')::vector)$$);
-- Another name is another model: its vectors are never compared, whatever their dimensions.
SET memory_ext.embedding_model = 'other';
SELECT verdict, similarity FROM memory_create('embedding-bad', 'same place, other model', embedding => '[1,0]');
SELECT verdict FROM memory_create('embedding-models', 'three', embedding => '[1,0,0]');
SELECT content, round(similarity::numeric, 4) AS similarity FROM memory_recall('embedding-bad', embedding => '[1,0]', profile => 'synk') ORDER BY content;
RESET memory_ext.embedding_model;
SELECT content, round(similarity::numeric, 4) AS similarity FROM memory_recall('embedding-bad', embedding => '[1,0]', profile => 'synk') ORDER BY content;
SELECT content, model FROM memory.memories WHERE user_id = 'embedding-bad' ORDER BY id;
-- An update with a text alone has no vector then; with a vector it has that one.
SELECT content, model FROM memory_update('embedding-bad', :'one', content => 'changed');
SELECT content, model FROM memory_update('embedding-bad', :'one', embedding => '[0,1]');
SELECT content, round(similarity::numeric, 4) AS similarity FROM memory_recall('embedding-bad', embedding => '[0,1]', profile => 'synk', k => 1);

-- The provider builtin makes vectors of 256 numbers; a text without words has none.
SET memory_ext.embedding_provider = builtin;
SELECT verdict FROM unnest('{"the cat sat on the mat","고양이가 매트에 앉았다","!!!"}'::text[]) AS c, memory_create('embedding-builtin', c, force => true);
SELECT m.content, split_part(m.model, '-', 1) AS model, vector_dims(e.embedding) AS dimensions, round(vector_norm(e.embedding)::numeric, 4) AS norm FROM memory.memories m JOIN memory.search_entries e USING (user_id, id) WHERE user_id = 'embedding-builtin' ORDER BY id;
-- Korean and English are one space: a question in either finds both.
SELECT q, content FROM unnest('{cats on mats,매트 위의 고양이}'::text[]) AS q, memory_recall('embedding-builtin', q) WHERE similarity > 0.5 ORDER BY q, content;
SELECT count(*) FROM memory_recall('embedding-builtin', 'the price of petrol') WHERE similarity > 0.3;
-- The application's dimensions are remembered though the scope has another model since.
SELECT verdict FROM memory_create('embedding-switch', 'one', embedding => '[1,2]', force => true);
SELECT verdict FROM memory_create('embedding-switch', 'two', force => true);
SELECT code, message FROM test.expect_error($$SELECT memory_create('embedding-switch', 'three', embedding => '[1,2,3]')$$);
SELECT verdict FROM memory_create('embedding-switch', 'three', embedding => '[2,-1]', force => true);
-- A vector of the application goes before the provider.
SELECT verdict FROM memory_create('embedding-builtin', 'own vector', agent_id => 'own', embedding => '[1,2]', force => true);
SELECT model FROM memory.memories WHERE user_id = 'embedding-builtin' AND agent_id = 'own';

-- Re-embed: a scope moves to the provider's model in batches; recall goes on meanwhile.
SET memory_ext.embedding_provider = none;
SELECT count(*) FROM generate_series(1, 7) n, memory_create('embedding-move', 'memory of the sea ' || n, embedding => ARRAY[1, n]::vector, force => true);
SELECT count(*) FROM memory_create('embedding-move', 'elsewhere', space => 's', embedding => '[1,1]', force => true);
SELECT count(*) FROM memory_create('embedding-move', '!!!', interpretation => 'only here are words', force => true);
SELECT count(*) FROM memory_create('embedding-move', '???', force => true);
SELECT memory_archive('embedding-move', test.memory('embedding-move', 'memory of the sea 7')) IS NOT NULL AS archived;
SELECT memory_add_message('embedding-move', 's', 'user', 'a message of the sea') IS NOT NULL AS said;
SET memory_ext.embedding_provider = builtin;
SELECT reembedded, remaining FROM memory_reembed('embedding-move', space => '', batch => 0);
SELECT reembedded, remaining FROM memory_reembed('embedding-move', space => '', batch => 3);
SELECT split_part(model, '-', 1) AS model, count(*) FROM memory.memories WHERE user_id = 'embedding-move' GROUP BY 1 ORDER BY 1;
SELECT count(*), count(*) FILTER (WHERE similarity > 0) AS similar FROM memory_recall('embedding-move', 'sea', kinds => '{episodic}');
SELECT reembedded, remaining FROM memory_reembed('embedding-move', space => '');
SELECT reembedded, remaining FROM memory_reembed('embedding-move', space => '');
SELECT reembedded, remaining FROM memory_reembed('embedding-move');
SELECT content, split_part(model, '-', 1) AS model FROM memory.memories WHERE user_id = 'embedding-move' ORDER BY id;
SELECT count(*), count(*) FILTER (WHERE similarity > 0) AS similar FROM memory_recall('embedding-move', 'sea', kinds => '{episodic}', spaces => '{""}');
-- Messages get vectors when they are to have them.
SET memory_ext.embed_messages = on;
SELECT memory_add_message('embedding-move', 's', 'user', 'another message of the sea') IS NOT NULL AS said;
SELECT reembedded, remaining FROM memory_reembed('embedding-move');
SELECT content, similarity > 0 AS similar FROM memory_recall('embedding-move', 'sea', kinds => '{message}') ORDER BY content;
RESET memory_ext.embed_messages;
SELECT reembedded, remaining FROM memory_reembed('embedding-nobody');
SELECT u, f FROM unnest('{embedding-none,embedding-bad,embedding-small,embedding-long,embedding-models,embedding-builtin,embedding-move}'::text[]) AS u, test.memory_faults(u) AS f;
