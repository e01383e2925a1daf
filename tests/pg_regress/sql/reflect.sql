\pset format unaligned
\pset null '∅'
-- Nothing is known, nothing is made.
SELECT count(*) FROM memory_reflect('reflect-amy', 'luna');
SELECT FROM memory_learn_facts('reflect-amy', '나는 김민수야. 스무 살이고 서울에 살아', agent_id => 'luna');
SELECT FROM memory_set_fact('reflect-amy', '목표', '시험 합격', agent_id => 'luna');
SELECT verdict FROM memory_create('reflect-amy', '민수는 비 오는 날을 좋아한다', agent_id => 'luna', kind => 'semantic', importance => 0.9);
SELECT FROM memory_apply_relationship('reflect-amy', 'luna', deltas => '{"trust": 60, "affection": 60, "familiarity": 60}');
SELECT id AS first, content FROM memory_reflect('reflect-amy', 'luna') \gset
SELECT :'content' AS profile;
-- It has a place of its own in the context and is not told twice.
SELECT c ->> 'profile' = :'content' AS told, jsonb_path_exists(c, '$.memories[*] ? (@.kind == "reflection")') AS among_memories FROM build_context_json('reflect-amy', agent_id => 'luna', query => '안녕') AS c;
-- A new one replaces the old, which is archived with the reason.
SELECT FROM memory_learn_facts('reflect-amy', '나 스물한 살이야', agent_id => 'luna');
SELECT id AS second, content FROM memory_reflect('reflect-amy', 'luna') \gset
SELECT :'content' AS profile;
SELECT id = :'second' AS newest, archived_at IS NULL AS active, archive_reason FROM memory.memories WHERE user_id = 'reflect-amy' AND kind = 'reflection' ORDER BY id;
SELECT c ->> 'profile' = :'content' AS told FROM build_context_json('reflect-amy', agent_id => 'luna', query => '안녕') AS c;
-- In English when asked for; spaces keep apart.
SELECT content FROM memory_reflect('reflect-amy', 'luna', language => 'en');
SELECT count(*) FROM memory.memories WHERE user_id = 'reflect-amy' AND kind = 'reflection' AND archived_at IS NULL;
SELECT count(*) FROM memory_reflect('reflect-amy', 'nova');
