\pset format unaligned
\pset null '∅'
SET TimeZone = 'UTC';
-- Statistics of somebody unknown are zeros.
SELECT jsonb_pretty(memory_stats('stats-nobody'));
SELECT count(*) FROM generate_series(1, 3) AS n,
    memory_add_turn('stats-amy', 's' || n, '질문 ' || n, '대답 ' || n, created_at => '2026-01-01 00:00+00'::timestamptz + n * interval '1 day');
SELECT memory_add_message('stats-amy', 's3', 'user', 'no answer yet', created_at => '2026-02-01 00:00+00') IS NOT NULL AS added;
SELECT memory_start_session('stats-amy', 'empty');
SELECT memory_end_session('stats-amy', 's1');
SELECT memory_add_summary('stats-amy', 's1', '요약') IS NOT NULL AS added;
SELECT jsonb_pretty(memory_stats('stats-amy') - 'tokens'), (memory_stats('stats-amy') ->> 'tokens')::bigint =
    (SELECT sum(tokens) FROM memory.messages WHERE user_id = 'stats-amy') AS tokens;
SET memory_ext.recent_messages = 6;
SET memory_ext.context_tokens = 0;
SET memory_ext.summary_threshold = 5;
SET memory_ext.auto_summary = off;
SELECT s -> 'context_window' AS context_window, s -> 'max_context_tokens' AS max_context_tokens,
       s -> 'summary_threshold' AS summary_threshold, s -> 'auto_summary_enabled' AS auto_summary_enabled FROM memory_stats('stats-amy') AS s;
RESET memory_ext.recent_messages;
RESET memory_ext.context_tokens;
RESET memory_ext.summary_threshold;
RESET memory_ext.auto_summary;
-- A message imported into an older past is the first one.
SELECT memory_add_message('stats-amy', 's2', 'user', 'long ago', created_at => '2001-01-01 00:00+00') IS NOT NULL AS added;
SELECT memory_stats('stats-amy') ->> 'first_conversation' AS first;
SELECT * FROM test.expect_error($$SELECT memory_stats(NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_stats('')$$);

-- Clear: everything of one user, when it is confirmed.
SELECT memory_add_turn('stats-bob', 's1', 'hi', 'hello') IS NOT NULL AS added;
SELECT * FROM test.expect_error($$SELECT memory_clear('stats-amy')$$);
SELECT * FROM test.expect_error($$SELECT memory_clear('stats-amy', false)$$);
SELECT * FROM test.expect_error($$SELECT memory_clear('stats-amy', NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_clear(NULL, true)$$);
SELECT * FROM test.expect_error($$SELECT memory_clear('', confirm => true)$$);
-- Messages whose session somebody deleted with plain SQL go, too.
SELECT memory_add_message('stats-amy', 'orphaned', 'user', 'whose session is gone') IS NOT NULL AS added;
DELETE FROM memory.sessions WHERE user_id = 'stats-amy' AND session_id = 'orphaned';
SELECT memory_clear('stats-amy', confirm => true);
SELECT memory_clear('stats-amy', true);
SELECT memory_stats('stats-amy') - '{context_window,max_context_tokens,summary_threshold,auto_summary_enabled}'::text[] AS stats;
SELECT count(*) FROM memory.sessions WHERE user_id = 'stats-amy'
UNION ALL SELECT count(*) FROM memory.messages WHERE user_id = 'stats-amy'
UNION ALL SELECT count(*) FROM memory.summaries WHERE user_id = 'stats-amy'
UNION ALL SELECT count(*) FROM memory.search_entries WHERE user_id = 'stats-amy';
SELECT message_count FROM memory_list_sessions('stats-bob');
SELECT * FROM test.faults('stats-bob');
-- The user can begin anew.
SELECT added FROM memory_add_turn('stats-amy', 's1', '다시', '시작');
BEGIN READ ONLY;
SELECT memory_stats('stats-amy') -> 'messages' AS messages;
SELECT * FROM test.expect_error($$SELECT memory_clear('stats-amy', true)$$);
COMMIT;
