\pset format unaligned
\pset null '∅'
-- Set, confirm in other words, correct; the old value is kept with its time and what took its place.
SELECT key, value, outcome, previous_value FROM memory_set_fact('facts-amy', '나이', '25살', valid_from => '2025-01-01');
SELECT key, value, outcome, previous_value FROM memory_set_fact('facts-amy', 'age', 'twenty-five', valid_from => '2025-02-01');
SELECT key, value, outcome, previous_value FROM memory_set_fact('facts-amy', '나이', '스물여섯 살', valid_from => '2026-01-01');
SELECT key, value, raw, category, class, single, importance, confidence, source, valid_from = '2026-01-01' AS since, valid_to, closed_at, closed_by FROM memory_get_facts('facts-amy');
SELECT h.value, h.raw, h.valid_from::date, h.valid_to::date, h.closed_at > h.recorded_at AS closed, n.value AS closed_by
FROM memory_get_fact_history('facts-amy', 'age') h LEFT JOIN memory.facts n ON n.user_id = 'facts-amy' AND n.id = h.closed_by;

-- When it was true.
SELECT d AS as_of, (SELECT value FROM memory_get_facts('facts-amy', as_of => d)) FROM unnest('{2024-12-31,2025-01-01,2025-12-31,2026-01-01,2999-01-01}'::date[]) AS d;
-- When we knew it: a value that was learned late was true before it was known.
SELECT outcome FROM memory_set_fact('facts-know', '직업', '학생', valid_from => '2020-03-01');
SELECT max(recorded_at) AS then FROM memory.facts WHERE user_id = 'facts-know' \gset
SELECT outcome, previous_value FROM memory_set_fact('facts-know', 'job', 'developer', valid_from => '2024-03-01');
SELECT value FROM memory_get_facts('facts-know');
SELECT value AS as_known_then FROM memory_get_facts('facts-know', known_at => :'then');
SELECT value AS true_in_2022 FROM memory_get_facts('facts-know', as_of => '2022-01-01');
SELECT value AS true_in_2025_as_known_then FROM memory_get_facts('facts-know', as_of => '2025-01-01', known_at => :'then');
SELECT count(*) AS known_before FROM memory_get_facts('facts-know', known_at => '2020-01-01');

-- What is said late about an earlier time does not replace what holds since; the values of a key never overlap.
SELECT outcome, previous_value FROM memory_set_fact('facts-late', '거주지', '서울', valid_from => '2024-01-01');
SELECT outcome, previous_value FROM memory_set_fact('facts-late', '거주지', '부산', valid_from => '2018-01-01');
SELECT outcome, previous_value FROM memory_set_fact('facts-late', '거주지', '대구', valid_from => '2020-01-01');
SELECT outcome, previous_value FROM memory_set_fact('facts-late', '거주지', '대구', valid_from => '2021-01-01');
SELECT value FROM memory_get_facts('facts-late');
SELECT value, valid_from::date, valid_to::date FROM memory_get_fact_history('facts-late', '거주지') ORDER BY valid_from;
-- What begins later is not true yet.
SELECT outcome, previous_value FROM memory_set_fact('facts-late', '거주지', '제주', valid_from => '2999-01-01');
SELECT value FROM memory_get_facts('facts-late');
SELECT value FROM memory_get_facts('facts-late', as_of => '2999-06-01');
SELECT outcome, previous_value FROM memory_set_fact('facts-late', '거주지', '광주', valid_from => '2025-01-01');
SELECT value, valid_from::date, valid_to::date FROM memory_get_fact_history('facts-late', '거주지') ORDER BY valid_from;
SELECT a.value, b.value FROM memory.facts a JOIN memory.facts b USING (user_id, key)
WHERE user_id LIKE 'facts-%' AND a.single AND a.id < b.id AND tstzrange(a.valid_from, a.valid_to) && tstzrange(b.valid_from, b.valid_to);

