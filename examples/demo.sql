-- A short conversation in Korean and English: what is stored, what is found, what a model gets.
-- Every statement can be copied into psql. Playing it again starts anew.
\pset footer off
\pset format wrapped
\pset columns 100
\o /dev/null
SELECT memory_clear('demo-jimin', confirm => true);
SELECT memory_clear('demo-emma', confirm => true);
\o

-- 1. An agent has a persona, which every context begins with, and settings of its own.
SELECT agent_id, persona FROM memory_set_agent('demo-luna', '너는 루나야. 다정하고 짧게 말해.',
    config => '{"recent_turns": 3}');

-- 2. Store turns: the user's message and its answer, in your own transaction. The session starts
-- by itself.
SELECT added FROM memory_add_turn('demo-jimin', 'chat-1',
    '안녕! 나는 지민이고 부산에 살아.', '반가워요, 지민님! 부산 바다가 그립네요.',
    agent_id => 'demo-luna');
SELECT added FROM memory_add_turn('demo-jimin', 'chat-1',
    '요즘 날씨가 좋아서 강아지랑 산책해.', '산책하기 딱 좋은 날씨죠. 강아지 이름이 뭐예요?',
    emotion => 'joy');
SELECT added FROM memory_add_turn('demo-jimin', 'chat-1',
    '이름은 보리야. 땅콩 알레르기가 있어.', '보리! 간식 고를 때 땅콩은 꼭 피할게요.',
    metadata => '{"channel": "app"}', idempotency_key => 'request-17');
-- The network failed and the client sends it again: nothing is stored twice.
SELECT added FROM memory_add_turn('demo-jimin', 'chat-1',
    '이름은 보리야. 땅콩 알레르기가 있어.', '보리! 간식 고를 때 땅콩은 꼭 피할게요.',
    metadata => '{"channel": "app"}', idempotency_key => 'request-17');

SELECT added FROM memory_add_turn('demo-emma', 'trip',
    'I am planning a trip to Jeju with my two dogs.', 'Lovely! When are you travelling?');
SELECT added FROM memory_add_turn('demo-emma', 'trip',
    'In October. I am allergic to shellfish.', 'Noted: October, and no shellfish.');

-- 3. What is stored: plain rows.
SELECT role, content, emotion FROM memory.messages
WHERE user_id = 'demo-jimin' ORDER BY created_at, id;
SELECT user_id, session_id, agent_id, message_count, turn_count FROM memory.sessions
WHERE user_id LIKE 'demo-%' ORDER BY 1;

-- 4. Search: Korean particles and English endings do not hide a word.
SELECT role, content, round(score::numeric, 2) AS score
FROM memory_search_messages('demo-jimin', '날씨');
SELECT role, content, round(score::numeric, 2) AS score
FROM memory_search_messages('demo-emma', 'travel dog');

-- 5. The context of the next answer, within a budget of tokens. First as messages for an
-- OpenAI-style API,
SELECT m ->> 'role' AS role, m ->> 'content' AS content
FROM build_context_json('demo-jimin', 'chat-1', query => '보리 간식 추천해 줘') AS context,
     jsonb_array_elements(context -> 'messages') AS m;
-- then what each part took of the budget:
SELECT jsonb_pretty(context -> 'tokens') AS tokens
FROM build_context_json('demo-jimin', 'chat-1', query => '보리 간식 추천해 줘') AS context;
-- A smaller budget keeps the persona and the newest message, and drops the oldest first.
SELECT m ->> 'role' AS role, m ->> 'content' AS content
FROM build_context_json('demo-jimin', 'chat-1', '보리 간식 추천해', max_tokens => 100) AS context,
     jsonb_array_elements(context -> 'messages') AS m;

-- 6. A summary that you made is kept with the session and comes with the next context.
SELECT memory_add_summary('demo-emma', 'trip',
    'Emma travels to Jeju in October with two dogs; no shellfish.',
    topics => '{travel,dogs,allergy}') IS NOT NULL AS added;
SELECT context #>> '{messages,0,content}' AS system
FROM build_context_json('demo-emma', 'trip', query => 'Where should we eat?') AS context;

-- 7. End the session, look at the numbers.
SELECT memory_end_session('demo-emma', 'trip');
SELECT key, value FROM jsonb_each_text(memory_stats('demo-emma'))
WHERE key IN ('sessions', 'open_sessions', 'messages', 'conversations', 'summaries') ORDER BY key;
