\pset format unaligned
\pset null '∅'
-- KNOCK 6.1: talk, the talk becomes a memory, the next day's context tells of it.
SELECT count(*) FROM generate_series(1, 10) n, memory_add_turn('memory-knock', 'day1', 'question ' || n, 'answer ' || n, agent_id => 'luna');
SELECT memory_add_message('memory-knock', 'day1', 'user', '내일 IT 스타트업 면접이 있어', agent_id => 'luna') IS NOT NULL AS said;
SELECT message_count >= 20 AS enough FROM memory_get_session('memory-knock', 'day1');
SELECT memory_end_session('memory-knock', 'day1');
SELECT verdict, importance, cardinality(archived) AS archived FROM memory_create('memory-knock', '사용자가 IT 스타트업 면접을 앞두고 있음',
    session_id => 'day1', topics => '{면접,취업}', emotion => 'stress', emotion_intensity => 0.6, importance => 0.7,
    source_messages => ARRAY(SELECT id FROM memory_get_recent('memory-knock', 'day1', 1)));
SELECT agent_id, session_id, kind, content, topics, emotion, importance, strength, mention_count, source, archived_at,
       cardinality(source_messages) AS from_messages, split_part(model, '-', 1) AS model FROM memory.memories WHERE user_id = 'memory-knock';
SELECT m ->> 'content' AS memory FROM jsonb_array_elements(build_context_json('memory-knock', 'day2', '면접 어땠는지 물어봐 줘', agent_id => 'luna') -> 'memories') AS m
WHERE m ->> 'source' = 'memory';
SELECT content FROM memory_load('memory-knock', 'luna');

-- Create with everything, and read it back.
SELECT id AS one FROM memory_create(user_id => 'memory-amy', content => 'Amy saw a film', kind => 'emotional', agent_id => 'luna', space => 'work',
    interpretation => 'she was moved', topics => '{film,leisure}', emotion => 'joy', emotion_intensity => 0.5, importance => 0.4,
    occurred_at => '2026-03-01 09:00+09', expires_at => '2999-01-01', pinned => true, metadata => '{"n": 1.10}', force => true) \gset
SELECT agent_id, space, session_id, kind, content, interpretation, topics, emotion, emotion_intensity, importance, strength, mention_count, pinned,
       source, source_messages, split_part(model, '-', 1) AS model, metadata, occurred_at = '2026-03-01 09:00+09' AS occurred, created_at = updated_at AS fresh, recalled_at,
       expires_at = '2999-01-01' AS expires, archived_at FROM memory_get('memory-amy', :'one');
-- The texts of a memory come back as they went in.
SELECT verdict FROM memory_create('memory-texts', E'  it''s\t"odd" \\ 👩‍👩‍👧‍👦 \n ', force => true);
SELECT content = E'  it''s\t"odd" \\ 👩‍👩‍👧‍👦 \n ' AS to_the_letter FROM memory_list('memory-texts');
SELECT verdict, similarity FROM memory_create('memory-texts', '!!!');
SELECT verdict, similarity FROM memory_create('memory-texts', '!!!');
SELECT verdict FROM memory_create('memory-texts', repeat('가나다 abc ', 100000), force => true);
SELECT count(*) FROM memory_recall('memory-texts', 'abc');

-- List: newest first, with total and whether there is more.
SELECT verdict, importance FROM unnest('{a,b,c}'::text[]) AS t, memory_create('memory-list', 'memory ' || t, agent_id => t, force => true) ORDER BY t;
SELECT verdict FROM memory_create('memory-list', 'old', agent_id => 'a', space => 's', kind => 'semantic', force => true);
SELECT verdict FROM memory_create('memory-list', 'expired', agent_id => 'a', expires_at => '2020-01-01', force => true);
SELECT memory_archive('memory-list', test.memory('memory-list', 'old')) IS NOT NULL AS archived;
SELECT content, agent_id, archived_at IS NOT NULL AS archived, total, has_more FROM memory_list('memory-list');
SELECT content, agent_id, archived_at IS NOT NULL AS archived, total, has_more FROM memory_list('memory-list', include_archived => true, "limit" => 2);
SELECT content, total, has_more FROM memory_list('memory-list', include_archived => true, "limit" => 2, "offset" => 4);
SELECT content, total, has_more FROM memory_list('memory-list', agent_id => 'a', include_archived => true);
SELECT content FROM memory_list('memory-list', agent_id => 'a', space => 's', include_archived => true);
SELECT content FROM memory_list('memory-list', kinds => '{semantic,summary}', include_archived => true);
SELECT count(*) FROM memory_list('memory-list', kinds => '{}');
SELECT count(*) FROM memory_list('memory-list', "limit" => 0);
SELECT count(*) FROM memory_list('memory-nobody');