-- Many values at once, taken back one by one or all together.
SELECT outcome FROM unnest('{독서,수영,reading,등산,독서}'::text[]) AS v, memory_set_fact('facts-many', '취미', v);
SELECT value FROM memory_get_facts('facts-many', key => 'hobby') ORDER BY value COLLATE "C";
SELECT key, value, outcome, previous_value FROM memory_retract_fact('facts-many', 'hobbies', '수영');
SELECT count(*) FROM memory_retract_fact('facts-many', '취미', '낚시');
SELECT count(*) FROM memory_get_facts('facts-many');
SELECT value FROM memory_retract_fact('facts-many', '취미') ORDER BY value COLLATE "C";
SELECT count(*) FROM memory_get_facts('facts-many');
SELECT count(*), count(valid_to), count(closed_at), count(closed_by) FROM memory_get_fact_history('facts-many', '취미');
SELECT outcome FROM memory_set_fact('facts-many', '취미', '수영');
-- A value is taken back as of a time; nothing is ended before it began.
SELECT outcome FROM memory_set_fact('facts-many', '직업', '의사', valid_from => '2020-01-01');
SELECT count(*) FROM memory_retract_fact('facts-many', '직업', valid_to => '2019-01-01');
SELECT value FROM memory_retract_fact('facts-many', '직업', valid_to => '2023-01-01');
SELECT d, (SELECT count(*) FROM memory_get_facts('facts-many', key => '직업', as_of => d)) FROM unnest('{2022-12-31,2023-01-01}'::date[]) AS d;

-- Scopes keep apart; the reader asks for one or for all.
SELECT outcome FROM memory_set_fact('facts-scope', '이름', '민수');
SELECT outcome FROM memory_set_fact('facts-scope', '이름', '수수', agent_id => 'luna');
SELECT outcome FROM memory_set_fact('facts-scope', '이름', '왕자', agent_id => 'luna', space => 'story');
SELECT agent_id, space, value FROM memory_get_facts('facts-scope') ORDER BY 1, 2;
SELECT value FROM memory_get_facts('facts-scope', agent_id => 'luna') ORDER BY 1;
SELECT value FROM memory_get_facts('facts-scope', agent_id => '', space => '');
SELECT value FROM memory_retract_fact('facts-scope', '이름', agent_id => 'luna');
SELECT agent_id, space, value FROM memory_get_facts('facts-scope') ORDER BY 1, 2;
-- A space sees what the agent knows without a space, unless it knows better.
SELECT outcome FROM (VALUES ('이름', '수수'), ('나이', '20'), ('취미', '독서')) AS v (k, x), memory_set_fact('facts-scope', k, x, agent_id => 'luna');
SELECT outcome FROM memory_set_fact('facts-scope', '취미', '수영', agent_id => 'luna', space => 'story');
SELECT f ->> 'key' AS key, f ->> 'value' AS value FROM jsonb_array_elements(build_context_json('facts-scope', agent_id => 'luna', space => 'story', query => 'hi') -> 'identity_facts') AS f ORDER BY 1, 2;

-- Filters, and everything that can be passed.
SELECT outcome FROM memory_set_fact('facts-full', '좋아하는 색', 'blue', agent_id => 'luna', space => 's', category => 'OPINION', class => 'moment', importance => 0.9,
    emotion => 'joy', confidence => 0.5, source_message => '01890000-0000-7000-8000-000000000000', session_id => 'one', metadata => '{"n": 1.10}');
SELECT key, value, raw, category, class, single, importance, emotion, confidence, source, source_message, session_id, metadata FROM memory.facts WHERE user_id = 'facts-full';
SELECT outcome FROM memory_set_fact('facts-full', '날씨 취향', '비', agent_id => 'luna');
SELECT key, value, category, class FROM memory_get_facts('facts-full', class => 'moment', category => 'OTHER');
SELECT count(*) FROM memory_get_facts('facts-full', class => 'identity');
-- A fact that is said again gets no less certain and no less important.
SELECT outcome FROM memory_set_fact('facts-full', '날씨 취향', '비', agent_id => 'luna', confidence => 0.2, importance => 0.9);
SELECT confidence, importance FROM memory_get_facts('facts-full', key => '날씨 취향');

