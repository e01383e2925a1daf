\pset format unaligned
\pset null '∅'
-- Start: idempotent, and makes an id when none is given.
SELECT memory_start_session('session-amy', 's1');
SELECT memory_start_session('session-amy', 's1');
SELECT memory_start_session('session-amy') ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7' AS made_an_id;
SELECT memory_start_session(user_id => 'session-amy', session_id => 's2', agent_id => 'luna', space => '소설',
                            metadata => '{"channel": "web"}');
SELECT session_id, agent_id, space, ended_at, end_reason, message_count, turn_count, token_count, metadata,
       started_at = last_activity_at AS fresh
FROM memory_get_session('session-amy', 's2');

-- A second start adds to the metadata and keeps the rest.
SELECT memory_start_session('session-amy', 's2', metadata => '{"theme": "dark"}');
SELECT memory_start_session('session-amy', 's2', agent_id => 'luna', space => '소설');
SELECT metadata FROM memory_get_session('session-amy', 's2');

-- Metadata is kept to the last digit and level.
SELECT memory_start_session('session-amy', 'exact', metadata => '{"n": 12345678901234567890.123456789, "price": 1.10}');
SELECT metadata FROM memory_get_session('session-amy', 'exact');
SELECT memory_start_session('session-amy', 'deep',
    metadata => (repeat('{"a":', 500) || '1e400' || repeat('}', 500))::jsonb);
SELECT length(metadata::text) AS length FROM memory_get_session('session-amy', 'deep');

-- A session stays with its agent and space.
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's2', agent_id => 'other')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's2', space => 'other')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's1', agent_id => 'luna')$$);
-- Another user may have a session of the same name.
SELECT memory_start_session('session-bob', 's2', agent_id => 'other');
SELECT user_id, agent_id FROM memory.sessions WHERE session_id = 's2' ORDER BY user_id;

-- Ids can be anything that is text.
SELECT memory_start_session('session-odd', id), length(id)
FROM unnest(ARRAY[' ', 'it''s', E'back\\slash', E'line\nbreak', '👩‍👩‍👧‍👦', 'שלום', U&'\1112\1161\11AB', '"); DROP TABLE x; --',
                  '%_', 'NULL', '{}']) AS id;
SELECT count(*) FROM memory_list_sessions('session-odd');
-- The same letters in two Unicode forms are two ids: ids are compared byte by byte.
SELECT memory_start_session('session-odd', '한');
SELECT count(*) FROM memory_list_sessions('session-odd');
-- 512 bytes are allowed, in any script.
SELECT length(memory_start_session('session-odd', repeat('x', 512)));
SELECT length(memory_start_session('session-odd', repeat('가', 170)));

-- Bad input.
SELECT * FROM test.expect_error($$SELECT memory_start_session(NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', '')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session(repeat('x', 513), 's1')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', repeat('가', 171))$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's3', agent_id => repeat('x', 513))$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's3', space => repeat('x', 513))$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's3', metadata => '[1]')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's3', metadata => '"text"')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's3', metadata => 'null')$$);
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-amy', 's1', metadata => '7')$$);

-- End.
SELECT memory_end_session('session-amy', 's1');
SELECT memory_end_session('session-amy', 's1', 'again') AS had_ended_before;
SELECT ended_at IS NOT NULL AS ended, end_reason FROM memory_get_session('session-amy', 's1');
SELECT memory_end_session('session-amy', 's2', reason => '사용자가 "끝"이라고 함');
SELECT end_reason FROM memory_get_session('session-amy', 's2');
-- A new start or a new message opens it again.
SELECT memory_start_session('session-amy', 's1');
SELECT ended_at, end_reason FROM memory_get_session('session-amy', 's1');
SELECT memory_add_message('session-amy', 's2', 'user', '다시 왔어') IS NOT NULL AS added;
SELECT ended_at, end_reason, message_count FROM memory_get_session('session-amy', 's2');