-- Update: what is NULL stays; the words and the vector follow; history keeps what was.
SELECT content, kind, importance, topics, interpretation, emotion, strength, metadata FROM memory_update('memory-amy', :'one', content => 'Amy saw Oppenheimer', importance => 0.9);
SELECT content, kind, importance, topics, interpretation, emotion, emotion_intensity, metadata, expires_at = '2999-01-01' AS expires
FROM memory_update('memory-amy', :'one', kind => 'semantic', interpretation => 'she likes history', topics => '{}', emotion => 'calm', emotion_intensity => 0,
    metadata => '{}', occurred_at => '2026-03-02', expires_at => NULL);
SELECT content, keyword FROM memory_recall('memory-amy', 'Oppenheimer') WHERE keyword > 0;
SELECT count(*) FROM memory_recall('memory-amy', 'film') WHERE keyword > 0;
SELECT content, keyword FROM memory_recall('memory-amy', 'history') WHERE keyword > 0;
SELECT action, before - '{occurred_at,expires_at}'::text[] AS before, changed_by = current_user AS by_me FROM memory_get_history('memory-amy', :'one');
SELECT action, changed_at <= clock_timestamp() AS past FROM memory.memory_history WHERE user_id = 'memory-amy' ORDER BY id;
-- An update that changes nothing still holds the strength as of now.
SELECT content FROM memory_update('memory-amy', :'one');

-- Pin and unpin.
SELECT memory_pin('memory-amy', :'one');
SELECT memory_pin('memory-amy', :'one', false);
SELECT memory_pin('memory-amy', :'one', false);
SELECT pinned FROM memory_get('memory-amy', :'one');

-- Archive, restore: the row changes sides and nothing else.
CREATE TEMP TABLE before_archive AS SELECT * FROM memory.memories WHERE user_id = 'memory-amy';
SELECT memory_archive('memory-amy', :'one', 'no longer true') AS at \gset
SELECT archived_at = :'at' AS archived, archive_reason FROM memory.memories WHERE user_id = 'memory-amy';
SELECT * FROM test.expect_error(format($$SELECT memory_archive('memory-amy', %L, 'pruned')$$, :'one'));
SELECT memory_archive('memory-amy', :'one', 'again') = archived_at AS same_time FROM memory.memories WHERE user_id = 'memory-amy';
SELECT archive_reason FROM memory.memories WHERE user_id = 'memory-amy';
SELECT count(*) FROM memory_recall('memory-amy', 'Oppenheimer');
SELECT count(*) FROM memory_list('memory-amy');
SELECT content FROM memory_get('memory-amy', :'one');
-- An archived memory can be changed.
SELECT content FROM memory_update('memory-amy', :'one', importance => 0.8);
SELECT memory_restore('memory-amy', :'one');
SELECT memory_restore('memory-amy', :'one');
SELECT (SELECT to_jsonb(b) FROM before_archive b) - '{importance,updated_at}'::text[] = to_jsonb(m) - '{importance,updated_at}'::text[] AS as_before FROM memory.memories m WHERE user_id = 'memory-amy';
SELECT action FROM memory_get_history('memory-amy', :'one');

-- A text told again while it is archived is stored anew; the restored one does not come in its way.
SELECT memory_archive('memory-amy', :'one') IS NOT NULL AS archived;
SELECT verdict FROM memory_create('memory-amy', 'Amy saw Oppenheimer', agent_id => 'luna', space => 'work');
SELECT memory_restore('memory-amy', :'one');
SELECT count(*) FROM memory_list('memory-amy');
SELECT verdict FROM memory_create('memory-amy', 'Amy saw Oppenheimer', agent_id => 'luna', space => 'work');
SELECT memory_archive('memory-amy', test.memory('memory-amy', 'Amy saw Oppenheimer')) IS NOT NULL AS archived;
SELECT memory_restore('memory-amy', test.memory('memory-amy', 'Amy saw Oppenheimer'));

