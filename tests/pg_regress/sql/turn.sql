\pset format unaligned
\pset null '∅'
-- A turn is the user's message and its answer, as one unit.
SELECT turn_id = user_message_id AS turn_is_the_question, user_message_id < assistant_message_id AS in_order, added
FROM memory_add_turn('turn-amy', 's', '내 이름은 지민이야', '반가워요, 지민님!');
SELECT added FROM memory_add_turn(user_id => 'turn-amy', session_id => 's', user_message => 'What is my name?',
    assistant_message => 'Your name is Jimin.', emotion => 'curious', intent => 'question', processing_time => 0.25,
    cached => true, metadata => '{"k": 1.10}', created_at => '2026-05-01 12:00+00');
SELECT role, content, emotion, intent, processing_time, cached, metadata FROM memory_get_recent('turn-amy', 's');
SELECT message_count, turn_count, token_count > 0 AS tokens FROM memory_get_session('turn-amy', 's');
SELECT count(DISTINCT turn_id) AS turns, count(DISTINCT created_at) AS times FROM memory_get_recent('turn-amy', 's');
SELECT * FROM test.faults('turn-amy');
-- An empty answer (a tool call) is one, no answer is none.
SELECT added FROM memory_add_turn('turn-amy', 'tools', 'look it up', '');
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', 'question', NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', NULL, 'answer')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', '', 'answer')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn(NULL, 's', 'question', 'answer')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', NULL, 'question', 'answer')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', 'q', 'a', processing_time => 'NaN')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', 'q', 'a', processing_time => 'infinity')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', 'q', 'a', processing_time => -0.001)$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', 'q', 'a', metadata => '"x"')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', 'q', 'a', created_at => 'infinity')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-amy', 's', 'q', 'a', agent_id => 'other')$$);
SELECT message_count FROM memory_get_session('turn-amy', 's');

-- A megabyte on both sides.
SELECT added FROM memory_add_turn('turn-big', 's', repeat('질문 question ', 70000), repeat('대답 answer ', 70000));
SELECT role, length(content), octet_length(content) FROM memory_get_recent('turn-big', 's');
SELECT role FROM memory_search_messages('turn-big', '대답');

-- A retry with the same key adds nothing and gives the same ids.
SELECT user_message_id AS question, assistant_message_id AS answer, added FROM memory_add_turn('turn-bob', 's', 'hi', 'hello', idempotency_key => 'k1') \gset
SELECT turn_id = :'question' AS same_turn, user_message_id = :'question' AS same_question, assistant_message_id = :'answer' AS same_answer, added
FROM memory_add_turn('turn-bob', 's', 'hi', 'hello', idempotency_key => 'k1');
SELECT memory_add_message('turn-bob', 's', 'user', 'once', idempotency_key => 'k2') AS once \gset
SELECT memory_add_message('turn-bob', 's', 'user', 'once', idempotency_key => 'k2') = :'once' AS same;
SELECT role, content FROM memory_get_recent('turn-bob', 's');
SELECT * FROM test.faults('turn-bob');
-- The answer is still found after more was said in the turn.
SELECT memory_add_message('turn-bob', 's3', 'user', 'hi', idempotency_key => 'k3') IS NOT NULL AS added;
SELECT added FROM memory_add_turn('turn-bob', 's4', 'hi', 'hello', idempotency_key => 'k4');
SELECT memory_add_message('turn-bob', 's4', 'assistant', 'and more') IS NOT NULL AS added;
SELECT added FROM memory_add_turn('turn-bob', 's4', 'hi', 'hello', idempotency_key => 'k4');
-- A retry does not open a session that ended meanwhile, nor is it activity.
SELECT memory_end_session('turn-bob', 's4');
SELECT added FROM memory_add_turn('turn-bob', 's4', 'hi', 'hello', idempotency_key => 'k4');
SELECT end_reason FROM memory_get_session('turn-bob', 's4');
-- The same key for something else is a mistake, and leaves no trace.
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-bob', 's', 'hi', 'other', idempotency_key => 'k1')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-bob', 's', 'other', 'hello', idempotency_key => 'k1')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-bob', 'elsewhere', 'hi', 'hello', idempotency_key => 'k1')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_turn('turn-bob', 's3', 'hi', 'hello', idempotency_key => 'k3')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_message('turn-bob', 's', 'assistant', 'once', idempotency_key => 'k2')$$);
SELECT * FROM test.expect_error($$SELECT memory_add_message('turn-bob', 'elsewhere', 'user', 'once', idempotency_key => 'k2')$$);
SELECT session_id, message_count FROM memory_list_sessions('turn-bob') ORDER BY 1;
-- A key is the user's own.
SELECT added FROM memory_add_turn('turn-eve', 's', 'hi', 'hello', idempotency_key => 'k1');
-- A rolled back call has not used its key; a deleted message has given it back.
BEGIN;
SELECT added FROM memory_add_turn('turn-bob', 's', 'roll', 'back', idempotency_key => 'k5');
ROLLBACK;
SELECT added FROM memory_add_turn('turn-bob', 's', 'roll', 'back', idempotency_key => 'k5');
SELECT memory_delete_session('turn-bob', 's3');
SELECT memory_add_message('turn-bob', 's3', 'user', 'hi', idempotency_key => 'k3') IS NOT NULL AS added;
SELECT * FROM test.faults('turn-bob');

-- Within one function, an error that is caught takes the whole turn back.
DO $$
BEGIN
    PERFORM memory_add_turn('turn-sub', 's', 'kept', 'kept');
    BEGIN
        PERFORM memory_add_turn('turn-sub', 's', 'lost', 'lost');
        RAISE 'no';
    EXCEPTION WHEN raise_exception THEN NULL;
    END;
    PERFORM memory_add_turn('turn-sub', 's', 'kept too', 'kept too');
END $$;
SELECT content FROM memory_get_recent('turn-sub', 's');
SELECT * FROM test.faults('turn-sub');
-- REPEATABLE READ and SERIALIZABLE see their own turns.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT added FROM memory_add_turn('turn-rr', 's', 'one', 'two', idempotency_key => 'k');
SELECT added FROM memory_add_turn('turn-rr', 's', 'one', 'two', idempotency_key => 'k');
SELECT content FROM memory_get_recent('turn-rr', 's');
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT added FROM memory_add_turn('turn-rr', 's', 'three', 'four');
SELECT jsonb_array_length(build_context_json('turn-rr', 's') -> 'messages');
COMMIT;
-- Called for many rows at once.
SELECT count(*), count(DISTINCT turn_id) FROM generate_series(1, 50) AS n, memory_add_turn('turn-many', 's' || n % 5, 'q' || n, 'a' || n);
SELECT session_id, message_count, turn_count FROM memory_list_sessions('turn-many') ORDER BY 1;
SELECT * FROM test.faults('turn-many');