SELECT * FROM test.expect_error($$SELECT memory_end_session('session-amy', 'nowhere')$$);
SELECT * FROM test.expect_error($$SELECT memory_end_session('session-bob', 's1')$$);
SELECT * FROM test.expect_error($$SELECT memory_end_session(NULL, 's1')$$);
SELECT * FROM test.expect_error($$SELECT memory_end_session('session-amy', NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_end_session('session-amy', '')$$);
SELECT * FROM test.expect_error($$SELECT memory_end_session('session-amy', 's1', NULL)$$);

-- Get.
SELECT * FROM test.expect_error($$SELECT * FROM memory_get_session('session-amy', 'nowhere')$$);
SELECT * FROM test.expect_error($$SELECT * FROM memory_get_session('session-bob', 's1')$$);
SELECT * FROM test.expect_error($$SELECT * FROM memory_get_session(NULL, 's1')$$);
SELECT * FROM test.expect_error($$SELECT * FROM memory_get_session('session-amy', NULL)$$);

-- List: last used first, with filters, pages and the number of all.
SELECT memory_add_message('session-list', 'l' || n, 'user', 'message ' || n, created_at => '2026-01-01'::timestamptz + n * interval '1 day',
                          agent_id => CASE WHEN n > 3 THEN 'luna' END, space => CASE WHEN n = 5 THEN 'novel' END) IS NOT NULL AS added
FROM generate_series(1, 5) AS n;
SELECT memory_end_session('session-list', 'l2');
SELECT session_id, agent_id, space, message_count, total, has_more FROM memory_list_sessions('session-list');
SELECT session_id, total, has_more FROM memory_list_sessions('session-list', "limit" => 2);
SELECT session_id, total, has_more FROM memory_list_sessions('session-list', "limit" => 2, "offset" => 3);
SELECT session_id FROM memory_list_sessions('session-list', agent_id => 'luna');
SELECT session_id FROM memory_list_sessions('session-list', agent_id => '');
SELECT session_id FROM memory_list_sessions('session-list', agent_id => 'luna', space => 'novel');
SELECT session_id FROM memory_list_sessions('session-list', include_ended => false);
SELECT count(*) FROM memory_list_sessions('session-list', "limit" => 0);
SELECT count(*) FROM memory_list_sessions('session-list', "offset" => 100);
SELECT count(*) FROM memory_list_sessions('session-list', "limit" => 2147483647, "offset" => 2147483647);
SELECT count(*) FROM memory_list_sessions('nobody');
SELECT * FROM test.expect_error($$SELECT memory_list_sessions(NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_list_sessions('')$$);
SELECT * FROM test.expect_error($$SELECT memory_list_sessions('session-list', "limit" => -1)$$);
SELECT * FROM test.expect_error($$SELECT memory_list_sessions('session-list', "offset" => -1)$$);
SELECT * FROM test.expect_error($$SELECT memory_list_sessions('session-list', "limit" => NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_list_sessions('session-list', "offset" => NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_list_sessions('session-list', include_ended => NULL)$$);

-- Started or last said: whatever is earlier, and whatever is later.
SELECT memory_start_session('session-old', 'imported');
SELECT memory_add_message('session-old', 'imported', 'user', 'first', created_at => '2020-01-01') IS NOT NULL AS added;
SELECT started_at::date, last_activity_at > '2026-01-01' AS active FROM memory_get_session('session-old', 'imported');

-- Sweep: sessions idle for longer than asked, their agent's timeout or the setting's.
SELECT memory_clear(who, true) IS NOT NULL AS cleared
FROM unnest('{session-amy,session-bob,session-odd,session-list,session-old}'::text[]) AS who;
SELECT config FROM memory_set_agent('session-patient', config => '{"session_timeout": 120}');
SELECT config FROM memory_set_agent('session-endless', config => '{"session_timeout": 4294967295}');
SELECT memory_add_message('session-sweep', agent || minutes, 'user', 'hello', agent_id => agent,
                          created_at => now() - minutes * interval '1 minute') IS NOT NULL AS added
FROM unnest('{"",session-patient,session-endless}'::text[]) AS agent, unnest('{20,40,130}'::int[]) AS minutes;
SELECT session_id FROM memory_sweep_sessions() WHERE user_id = 'session-sweep' ORDER BY 1;
SELECT session_id FROM memory_sweep_sessions() WHERE user_id = 'session-sweep';
SELECT session_id, end_reason FROM memory_list_sessions('session-sweep') WHERE ended_at IS NOT NULL ORDER BY 1;
SET memory_ext.session_timeout = '10min';
SELECT session_id FROM memory_sweep_sessions() WHERE user_id = 'session-sweep' ORDER BY 1;
RESET memory_ext.session_timeout;
SELECT count(*) FROM memory_sweep_sessions('178000000 years');
SELECT user_id, session_id, agent_id, space, last_activity_at < ended_at AS idle
FROM memory_sweep_sessions(idle => '1 hour') WHERE user_id = 'session-sweep' ORDER BY 2;
SELECT count(*) FROM memory_sweep_sessions('0') WHERE user_id = 'session-sweep';
SELECT * FROM test.expect_error($$SELECT memory_sweep_sessions('-1 second')$$);
SELECT * FROM test.expect_error($$SELECT memory_sweep_sessions('1 month -40 days')$$);
-- A swept session opens again with the next message.
SELECT memory_add_message('session-sweep', '20', 'user', 'still here') IS NOT NULL AS added;
SELECT session_id FROM memory_list_sessions('session-sweep', include_ended => false);

-- Delete: with its messages, summaries and search entries, and only its own.
SELECT memory_add_turn('session-del', s, 'keep ' || s, 'kept ' || s) IS NOT NULL AS added FROM unnest('{a,b}'::text[]) AS s;
SELECT memory_add_summary('session-del', 'a', 'about a') IS NOT NULL AS added;
SELECT memory_delete_session('session-del', 'a');
SELECT session_id, message_count FROM memory_list_sessions('session-del');
SELECT content FROM memory.messages WHERE user_id = 'session-del' ORDER BY created_at, id;
SELECT count(*) FROM memory.summaries WHERE user_id = 'session-del';
SELECT content FROM memory_search_messages('session-del', 'keep');
SELECT * FROM test.faults('session-del');
SELECT * FROM test.expect_error($$SELECT memory_delete_session('session-del', 'a')$$);
SELECT * FROM test.expect_error($$SELECT memory_delete_session('session-amy', 'b')$$);
SELECT * FROM test.expect_error($$SELECT memory_delete_session(NULL, 'b')$$);
SELECT * FROM test.expect_error($$SELECT memory_delete_session('session-del', NULL)$$);
-- An empty session can be deleted too.
SELECT memory_start_session('session-del', 'empty');
SELECT memory_delete_session('session-del', 'empty');

-- What is rolled back has not happened.
BEGIN;
SELECT memory_add_turn('session-del', 'c', 'never', 'never') IS NOT NULL AS added;
SAVEPOINT before;
SELECT memory_delete_session('session-del', 'b');
ROLLBACK TO before;
SELECT session_id FROM memory_list_sessions('session-del') ORDER BY 1;
ROLLBACK;
SELECT session_id FROM memory_list_sessions('session-del') ORDER BY 1;

-- A read-only transaction reads and does not write.
BEGIN READ ONLY;
SELECT session_id FROM memory_list_sessions('session-del');
SELECT * FROM test.expect_error($$SELECT memory_start_session('session-del', 'd')$$);
SELECT * FROM test.expect_error($$SELECT memory_end_session('session-del', 'b')$$);
SELECT * FROM test.expect_error($$SELECT memory_sweep_sessions()$$);
COMMIT;