-- An expired memory is not shown, not reinforced; told again it is stored again.
SELECT verdict FROM memory_create('memory-expired', 'on holiday', expires_at => clock_timestamp() + '1 day', importance => 0.5);
SELECT content FROM memory_list('memory-expired');
SELECT content FROM memory_update('memory-expired', test.memory('memory-expired', 'on holiday'), expires_at => '2020-01-01');
SELECT count(*) FROM memory_list('memory-expired');
SELECT count(*) FROM memory_load('memory-expired');
SELECT count(*) FROM memory_recall('memory-expired', 'holiday');
SELECT verdict, nearest_id FROM novelty_score('memory-expired', 'on holiday');
SELECT verdict, cardinality(archived) AS archived FROM memory_create('memory-expired', 'on holiday');
SELECT content, mention_count, expires_at IS NULL AS lasts, archive_reason FROM memory.memories WHERE user_id = 'memory-expired' ORDER BY id;

-- Delete: the memory with its entry and history.
SELECT memory_delete('memory-amy', :'one');
SELECT count(*) FROM memory.memory_history WHERE user_id = 'memory-amy' AND memory_id = :'one';
SELECT code, hint FROM test.expect_error(format($$SELECT memory_get('memory-amy', %L)$$, :'one'));
SELECT code FROM test.expect_error(format($$SELECT memory_delete('memory-amy', %L)$$, :'one'));

-- Another user's id is not found, whatever is asked.
SELECT id AS bobs FROM memory_create('memory-bob', 'secret') \gset
SELECT f, code, replace(message, :'bobs', 'ID') AS message, hint FROM unnest('{memory_get,memory_delete,memory_archive,memory_restore,memory_pin,memory_get_history,memory_unconsolidate,memory_update}'::text[]) AS f,
    test.expect_error(format('SELECT %I(%L, %L::uuid)', f, 'memory-amy', :'bobs'));
SELECT memory_mark_used('memory-amy', ARRAY[:'bobs']::uuid[]);
SELECT code, hint FROM test.expect_error(format($$SELECT memory_create('memory-amy', 'x', source_messages => ARRAY[%L]::uuid[])$$, (SELECT id FROM memory.messages WHERE user_id = 'memory-knock' LIMIT 1)));
SELECT content, mention_count, archived_at FROM memory_get('memory-bob', :'bobs');

-- A session's memory has the session's agent and space unless others are given.
SELECT memory_start_session('memory-session', 's', 'luna', 'novel');
SELECT verdict FROM memory_create('memory-session', 'one', session_id => 's');
SELECT verdict FROM memory_create('memory-session', 'two', session_id => 's', space => '');
SELECT verdict FROM memory_create('memory-session', 'three', session_id => 'unknown');
SELECT content, agent_id, space, session_id FROM memory.memories WHERE user_id = 'memory-session' ORDER BY id;

-- Clear takes all of it, and the user starts anew.
SELECT memory_clear('memory-list', true);
SELECT count(*) FROM memory.search_entries WHERE user_id = 'memory-list' UNION ALL SELECT count(*) FROM memory.scopes WHERE user_id = 'memory-list'
UNION ALL SELECT count(*) FROM memory.stored_history WHERE user_id = 'memory-list';
SELECT u, f FROM unnest('{memory-knock,memory-amy,memory-texts,memory-list,memory-expired,memory-bob,memory-session}'::text[]) AS u, test.memory_faults(u) AS f;

-- In a read-only transaction reading works and writing is refused.
BEGIN READ ONLY;
SELECT count(*) FROM memory_recall('memory-amy', 'film');
SELECT verdict FROM novelty_score('memory-amy', 'film');
SELECT count(*) FROM memory_load('memory-amy', 'luna');
SELECT code FROM test.expect_error($$SELECT memory_create('memory-amy', 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_decay('memory-amy')$$);
ROLLBACK;
-- A savepoint takes back what it took.
BEGIN;
SELECT verdict FROM memory_create('memory-savepoint', 'kept');
SAVEPOINT a;
SELECT verdict FROM memory_create('memory-savepoint', 'something else entirely');
ROLLBACK TO a;
SELECT content FROM memory_list('memory-savepoint');
COMMIT;
SELECT content FROM memory_list('memory-savepoint');
