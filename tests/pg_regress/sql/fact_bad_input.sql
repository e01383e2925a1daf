\pset format unaligned
\pset null '∅'
-- Every argument of every function of facts and relationships, with NULL, empty, and out of range.
CREATE TEMP TABLE calls (n int GENERATED ALWAYS AS IDENTITY, name text, arguments text);
INSERT INTO calls (name, arguments) SELECT f, a FROM (VALUES
    ('fact_extract', ARRAY['''x'', ''fr''', '''x'', role => NULL', '''x'', role => ''tool''', '''x'', role => ''''']),
    ('memory_set_fact', ARRAY['NULL, ''k'', ''v''', ''''', ''k'', ''v''', 'repeat(''u'', 513), ''k'', ''v''', '''badf'', NULL, ''v''', '''badf'', '''', ''v''', '''badf'', '' '', ''v''', '''badf'', repeat(''k'', 513), ''v''',
        '''badf'', ''k'', NULL', '''badf'', ''k'', ''''', '''badf'', ''k'', '' ''', '''badf'', ''k'', ''v'', agent_id => repeat(''a'', 513)', '''badf'', ''k'', ''v'', space => repeat(''s'', 513)',
        '''badf'', ''k'', ''v'', category => ''''', '''badf'', ''k'', ''v'', category => ''goal''', '''badf'', ''k'', ''v'', class => ''Identity''', '''badf'', ''k'', ''v'', class => ''''',
        '''badf'', ''k'', ''v'', importance => -0.1', '''badf'', ''k'', ''v'', importance => ''NaN''', '''badf'', ''k'', ''v'', confidence => NULL', '''badf'', ''k'', ''v'', confidence => 1.1',
        '''badf'', ''k'', ''v'', valid_from => ''infinity''', '''badf'', ''k'', ''v'', valid_from => ''-infinity''', '''badf'', ''k'', ''v'', session_id => repeat(''s'', 513)', '''badf'', ''k'', ''v'', metadata => ''[]''', '''badf'', ''k'', ''v'', metadata => ''null''']),
    ('memory_learn_facts', ARRAY['NULL, ''x''', ''''', ''x''', '''badf'', NULL', '''badf'', ''x'', agent_id => repeat(''a'', 513)', '''badf'', ''x'', space => repeat(''s'', 513)', '''badf'', ''x'', session_id => repeat(''s'', 513)',
        '''badf'', ''x'', language => ''fr''', '''badf'', ''x'', role => NULL', '''badf'', ''x'', role => ''system''', '''badf'', ''x'', valid_from => ''infinity''']),
    ('memory_retract_fact', ARRAY['NULL, ''k''', ''''', ''k''', '''badf'', NULL', '''badf'', ''''', '''badf'', repeat(''k'', 513)', '''badf'', ''k'', agent_id => repeat(''a'', 513)', '''badf'', ''k'', valid_to => ''infinity''']),
    ('memory_get_facts', ARRAY['NULL', '''''', '''badf'', key => ''''', '''badf'', key => repeat(''k'', 513)', '''badf'', class => ''odd''', '''badf'', category => ''odd''']),
    ('memory_get_fact_history', ARRAY['NULL, ''k''', ''''', ''k''', '''badf'', NULL', '''badf'', ''''']),
    ('memory_get_relationship', ARRAY['NULL', '''''']),
    ('memory_apply_relationship', ARRAY['NULL', '''''', '''badf'', repeat(''a'', 513)', '''badf'', space => repeat(''s'', 513)', '''badf'', deltas => ''[]''', '''badf'', deltas => ''5''', '''badf'', deltas => ''null''', '''badf'', deltas => ''{"love": 5}''', '''badf'', deltas => ''{"Trust": 5}''',
        '''badf'', deltas => ''{"trust": "5"}''', '''badf'', deltas => ''{"trust": null}''', '''badf'', deltas => ''{"trust": 1e400}''', '''badf'', intensity => 2', '''badf'', intensity => ''NaN''', '''badf'', speech_style => ''''', '''badf'', speech_style => ''rude''']),
    ('memory_add_scene', ARRAY['NULL', '''''', '''badf'', repeat(''a'', 513)', '''badf'', session_id => ''''', '''badf'', participants => ''{NULL}''', '''badf'', topics => ''{a,NULL}''', '''badf'', started_at => ''infinity''']),
    ('memory_reflect', ARRAY['NULL', '''''', '''badf'', repeat(''a'', 513)', '''badf'', language => ''fr'''])) AS v (f, list), unnest(list) WITH ORDINALITY AS a (a, n);
SELECT name, arguments, code, message, hint FROM calls, test.expect_error(format('SELECT %s(%s)', name, arguments)) ORDER BY n;
-- None of it left a trace.
SELECT (SELECT count(*) FROM memory.facts WHERE user_id = 'badf') + (SELECT count(*) FROM memory.relationships WHERE user_id = 'badf') + (SELECT count(*) FROM memory.scenes WHERE user_id = 'badf') AS left;
-- Two current values of one key are refused by the table itself.
SELECT FROM memory_set_fact('badf-two', '이름', '하나');
SELECT code, message FROM test.expect_error($$INSERT INTO memory.stored_facts SELECT (jsonb_populate_record(f, jsonb_build_object('id', gen_random_uuid(), 'value', '둘', 'value_hash', 2))).* FROM memory.stored_facts f WHERE user_id = 'badf-two'$$);
