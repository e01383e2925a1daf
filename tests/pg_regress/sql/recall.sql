\pset format unaligned
\pset null '∅'
SET memory_ext.embedding_provider = none;
SELECT * FROM memory.recall_profiles ORDER BY profile;
-- SYNK 11: similarity 0.7 + importance 0.2 + strength 0.1, exactly. [3,4] stands at 0.6 to [1,0], [4,3] at 0.8.
SELECT count(*) FROM (VALUES (1, 'same', '[1,0]', 0.1), (2, 'near', '[4,3]', 0.5), (3, 'far', '[3,4]', 1), (4, 'across', '[0,1]', 0.9), (5, 'opposite', '[-1,0]', 0)) AS v (n, c, e, i),
    memory_create('recall-synk', c, embedding => e::vector, importance => i, force => true);
SELECT verdict FROM memory_create('recall-synk', 'without vector', importance => 0.5, force => true);
SELECT memory_decay('recall-synk', steps => 5);
SELECT content, round(similarity::numeric, 6) AS similarity, importance, round(strength::numeric, 6) AS strength, round(score::numeric, 9) AS score,
       abs(score - (0.7 * similarity + 0.2 * importance + 0.1 * strength)) < 1e-12 AS exact
FROM memory_recall('recall-synk', embedding => '[1,0]', profile => 'synk');
SELECT explanation - 'candidates' - 'recency' AS explanation FROM memory_recall('recall-synk', embedding => '[1,0]', profile => 'synk', k => 1, explain => true);
SELECT explanation ->> 'path' AS path, explanation ->> 'candidates' AS candidates FROM memory_recall('recall-synk', embedding => '[1,0]', k => 1, explain => true);
SELECT explanation FROM memory_recall('recall-synk', embedding => '[1,0]', k => 1);
-- Every profile: the score is the sum of its parts.
SELECT p.profile, bool_and(abs(r.score - (p.similarity * r.similarity + p.keyword * r.keyword + p.importance * coalesce(r.importance, 0) + p.strength * coalesce(r.strength, 0) + p.recency * r.recency)) < 1e-12) AS adds_up, count(*)
FROM memory.recall_profiles p, memory_recall('recall-synk', 'near far', '[1,0]', profile => p.profile) r GROUP BY 1 ORDER BY 1;
-- A profile of the DBA's own counts at once.
INSERT INTO memory.recall_profiles (profile, importance) VALUES ('recall-important', 1);
SELECT content, score FROM memory_recall('recall-synk', embedding => '[1,0]', profile => 'recall-important', k => 2);
UPDATE memory.recall_profiles SET importance = -1 WHERE profile = 'recall-important';
SELECT content, score FROM memory_recall('recall-synk', embedding => '[1,0]', profile => 'recall-important', k => 2);
DELETE FROM memory.recall_profiles WHERE profile = 'recall-important';
SELECT * FROM test.expect_error($$SELECT memory_recall('recall-synk', 'x', profile => 'recall-important')$$);
-- Without a query: the important and recent ones.
SELECT content FROM memory_recall('recall-synk', k => 3);
SELECT count(*) FROM memory_recall('recall-synk', k => 0);
SELECT count(*) FROM memory_recall('recall-synk', k => 10000);
SELECT count(*) FROM memory_recall('recall-nobody', 'x');

-- Filters. Messages are recalled beside memories.
SELECT count(*) FROM (VALUES
    ('a one', 'a', '', 'episodic', '{tea}', '2026-01-01', '{"n": 1}', NULL), ('a two', 'a', 's', 'semantic', '{tea,milk}', '2026-02-01', '{"n": 2, "deep": {"x": [1, 2]}}', NULL),
    ('b one', 'b', '', 'emotional', '{}', '2026-03-01', '{}', NULL), ('b two', 'b', 's', 'summary', '{milk}', '2026-04-01', '{"n": 1}', NULL),
    ('expired', 'a', '', 'episodic', '{tea}', '2026-01-01', '{"n": 1}', '2020-01-01')) AS v (c, a, s, k, t, o, m, x),
    memory_create('recall-filter', c, agent_id => a, space => s, kind => k, topics => t::text[], occurred_at => o::timestamptz, metadata => m::jsonb, expires_at => x::timestamptz, force => true);