-- Learning: several facts of a message, of others too, corrections without a subject, and taking back.
SELECT key, value, outcome FROM memory_learn_facts('facts-learn', '난 스물다섯 살이고 부산에서 태어났어. 내 동생은 간호사야', session_id => 's1', valid_from => '2026-05-01');
SELECT key, value, outcome, previous_value FROM memory_learn_facts('facts-learn', '나는 25살이야');
SELECT key, value, outcome, previous_value FROM memory_learn_facts('facts-learn', '나는 서울에 살아');
SELECT key, value, outcome, previous_value FROM memory_learn_facts('facts-learn', '아니, 인천에 살아');
SELECT key, value, outcome, previous_value FROM memory_learn_facts('facts-learn', 'actually I moved to Busan');
SELECT key, value, outcome, previous_value FROM memory_learn_facts('facts-learn', '아니, 스물여섯이야');
SELECT count(*) FROM memory_learn_facts('facts-learn', '너는 몇 살이야?');
SELECT count(*) FROM memory_learn_facts('facts-learn', '');
SELECT key, value, source, session_id FROM memory.facts WHERE user_id = 'facts-learn' AND valid_to IS NULL ORDER BY id;
SELECT value, valid_to IS NULL AS current FROM memory_get_fact_history('facts-learn', '거주지');
-- The sibling's job is not the user's.
SELECT count(*) FROM memory_get_facts('facts-learn', key => '직업');
-- The assistant's own person is not the user's.
SELECT count(*) FROM memory_learn_facts('facts-learn', '나는 서른 살이고 의사야', role => 'assistant');

-- An administrator's key is in force at once, in both languages.
SELECT fact_key_extract('행성: 화성');
INSERT INTO memory.fact_keys (key, rank, category, class, cardinality, label_ko, label_en, synonyms_ko, synonyms_en)
VALUES ('고향 행성', 0, 'PERSONAL_INFO', 'identity', 'single', '고향 행성', 'home planet', '{행성}', '{planet}');
SELECT fact_key_extract('행성: 화성'), fact_key_extract('planet: Mars');
SELECT key, outcome FROM memory_set_fact('facts-admin', 'planet', 'Mars');
SELECT key, value, class FROM memory_get_facts('facts-admin');
UPDATE memory.fact_keys SET synonyms_en = '{planet,"home world"}' WHERE key = '고향 행성';
SELECT fact_key_extract('home world: Mars');
DELETE FROM memory.fact_keys WHERE key = '고향 행성';
SELECT fact_key_extract('home world: Mars') = '고향 행성' AS still;
-- Rows that came with the extension can be changed but not deleted.
SELECT * FROM test.expect_error($$DELETE FROM memory.fact_keys WHERE key = '직업'$$);
SELECT * FROM test.expect_error($$UPDATE memory.fact_keys SET key = 'job' WHERE key = '직업'$$);
SELECT code, message FROM test.expect_error($$INSERT INTO memory.fact_keys (key, category, class, label_ko, label_en) VALUES ('x', 'odd', 'identity', 'x', 'x')$$);
SELECT count(*) > 80 AS enough, bool_and(shipped) AS shipped FROM memory.fact_keys;

-- Clearing a user leaves nothing.
SELECT FROM memory_apply_relationship('facts-clear', deltas => '{"trust": 5}');
SELECT FROM memory_add_scene('facts-clear', place => 'here');
SELECT outcome FROM memory_set_fact('facts-clear', '이름', 'x');
SELECT count(*) FROM memory_clear('facts-clear', true);
SELECT (SELECT count(*) FROM memory.facts WHERE user_id = 'facts-clear') + (SELECT count(*) FROM memory.relationships WHERE user_id = 'facts-clear')
     + (SELECT count(*) FROM memory.relationship_changes WHERE user_id = 'facts-clear') + (SELECT count(*) FROM memory.scenes WHERE user_id = 'facts-clear') AS left;
