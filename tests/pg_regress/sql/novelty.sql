\pset format unaligned
\pset null '∅'
-- SYNK 4 and 11, number by number: one memory is known, [1, 0, 0, 0, 0]; the others stand at exact angles to it.
SET memory_ext.embedding_provider = none;
CREATE TEMP TABLE cases (name text, vector vector, importance float8);
INSERT INTO cases VALUES
    ('1.0', '[1,0,0,0,0]', 0.5),
    ('0.85', '[17,10,3,1,1]', 0.5), ('0.85 important', '[17,10,3,1,1]', 0.9),
    ('0.8499', '[8499,5269.438,0,0,0]', 0.7), ('0.8499 unimportant', '[8499,5269.438,0,0,0]', 0.69),
    ('0.7 just important', '[7,5,5,1,0]', 0.7), ('0.7 not quite', '[7,5,5,1,0]', 0.69), ('0.7 very', '[7,5,5,1,0]', 1),
    ('0.6', '[3,4,0,0,0]', 0.7), ('0.6 unimportant', '[3,4,0,0,0]', 0.69),
    ('0.5999', '[5999,8000.75,0,0,0]', 0.5), ('0.5999 least', '[5999,8000.75,0,0,0]', 0),
    ('0.5', '[1,1,1,1,0]', 0.5), ('0', '[0,1,0,0,0]', 0.5), ('0 important', '[0,0,1,0,0]', 0.9), ('-1', '[-2,0,0,0,0]', 0.1);
SELECT count(*) FROM cases, memory_create('novelty-table', 'known', agent_id => name, embedding => '[1,0,0,0,0]', importance => 0.5, force => true);
-- Asked alone, nothing is stored.
SELECT name, c.importance AS was, round(similarity::numeric, 4) AS similarity, verdict, round(n.importance::numeric, 5) AS becomes,
       (SELECT content FROM memory_get('novelty-table', nearest_id)) AS nearest
FROM cases c, novelty_score('novelty-table', embedding => vector, importance => c.importance, agent_id => name) n ORDER BY name COLLATE "C";
SELECT count(*) FROM memory.memories WHERE user_id = 'novelty-table';
-- The gate says the same.
SELECT name, c.importance AS was, verdict, round(similarity::numeric, 4) AS similarity, round(n.importance::numeric, 5) AS becomes, id IS NULL AS nothing
FROM cases c, memory_create('novelty-table', 'new ' || name, agent_id => name, embedding => vector, importance => c.importance) n ORDER BY name COLLATE "C";
SELECT agent_id, content, round(importance::numeric, 5) AS importance, strength, mention_count FROM memory.memories WHERE user_id = 'novelty-table' ORDER BY agent_id COLLATE "C", id;
SELECT * FROM test.memory_faults('novelty-table');

-- Reinforcement: strength + 0.2 up to 1, one mention more; it counts from the strength as of now.
SELECT id AS known FROM memory_create('novelty-strength', 'known', embedding => '[1,0]', importance => 0, force => true) \gset
SELECT memory_decay('novelty-strength', steps => 20);
SELECT round(strength::numeric, 9) AS strength, round((0.95 ^ 20)::numeric, 9) AS expected FROM memory_get('novelty-strength', :'known');
SELECT verdict, id = :'known' AS same, cardinality(archived) AS archived FROM memory_create('novelty-strength', 'known again', embedding => '[2,0]');
SELECT round(strength::numeric, 9) AS strength, round((0.95 ^ 20 + 0.2)::numeric, 9) AS expected, mention_count, recalled_at, updated_at > created_at AS touched FROM memory_get('novelty-strength', :'known');
SELECT verdict FROM generate_series(1, 5) n, memory_create('novelty-strength', 'known again ' || n, embedding => '[1,0]');
SELECT content, strength, mention_count FROM memory.memories WHERE user_id = 'novelty-strength';
-- The same text is the same memory even without vectors.
SELECT verdict, similarity FROM memory_create('novelty-text', 'Amy likes tea');
SELECT verdict, similarity FROM memory_create('novelty-text', 'Amy likes tea');
SELECT verdict, similarity FROM memory_create('novelty-text', 'Amy likes tea', agent_id => 'other');
SELECT verdict, similarity FROM memory_create('novelty-text', 'Amy likes tea', space => 'other');
SELECT similarity, verdict, importance, (SELECT mention_count FROM memory_get('novelty-text', nearest_id)) AS mentioned FROM novelty_score('novelty-text', 'Amy likes tea', importance => 0.3);
SELECT similarity, verdict, importance, nearest_id FROM novelty_score('novelty-text', 'Amy likes coffee', importance => 0.3);
-- force stores it all the same.
SELECT verdict, similarity, importance FROM memory_create('novelty-text', 'Amy likes tea', importance => 0.3, force => true);
SELECT agent_id, space, content, mention_count FROM memory.memories WHERE user_id = 'novelty-text' ORDER BY id;
-- Another scope, user, or an archived memory is no comparison.
SELECT verdict FROM novelty_score('novelty-strength', embedding => '[1,0]', agent_id => 'other');
SELECT verdict FROM novelty_score('novelty-strength', embedding => '[1,0]', space => 'other');
SELECT verdict FROM novelty_score('novelty-nobody', embedding => '[1,0]');
SELECT memory_archive('novelty-strength', :'known') IS NOT NULL AS archived;
SELECT verdict, nearest_id FROM novelty_score('novelty-strength', embedding => '[1,0]');
-- Only the latest 50 are compared.
SELECT count(*) FROM generate_series(0, 50) n, memory_create('novelty-window', 'n' || n, embedding => CASE n WHEN 0 THEN '[1,0]' ELSE '[0,1]' END::vector, force => true);
SELECT round(similarity::numeric, 4) AS similarity, verdict FROM novelty_score('novelty-window', embedding => '[1,0]');
SELECT memory_delete('novelty-window', test.memory('novelty-window', 'n50'));
SELECT round(similarity::numeric, 4) AS similarity, verdict FROM novelty_score('novelty-window', embedding => '[1,0]');
-- With the built-in model, texts are compared by their words.
SET memory_ext.embedding_provider = builtin;
SELECT verdict, similarity, importance FROM memory_create('novelty-words', '사용자는 매운 음식을 좋아한다', importance => 0.5);
SELECT verdict, id = test.memory('novelty-words', '사용자는 매운 음식을 좋아한다') AS same FROM memory_create('novelty-words', '사용자는 매운 음식을 좋아한다!', importance => 0.5);
SELECT verdict FROM memory_create('novelty-words', 'the weather is fine in Busan', importance => 0.5);
SELECT u, f FROM unnest('{novelty-strength,novelty-text,novelty-window,novelty-words}'::text[]) AS u, test.memory_faults(u) AS f;
