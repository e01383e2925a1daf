\pset format unaligned
\pset null '∅'
-- Encryption, in a database of its own: once something is encrypted there, nothing is written plain any more.
SELECT current_database() AS home \gset
CREATE DATABASE regress_encryption ENCODING 'UTF8' TEMPLATE template0;
\c regress_encryption
-- Whatever the server's own setting is.
SET memory_ext.master_key_file = '';
SET client_min_messages = warning;
CREATE EXTENSION memory_ext CASCADE;
CREATE SCHEMA test;
CREATE FUNCTION test.expect_error(statement text, OUT code text, OUT message text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    message := 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code := RETURNED_SQLSTATE, message := MESSAGE_TEXT, hint := PG_EXCEPTION_HINT;
END $$;
GRANT USAGE ON SCHEMA test TO PUBLIC;
-- Keys for tests are made of known words, so that their fingerprints stay the same.
COPY (SELECT encode(sha256('one'), 'hex')) TO PROGRAM 'umask 077; cat > regress_one.key';
COPY (SELECT encode(sha256('two'), 'base64')) TO PROGRAM 'umask 077; cat > regress_two.key';
COPY (SELECT encode(sha256('one'), 'hex')) TO PROGRAM 'umask 022; cat > regress_open.key';
COPY (SELECT 'correct horse battery staple') TO PROGRAM 'umask 077; cat > regress_typed.key';

-- How the texts of a user are stored: with which key, or plain.
CREATE FUNCTION test.form(stored text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN starts_with(stored, chr(1)) THEN 'key ' || substr(stored, 3, strpos(stored, ':') - 3) ELSE 'plain' END $$;
CREATE FUNCTION test.forms(whose text) RETURNS TABLE (place text, form text, texts bigint) LANGUAGE sql AS $$
    SELECT place, test.form(stored), count(*) FROM (
        SELECT 'messages', content FROM memory.stored_messages WHERE user_id = whose
        UNION ALL SELECT 'summaries', content FROM memory.stored_summaries WHERE user_id = whose
        UNION ALL SELECT 'memories', content FROM memory.stored_memories WHERE user_id = whose
        UNION ALL SELECT 'interpretations', interpretation FROM memory.stored_memories WHERE user_id = whose
        UNION ALL SELECT 'history', before #>> '{}' FROM memory.stored_history WHERE user_id = whose
        UNION ALL SELECT 'facts', value FROM memory.stored_facts WHERE user_id = whose
        UNION ALL SELECT 'raw facts', raw FROM memory.stored_facts WHERE user_id = whose
        UNION ALL SELECT 'notes', director_note FROM memory.stored_relationships WHERE user_id = whose
        UNION ALL SELECT 'reasons', reason FROM memory.stored_relationship_changes WHERE user_id = whose
        UNION ALL SELECT 'scenes', unnest(ARRAY[place, scene_time, tone] || participants) FROM memory.stored_scenes WHERE user_id = whose
    ) AS x (place, stored) WHERE stored IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2 $$;
-- What people see of a user, in one hash: it must not change, however it is stored.
CREATE FUNCTION test.seen(whose text) RETURNS text LANGUAGE sql AS $$
    SELECT md5(string_agg(row_text, '|' ORDER BY row_text)) FROM (
        SELECT m::text FROM memory.messages m WHERE user_id = whose
        UNION ALL SELECT m::text FROM memory.summaries m WHERE user_id = whose
        UNION ALL SELECT m::text FROM memory.memories m WHERE user_id = whose
        UNION ALL SELECT m::text FROM memory.memory_history m WHERE user_id = whose
        UNION ALL SELECT m::text FROM memory.facts m WHERE user_id = whose
        UNION ALL SELECT m::text FROM memory.relationships m WHERE user_id = whose
        UNION ALL SELECT m::text FROM memory.relationship_changes m WHERE user_id = whose
        UNION ALL SELECT m::text FROM memory.scenes m WHERE user_id = whose) AS x (row_text) $$;
-- Something of everything.
CREATE FUNCTION test.fill(whose text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    told uuid;
BEGIN
    PERFORM memory_add_turn(whose, 's', '제 이름은 민아예요. 우산을 잃어버렸어요', 'I hope you find your umbrella, Mina');
    PERFORM memory_add_message(whose, 's', 'assistant', '');
    PERFORM memory_add_summary(whose, 's', 'Mina lost her umbrella');
    SELECT id INTO told FROM memory_create(whose, 'Mina lost her umbrella in Busan', interpretation => 'she was sad', importance => 0.5);
    PERFORM memory_update(whose, told, content => 'Mina lost her red umbrella in Busan', metadata => '{"exact": 12345678901234567890.10}');
    PERFORM memory_create(whose, 'old news', force => true);
    PERFORM memory_set_fact(whose, 'favourite place', 'the garden behind the house');
    PERFORM memory_apply_relationship(whose, deltas => '{"trust": 5}', director_note => 'be gentle', reason => 'she told a secret');
    PERFORM memory_add_scene(whose, place => 'a café', scene_time => 'evening', participants => '{Mina,Jun}', tone => 'warm');
END $$;

-- Only superusers see and set where the keys are; a key is never a setting.
CREATE ROLE regress_writer;
GRANT memory_writer TO regress_writer;
SET ROLE regress_writer;
SELECT * FROM test.expect_error($$SET memory_ext.master_key_file = 'regress_one.key'$$);
SELECT code FROM test.expect_error($$SHOW memory_ext.master_key_file$$);
RESET ROLE;

-- Without a key everything is plain, and there is nothing to encrypt.
SELECT test.fill('amy');
SELECT * FROM test.forms('amy');
SELECT * FROM test.expect_error($$SELECT memory_encrypt()$$);
SELECT * FROM test.expect_error($$SELECT memory_rotate_master_key()$$);
SELECT * FROM test.expect_error($$SELECT memory_rotate_user_key('amy')$$);
TABLE memory.encryption;
SELECT count(*) FROM memory.user_keys;
-- A plain text that looks like a sealed one is what it is.
SELECT memory_add_message('odd', 's', 'user', text) IS NOT NULL AS added FROM unnest(ARRAY[chr(1), chr(1) || 'A1:AAAA', chr(1) || '=x', 'x' || chr(1)]) AS text;
SELECT translate(content, chr(1), '^') AS content FROM memory.messages WHERE user_id = 'odd' ORDER BY id;
SELECT translate(content, chr(1), '^') AS content FROM memory_get_recent('odd', 's');
SELECT translate(content, chr(1), '^') AS content FROM memory.stored_messages WHERE user_id = 'odd' ORDER BY id;

-- A key that cannot be used stops all writing; nothing is written.
SET memory_ext.master_key_file = 'regress_no.key';
SELECT * FROM test.expect_error($$SELECT memory_add_message('amy', 's', 'user', 'x')$$);
SET memory_ext.master_key_file = 'regress_open.key';
SELECT * FROM test.expect_error($$SELECT memory_add_message('amy', 's', 'user', 'x')$$);
SET memory_ext.master_key_file = 'regress_typed.key';
SELECT * FROM test.expect_error($$SELECT memory_add_message('amy', 's', 'user', 'x')$$);
SET memory_ext.master_key_file = '.';
SELECT * FROM test.expect_error($$SELECT memory_add_message('amy', 's', 'user', 'x')$$);
SET memory_ext.master_key_file = '';
SET memory_ext.master_key_env = 'REGRESS_NO_SUCH_KEY';
SELECT * FROM test.expect_error($$SELECT memory_add_message('amy', 's', 'user', 'x')$$);
RESET memory_ext.master_key_env;
SELECT count(*) FROM memory.messages WHERE user_id = 'amy';

-- With a key new users are encrypted as a whole, whoever writes first.
SET memory_ext.master_key_file = 'regress_one.key';
SET ROLE regress_writer;
SET memory_ext.user_id = 'bob';
SELECT test.fill('bob');
SELECT * FROM test.forms('bob');
SELECT content FROM memory.messages;
SELECT content, interpretation FROM memory.memories ORDER BY id;
SELECT action, before -> 'content' AS content, before -> 'metadata' AS metadata FROM memory.memory_history;
SELECT key, value, raw FROM memory.facts ORDER BY key;
SELECT director_note FROM memory.relationships;
SELECT reason FROM memory.relationship_changes;
SELECT place, scene_time, participants, tone FROM memory.scenes;
SELECT content FROM memory.summaries;
SELECT user_id, key_id, length(wrapped), master_id, keyed, sealed_at IS NOT NULL AS sealed FROM memory.user_keys;
SELECT code FROM test.expect_error($$SELECT memory_add_message('amy', 's', 'user', 'x')$$);
SELECT code FROM test.expect_error($$UPDATE memory.user_keys SET keyed = false$$);
SELECT code FROM test.expect_error($$DELETE FROM memory.user_keys$$);
SELECT code FROM test.expect_error($$DELETE FROM memory.encryption$$);
SELECT code FROM test.expect_error($$SELECT memory_encrypt()$$);
SELECT code FROM test.expect_error($$SELECT memory_rotate_user_key('bob')$$);
SELECT code FROM test.expect_error($$SELECT memory_rotate_master_key()$$);
RESET memory_ext.user_id;
RESET ROLE;
SELECT master_id FROM memory.encryption;
-- The functions see the same.
SELECT content FROM memory_get_recent('bob', 's');
SELECT content FROM memory_search_messages('bob', '우산');
SELECT content FROM memory_recall('bob', 'umbrella') WHERE content ~ 'umbrella';
SELECT key, value FROM memory_get_facts('bob') ORDER BY key;
SELECT director_note FROM memory_get_relationship('bob');
SELECT verdict FROM memory_create('bob', 'OLD  news');
SELECT outcome FROM memory_set_fact('bob', 'favourite place', 'the garden behind the house');
SELECT action, before ->> 'content' AS content FROM memory.memories m, memory_get_history('bob', m.id) WHERE m.user_id = 'bob' AND m.content ~ 'red';
SELECT build_context_json('bob', 's', '우산') ::text ~ '우산을 잃어버렸어요' AS in_context;
-- Words have other hashes than those that anybody can compute.
SELECT a.terms && b.terms AS same FROM memory.stored_messages a, memory.stored_messages b WHERE a.user_id = 'amy' AND b.user_id = 'bob' AND a.role = 'user' AND b.role = 'user';
-- Every text has a nonce of its own, and the same text another form each time.
SELECT count(memory_add_message('bob', 'nonce', 'assistant', 'the same')) FROM generate_series(1, 500);
SELECT count(DISTINCT content), count(DISTINCT substr(content, 5, 16)) FROM memory.stored_messages WHERE session_id = 'nonce';

-- What was plain stays readable beside it and is encrypted in batches.
SELECT test.seen('amy') AS amy \gset
SELECT memory_add_message('amy', 's', 'user', '우산을 찾았어요') IS NOT NULL AS added;
SELECT * FROM test.forms('amy') WHERE place = 'messages';
SELECT content FROM memory_search_messages('amy', '우산') ORDER BY 1;
SELECT memory_delete_message('amy', id) FROM memory.messages WHERE user_id = 'amy' AND content = '우산을 찾았어요';
SELECT user_id, key_id, key_count, sealed_at IS NOT NULL AS sealed FROM memory.encryption_progress ORDER BY 1;
SELECT * FROM memory_encrypt(batch => 0);
SELECT * FROM memory_encrypt('amy', 5);
SELECT * FROM memory_encrypt('amy', 5);
SELECT test.seen('amy') = :'amy' AS same;
SELECT * FROM memory_encrypt();
SELECT * FROM memory_encrypt();
SELECT * FROM test.forms('amy');
SELECT test.seen('amy') = :'amy' AS same;
SELECT user_id, key_id, key_count, sealed_at IS NOT NULL AS sealed FROM memory.encryption_progress ORDER BY 1;
SELECT content FROM memory_search_messages('amy', '우산');
SELECT verdict FROM memory_create('amy', 'old news');
SELECT outcome FROM memory_set_fact('amy', 'favourite place', 'the garden behind the house');
SELECT translate(content, chr(1), '^') AS content FROM memory.messages WHERE user_id = 'odd' ORDER BY id;

-- A sealed text opens in its own row only.
UPDATE memory.stored_messages SET content = (SELECT content FROM memory.stored_messages WHERE session_id = 'nonce' LIMIT 1)
WHERE user_id = 'amy' AND role = 'user';
SELECT code, regexp_replace(message, '[0-9a-f-]{36}', 'ID') AS message FROM test.expect_error($$SELECT content FROM memory.messages WHERE user_id = 'amy'$$);
SELECT code FROM test.expect_error($$SELECT content FROM memory_get_recent('amy', 's')$$);
UPDATE memory.stored_messages SET content = chr(1) || 'A7:AAAA' WHERE user_id = 'amy' AND role = 'user';
SELECT code, message FROM test.expect_error($$SELECT content FROM memory.messages WHERE user_id = 'amy'$$);
UPDATE memory.stored_messages SET content = chr(1) || 'Z' WHERE user_id = 'amy' AND role = 'user';
SELECT code, regexp_replace(message, '[0-9a-f-]{36}', 'ID') AS message FROM test.expect_error($$SELECT content FROM memory.messages WHERE user_id = 'amy'$$);
DELETE FROM memory.stored_messages WHERE user_id = 'amy' AND role = 'user';

-- A new key for a user: old and new side by side, then the old one goes. Words keep their hashes.
SELECT test.seen('bob') AS bob \gset
SELECT terms AS terms FROM memory.stored_messages WHERE user_id = 'bob' ORDER BY id LIMIT 1 \gset
SELECT memory_rotate_user_key('bob');
SELECT memory_add_message('bob', 'nonce', 'assistant', 'the same') IS NOT NULL AS added;
SELECT * FROM test.forms('bob') WHERE place = 'messages';
SELECT memory_delete_message('bob', (SELECT id FROM memory.messages WHERE user_id = 'bob' ORDER BY id DESC LIMIT 1));
SELECT test.seen('bob') = :'bob' AS same;
SELECT * FROM memory_encrypt('bob', 100);
SELECT user_id, key_id, key_count, sealed_at IS NOT NULL AS sealed FROM memory.encryption_progress WHERE user_id = 'bob';
SELECT * FROM memory_encrypt('bob', 10000);
SELECT * FROM test.forms('bob');
SELECT test.seen('bob') = :'bob' AS same;
SELECT terms = :'terms' AS same_words FROM memory.stored_messages WHERE user_id = 'bob' ORDER BY id LIMIT 1;
SELECT user_id, key_id, key_count, sealed_at IS NOT NULL AS sealed FROM memory.encryption_progress WHERE user_id = 'bob';
SELECT * FROM test.expect_error($$SELECT memory_rotate_user_key('nobody')$$);

-- A key made in a transaction that fails was never there.
BEGIN;
SELECT memory_add_message('eve', 's', 'user', 'never said') IS NOT NULL AS added;
ROLLBACK;
SELECT count(*) FROM memory.user_keys WHERE user_id = 'eve';
BEGIN;
SAVEPOINT before;
SELECT memory_add_message('eve', 's', 'user', 'never said') IS NOT NULL AS added;
ROLLBACK TO before;
SELECT memory_add_message('eve', 's', 'user', 'said') IS NOT NULL AS added;
COMMIT;
\c
SET memory_ext.master_key_file = 'regress_one.key';
SELECT content FROM memory.messages WHERE user_id = 'eve';

-- Without the key: no reading, no writing, no plain text.
\c
SET memory_ext.master_key_file = '';
SELECT * FROM test.expect_error($$SELECT content FROM memory.messages WHERE user_id = 'bob'$$);
SELECT code FROM test.expect_error($$SELECT memory_search_messages('bob', 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_add_message('bob', 's', 'user', 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_add_message('new', 's', 'user', 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_create('new', 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_set_fact('new', 'x', 'y')$$);
SELECT code FROM test.expect_error($$SELECT memory_apply_relationship('new', reason => 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_add_scene('new', place => 'x')$$);
SELECT code FROM test.expect_error($$SELECT memory_add_summary('bob', 's', 'x')$$);
-- What needs no text still works.
SELECT count(*) FROM memory.messages WHERE user_id = 'bob';
SELECT count(*) FROM memory_list_sessions('bob');
SELECT memory_end_session('bob', 'nonce');
-- With another key: the same.
SET memory_ext.master_key_file = 'regress_two.key';
SELECT * FROM test.expect_error($$SELECT content FROM memory.messages WHERE user_id = 'bob'$$);
SELECT * FROM test.expect_error($$SELECT memory_add_message('new', 's', 'user', 'x')$$);
SELECT * FROM test.expect_error($$SELECT memory_rotate_master_key()$$);
SELECT count(*) FROM memory.sessions WHERE user_id = 'new';

-- A new master key: the old one beside it until all keys are under the new one.
SET memory_ext.old_master_key_file = 'regress_one.key';
SELECT memory_add_message('new', 's', 'user', 'with the old one') IS NOT NULL AS added;
SELECT master_id, count(*) FROM memory.user_keys GROUP BY 1;
SELECT * FROM memory_rotate_master_key(1);
SELECT memory_add_message('newer', 's', 'user', 'with the new one') IS NOT NULL AS added;
SELECT * FROM memory_rotate_master_key();
SELECT * FROM memory_rotate_master_key();
SET memory_ext.old_master_key_file = '';
SELECT DISTINCT e.master_id = k.master_id AS same FROM memory.encryption e, memory.user_keys k;
SELECT test.seen('bob') = :'bob' AS same;
SELECT content FROM memory.messages WHERE user_id ~ '^new' ORDER BY id;

-- No function, view or error shows a key or where it is.
SELECT count(*) FROM memory.user_keys WHERE encode(wrapped, 'hex') ~ encode(sha256('two'), 'hex');
SET memory_ext.master_key_file = '';
COPY (SELECT WHERE false) TO PROGRAM 'rm -f regress_one.key regress_two.key regress_open.key regress_typed.key';
\c :home
DROP DATABASE regress_encryption WITH (FORCE);
DROP ROLE regress_writer;