SELECT memory_archive('recall-filter', id) IS NOT NULL AS archived FROM memory_create('recall-filter', 'archived', agent_id => 'a', topics => '{tea}', occurred_at => '2026-05-01', force => true);
SELECT memory_add_message('recall-filter', 'talk', 'user', 'said one', agent_id => 'a', created_at => '2026-06-01', metadata => '{"n": 1}') IS NOT NULL AS said;
SELECT memory_add_message('recall-filter', 'talk', 'assistant', 'said two', agent_id => 'a', created_at => '2026-06-02') IS NOT NULL AS said;
CREATE FUNCTION pg_temp.found(arguments text) RETURNS text LANGUAGE plpgsql AS
$$ DECLARE found text; BEGIN EXECUTE format('SELECT string_agg(content, '', '' ORDER BY content COLLATE "C") FROM memory_recall(''recall-filter'', %s)', arguments) INTO found; RETURN found; END $$;
SELECT arguments, pg_temp.found(arguments) FROM unnest(ARRAY['NULL',
    $$agent_ids => '{a}'$$, $$agent_ids => '{a,b}'$$, $$agent_ids => '{c}'$$, $$agent_ids => '{}'$$, $$agent_ids => '{""}'$$,
    $$spaces => '{""}'$$, $$spaces => '{s}'$$, $$spaces => '{s,""}'$$, $$agent_ids => '{b}', spaces => '{s}'$$,
    $$kinds => '{episodic}'$$, $$kinds => '{semantic,summary}'$$, $$kinds => '{message}'$$, $$kinds => '{message,emotional}'$$, $$kinds => '{}'$$,
    $$topics => '{tea}'$$, $$topics => '{milk,coffee}'$$, $$topics => '{coffee}'$$, $$topics => '{}'$$, $$topics => '{Tea}'$$,
    $$since => '2026-03-01'$$, $$until => '2026-03-01'$$, $$since => '2026-02-01', until => '2026-04-01'$$, $$since => 'infinity'$$, $$until => 'infinity'$$, $$since => '2026-04-01', until => '2026-02-01'$$,
    $$metadata => '{"n": 1}'$$, $$metadata => '{"deep": {"x": [2]}}'$$, $$metadata => '{}'$$, $$metadata => '{"n": "1"}'$$,
    $$include_archived => true$$, $$include_archived => true, topics => '{tea}'$$, $$include_archived => true, kinds => '{message}'$$,
    $$'one'$$, $$'two', kinds => '{message}'$$, $$topics => '{tea}', agent_ids => '{a}', spaces => '{s}', kinds => '{semantic}', since => '2026-01-15', until => '2026-03-01', metadata => '{"n": 2}'$$]) AS arguments;
-- What a hit shows of a message and of a memory.
SELECT source, kind, content, topics, importance, strength, agent_id, space, session_id, occurred_at::date, archived_at IS NOT NULL AS archived, metadata
FROM memory_recall('recall-filter', 'one', include_archived => true, kinds => '{message,summary,episodic}') ORDER BY content COLLATE "C";

-- Caution and identity come first, at most three of them; in either language and letter case.
SELECT count(*) FROM (VALUES ('peanuts are dangerous', '{caution}', 0.1), ('her name is Amy', '{Identity,name}', 0.2), ('땅콩 알레르기', '{주의}', 0.3), ('이름은 에이미', '{신원}', 0.4), ('likes tea', '{tea}', 1)) AS v (c, t, i),
    memory_create('recall-lead', c, topics => t::text[], importance => i, force => true);
SELECT content, importance FROM memory_recall('recall-lead', 'tea', profile => 'synk');
SELECT content FROM memory_recall('recall-lead', 'tea', k => 2);
SELECT content FROM memory_recall('recall-lead', 'tea', k => 1, topics => '{tea}');
SELECT content FROM memory_recall('recall-lead', 'peanuts', profile => 'keyword', k => 1);
-- An update can make and unmake a leader.
SELECT topics FROM memory_update('recall-lead', test.memory('recall-lead', 'likes tea'), topics => '{CAUTION}');
SELECT content FROM memory_recall('recall-lead', 'tea', k => 1, profile => 'synk');

