\pset format unaligned
\pset null '∅'
-- Every argument of every function of memories, with NULL, empty, and out of range.
SELECT id AS one FROM memory_create('bad-amy', 'one') \gset
CREATE TEMP TABLE calls (n int GENERATED ALWAYS AS IDENTITY, name text, arguments text);
INSERT INTO calls (name, arguments) SELECT f, replace(a, 'ONE', quote_literal(:'one')) FROM (VALUES
    ('memory_create', ARRAY['NULL, ''x''', ''''', ''x''', 'repeat(''u'', 513), ''x''', '''bad-amy'', NULL', '''bad-amy'', ''''', '''bad-amy'', E'' \n\t''',
        '''bad-amy'', ''x'', kind => NULL', '''bad-amy'', ''x'', kind => ''''', '''bad-amy'', ''x'', kind => ''Episodic''', '''bad-amy'', ''x'', kind => ''message''',
        '''bad-amy'', ''x'', agent_id => repeat(''a'', 513)', '''bad-amy'', ''x'', space => repeat(''s'', 513)', '''bad-amy'', ''x'', session_id => ''''', '''bad-amy'', ''x'', session_id => repeat(''s'', 513)',
        '''bad-amy'', ''x'', topics => ''{a,NULL}''', '''bad-amy'', ''x'', emotion_intensity => NULL', '''bad-amy'', ''x'', emotion_intensity => -0.1', '''bad-amy'', ''x'', emotion_intensity => 1.1', '''bad-amy'', ''x'', emotion_intensity => ''NaN''',
        '''bad-amy'', ''x'', importance => NULL', '''bad-amy'', ''x'', importance => -0.1', '''bad-amy'', ''x'', importance => 10', '''bad-amy'', ''x'', importance => ''NaN''', '''bad-amy'', ''x'', importance => ''-infinity''',
        '''bad-amy'', ''x'', embedding => ''[0,0]''', '''bad-amy'', ''x'', occurred_at => ''infinity''', '''bad-amy'', ''x'', occurred_at => ''-infinity''', '''bad-amy'', ''x'', expires_at => ''infinity''',
        '''bad-amy'', ''x'', pinned => NULL', '''bad-amy'', ''x'', force => NULL', '''bad-amy'', ''x'', source_messages => ''{NULL}''', '''bad-amy'', ''x'', source_messages => ''{00000000-0000-0000-0000-000000000000}''',
        '''bad-amy'', ''x'', metadata => ''[]''', '''bad-amy'', ''x'', metadata => ''1''', '''bad-amy'', ''x'', metadata => ''null''']),
    ('novelty_score', ARRAY['NULL, ''x''', ''''', ''x''', '''bad-amy''', '''bad-amy'', ''x'', importance => NULL', '''bad-amy'', ''x'', importance => 2', '''bad-amy'', embedding => ''[0]''']),
    ('memory_get', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE', '''bad-amy'', ''00000000-0000-0000-0000-000000000000''']),
    ('memory_list', ARRAY['NULL', '''''', '''bad-amy'', kinds => ''{odd}''', '''bad-amy'', kinds => ''{NULL}''', '''bad-amy'', kinds => ''{message}''', '''bad-amy'', include_archived => NULL', '''bad-amy'', "limit" => NULL', '''bad-amy'', "limit" => -1', '''bad-amy'', "offset" => NULL', '''bad-amy'', "offset" => -1']),
    ('memory_load', ARRAY['NULL', '''''', '''bad-amy'', "limit" => NULL', '''bad-amy'', "limit" => -1']),
    ('memory_get_history', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE']),
    ('memory_update', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE', '''bad-amy'', ONE, content => ''''', '''bad-amy'', ONE, content => ''  ''', '''bad-amy'', ONE, importance => 1.5', '''bad-amy'', ONE, kind => ''odd''', '''bad-amy'', ONE, topics => ''{NULL}''',
        '''bad-amy'', ONE, emotion_intensity => -1', '''bad-amy'', ONE, embedding => ''[0]''', '''bad-amy'', ONE, occurred_at => ''infinity''', '''bad-amy'', ONE, expires_at => ''-infinity''', '''bad-amy'', ONE, metadata => ''[]''']),
    ('memory_pin', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE', '''bad-amy'', ONE, NULL']),
    ('memory_delete', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE']),
    ('memory_archive', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE', '''bad-amy'', ONE, NULL']),
    ('memory_restore', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE']),
    ('memory_archive_excess', ARRAY['NULL', '''''', '''bad-amy'', repeat(''a'', 513)', '''bad-amy'', max_active => -1']),
    ('memory_set_plan', ARRAY['NULL, ''free''', ''''', ''free''', '''bad-amy'', ''''', '''bad-amy'', ''gold''']),
    ('memory_recall', ARRAY['NULL', '''''', '''bad-amy'', embedding => ''[0]''', '''bad-amy'', k => NULL', '''bad-amy'', k => -1', '''bad-amy'', k => 10001', '''bad-amy'', agent_ids => ''{NULL}''', '''bad-amy'', spaces => ''{NULL}''', '''bad-amy'', kinds => ''{NULL}''', '''bad-amy'', kinds => ''{odd}''',
        '''bad-amy'', topics => ''{NULL}''', '''bad-amy'', metadata => ''[]''', '''bad-amy'', profile => NULL', '''bad-amy'', profile => ''''', '''bad-amy'', profile => ''odd''', '''bad-amy'', include_archived => NULL', '''bad-amy'', explain => NULL']),
    ('memory_mark_used', ARRAY['NULL, ''{}''', ''''', ''{}''', '''bad-amy'', NULL', '''bad-amy'', ''{NULL}''']),
    ('memory_decay', ARRAY['NULL', '''''', '''bad-amy'', steps => NULL', '''bad-amy'', steps => 0', '''bad-amy'', steps => -1']),
    ('memory_consolidate', ARRAY['NULL', '''''', '''bad-amy'', dry_run => NULL']),
    ('memory_unconsolidate', ARRAY['NULL, ONE', ''''', ONE', '''bad-amy'', NULL', '''bad-bob'', ONE', '''bad-amy'', ONE']),
    ('memory_promote', ARRAY['NULL', '''''']),
    ('memory_prune', ARRAY['NULL', '''''', '''bad-amy'', max_memories => -1', '''bad-amy'', keep => ''-1 day''']),
    ('memory_maintain', ARRAY['''''', '''bad-amy'', max_scopes => NULL', '''bad-amy'', max_scopes => -1']),
    ('memory_reembed', ARRAY['NULL', '''''', '''bad-amy'', batch => NULL', '''bad-amy'', batch => -1'])) AS v (f, list), unnest(list) WITH ORDINALITY AS a (a, n);
SELECT name, replace(arguments, :'one', 'ONE') AS arguments, code, replace(message, :'one', 'ONE') AS message, hint FROM calls, test.expect_error(format('SELECT %s(%s)', name, arguments)) ORDER BY n;
-- None of it left a trace.
SELECT content, mention_count, strength, pinned, archived_at FROM memory.memories WHERE user_id = 'bad-amy';
SELECT count(*) FROM memory.stored_history WHERE user_id = 'bad-amy';
SELECT * FROM test.memory_faults('bad-amy');
-- Odd but right.
SELECT verdict FROM memory_create('bad-odd', 'x', agent_id => '', space => '', interpretation => '', topics => '{}', emotion => '', metadata => '{}', source_messages => '{}', importance => 0, emotion_intensity => 1);
SELECT verdict FROM memory_create('bad-odd', 'y', topics => '{"",""}', occurred_at => '4713-01-01 00:00:00+00 BC', expires_at => '294276-12-31 00:00:00+00', importance => 1);
SELECT verdict FROM memory_create(repeat('u', 512), 'x', agent_id => repeat('a', 512), space => repeat('s', 512), session_id => repeat('t', 512));
SELECT count(*) FROM memory_list(repeat('u', 512));
SELECT content FROM memory_recall('bad-odd', '', k => 10000);
SELECT count(*) FROM memory_recall('bad-odd', repeat('word ', 100000));
SELECT count(*) FROM memory_recall('bad-odd', 'x', since => '-infinity', until => 'infinity');
SELECT memory_decay('bad-odd', steps => 2147483647);
SELECT memory_decay('bad-odd', steps => 2147483647);
SELECT content, round(strength::numeric, 6) AS strength FROM memory.memories WHERE user_id = 'bad-odd' ORDER BY content;
SELECT cardinality(archived) AS archived FROM memory_prune('bad-odd', max_memories => 2147483647, keep => '0');
SELECT * FROM memory_clear(repeat('u', 512), true);
SELECT u, f FROM unnest('{bad-odd}'::text[]) AS u, test.memory_faults(u) AS f;
