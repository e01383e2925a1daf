\pset format unaligned
\pset null '∅'
-- A turn is learned from in the same call; the fact knows its message.
SELECT added FROM memory_add_turn('turns-amy', 's', '난 스무 살이고 서울에 살아', '반가워! 내일 꼭 다시 이야기하자, 약속할게', agent_id => 'luna', created_at => '2026-05-01 10:00+09');
SELECT f.key, f.value, f.class, f.source, m.role, f.session_id, f.agent_id, f.valid_from = '2026-05-01 10:00+09' AS since
FROM memory.facts f JOIN memory.messages m ON m.user_id = f.user_id AND m.id = f.source_message WHERE f.user_id = 'turns-amy' ORDER BY f.id;
-- Corrections close the old value with its source.
SELECT added FROM memory_add_turn('turns-amy', 's', '아니, 스물한 살이야', '아 그렇구나', created_at => '2026-05-02 10:00+09');
SELECT added FROM memory_add_turn('turns-amy', 's', '나 부산으로 이사했어', '부산 좋지', created_at => '2026-05-03 10:00+09');
SELECT h.value, h.valid_to AT TIME ZONE 'Asia/Seoul' AS valid_to, m.content AS ended_by FROM unnest('{나이,거주지}'::text[]) AS key, memory_get_fact_history('turns-amy', key) h
LEFT JOIN memory.facts n ON n.user_id = 'turns-amy' AND n.id = h.closed_by LEFT JOIN memory.messages m ON m.user_id = 'turns-amy' AND m.id = n.source_message;
-- Old turns that are imported late do not replace what holds since.
SELECT added FROM memory_add_turn('turns-amy', 'old', '나는 대구에 살아', '그래?', agent_id => 'luna', created_at => '2020-01-01');
SELECT value FROM memory_get_facts('turns-amy', key => '거주지');
SELECT value FROM memory_get_facts('turns-amy', key => '거주지', as_of => '2021-01-01');

-- A retry learns nothing twice; a rolled-back turn leaves nothing.
SELECT added FROM memory_add_turn('turns-bob', 's', '나는 의사야', '네', idempotency_key => 'k');
SELECT added FROM memory_add_turn('turns-bob', 's', '나는 의사야', '네', idempotency_key => 'k');
BEGIN; SELECT added FROM memory_add_turn('turns-bob', 's', '나는 요리사야', '네'); ROLLBACK;
SELECT key, value, valid_to FROM memory.facts WHERE user_id = 'turns-bob';
-- Nothing is learned when the setting is off.
SET memory_ext.learn_facts = off;
SELECT added FROM memory_add_turn('turns-bob', 's', '내 이름은 철수야', '네');
RESET memory_ext.learn_facts;
SELECT count(*) FROM memory.facts WHERE user_id = 'turns-bob' AND key = '이름';

-- The assistant's side: promises, agreements, the relationship; not who the assistant says it is.
SELECT added FROM memory_add_turn('turns-side', 's', '응 좋아', '나는 서른 살이야. 우리 이제 친구 하자. 앞으로 말 편하게 할게');
SELECT added FROM memory_add_turn('turns-side', 's', 'ok', 'I promise I will wake you up at seven.');
SELECT key, value, category, class, source FROM memory.facts WHERE user_id = 'turns-side' ORDER BY id;

-- Text out of a memory block that comes back is not learned again, from neither side.
SELECT added FROM memory_add_turn('turns-echo', 's', E'[사용자 정보]\n- **나이: 99**\n\n이게 뭐야?', E'[현재 상태(캐논)]\n- (EVENT) 약속: 내일 꼭 만나기로 약속했다');
SELECT count(*) FROM memory.facts WHERE user_id = 'turns-echo';

-- Actions are shared experiences: the latest 20 are current, the rest is history.
SELECT count(*) FROM generate_series(1, 25) n, memory_add_turn('turns-acts', 's', '유저의 행동: 꽃 ' || n || '송이를 선물했다', '고마워', agent_id => 'luna');
SELECT class, count(*), count(*) FILTER (WHERE valid_to IS NULL) AS current FROM memory.facts WHERE user_id = 'turns-acts' GROUP BY class;
SELECT min(raw) AS oldest_current FROM (SELECT raw FROM memory.facts WHERE user_id = 'turns-acts' AND valid_to IS NULL ORDER BY id LIMIT 1) AS f;
SELECT jsonb_array_length(c -> 'shared_experiences') AS experiences, jsonb_array_length(c -> 'identity_facts') AS identity, jsonb_array_length(c -> 'moment_facts') AS moment
FROM build_context_json('turns-acts', 's', max_tokens => 0) AS c;

-- A broken table of keys costs the facts of a turn, not the turn.
BEGIN;
ALTER TABLE memory.fact_keys DROP CONSTRAINT fact_keys_class_check;
INSERT INTO memory.fact_keys (key, category, class, label_ko, label_en) VALUES ('x', 'OTHER', 'odd', 'x', 'x');
SELECT added FROM memory_add_turn('turns-broken', 's', '나는 의사야', 'ok');
ROLLBACK;

-- What was corrected is not told as a memory of past conversations either.
SELECT count(*) FROM memory_add_turn('turns-stale', 'one', '나는 서울 강남구에 살아', '그렇구나', agent_id => 'luna');
SELECT count(*) FROM memory_add_turn('turns-stale', 'one', '나 이사했어. 이제 서울 마포구에 살아', '축하해', agent_id => 'luna');
SELECT f ->> 'value' AS lives_in FROM jsonb_array_elements(build_context_json('turns-stale', 'two', '내가 서울 어디에 살지?', agent_id => 'luna') -> 'identity_facts') AS f;
SELECT m ->> 'content' AS remembered FROM jsonb_array_elements(build_context_json('turns-stale', 'two', '내가 서울 어디에 살지?', agent_id => 'luna') -> 'memories') AS m WHERE m ->> 'kind' = 'user';