-- Words, in Korean and English: particles and endings do not hide them.
SELECT count(*) FROM unnest(ARRAY['오늘날씨는 맑았다', '저는 김치찌개를 좋아해요', 'Amy was walking her dogs', 'ＦＵＬＬ width café']) AS c, memory_create('recall-words', c, interpretation => CASE WHEN c LIKE 'Amy%' THEN '강아지를 사랑한다' END, force => true);
SELECT q, (SELECT string_agg(content, ', ') FROM memory_recall('recall-words', q, profile => 'keyword') WHERE keyword > 0) AS found
FROM unnest('{날씨,날씨가,김치찌개도,dog,walks,DOGS,강아지는,full,CAFÉ,nothing,!!!}'::text[]) AS q;

-- Strength and time: a memory that was used is ahead of its twin, the newer one is ahead with recency.
SELECT count(*) FROM generate_series(1, 3) n, memory_create('recall-use', 'twin ' || n, importance => 0.5, occurred_at => now() - n * interval '20 days', force => true);
SELECT content FROM memory_recall('recall-use', profile => 'recency');
SELECT content, round(recency::numeric, 3) AS recency FROM memory_recall('recall-use', profile => 'recency') WHERE content = 'twin 3';
SELECT memory_decay('recall-use', steps => 10);
SELECT memory_mark_used('recall-use', ARRAY[test.memory('recall-use', 'twin 3'), test.memory('recall-use', 'twin 3')]);
SELECT content FROM memory_recall('recall-use', profile => 'synk', k => 1);
SELECT content, mention_count FROM memory.memories WHERE user_id = 'recall-use' ORDER BY id;
-- Being recalled is no mention; marking what is archived or gone counts nothing.
SELECT memory_archive('recall-use', test.memory('recall-use', 'twin 1')) IS NOT NULL AS archived;
SELECT memory_mark_used('recall-use', ARRAY[test.memory('recall-use', 'twin 1'), gen_random_uuid()]);
SELECT memory_mark_used('recall-use', '{}');
SELECT u, f FROM unnest('{recall-synk,recall-filter,recall-lead,recall-words,recall-use}'::text[]) AS u, test.memory_faults(u) AS f;

-- A conversation tells of its messages: what stands around them, what the whole is about, who spoke, and when.
SELECT count(*) FROM memory_set_fact('recall-talk', 'name', 'Caroline');
SELECT count(memory_add_message('recall-talk', s, role, said, agent_id => 'Melanie', created_at => at::timestamptz)) FROM (VALUES
    ('one', 'user', 'Where did you go on Sunday?', '2023-05-08 10:00+00'), ('one', 'assistant', 'To the lake, with the kids.', '2023-05-08 10:01+00'), ('one', 'user', 'Lovely.', '2023-05-08 10:02+00'),
    ('two', 'user', 'I bought a bicycle.', '2023-07-03 10:00+00'), ('two', 'assistant', 'I bought a kayak.', '2023-07-03 10:01+00'), ('two', 'user', 'My sister has a boat.', '2023-08-20 10:00+00')) AS v (s, role, said, at);
SELECT content, round((explanation #>> '{neighbours,value}')::numeric, 2) AS neighbours, round((explanation #>> '{session,value}')::numeric, 2) AS session, explanation -> 'counts' AS counts
FROM memory_recall('recall-talk', 'Sunday', k => 3, explain => true);
SELECT question, content, (explanation #>> '{speaker,value}')::numeric AS speaker FROM unnest('{What did Caroline buy?,What did Melanie buy?,What did Caroline and Melanie buy?,What did I buy?,what did you buy,Caroline이 산 것 bought}'::text[]) AS question,
    memory_recall('recall-talk', question, k => 1, explain => true);
SELECT question, content, (explanation #>> '{time,value}')::numeric AS time FROM unnest('{what was in August 2023,2023년 8월에 무슨 일이 있었지,in May}'::text[]) AS question, memory_recall('recall-talk', question, k => 1, explain => true);
SELECT abs(r.score - (SELECT sum((part.value ->> 'adds')::float8) FROM jsonb_each(explanation) AS part WHERE jsonb_typeof(part.value) = 'object') * (explanation ->> 'counts')::float8) < 1e-9 AS adds_up
FROM memory_recall('recall-talk', 'What did Caroline buy in July 2023?', explain => true) r LIMIT 1;
