\pset format unaligned
\pset null '∅'
SELECT agent_id, persona, config, updated_at IS NOT NULL AS updated FROM memory_set_agent('agent-luna', '너는 루나다.');
-- What is not given stays as it is.
SELECT persona, config FROM memory_set_agent('agent-luna', config => '{"recent_messages": 3, "context_tokens": 900}');
SELECT persona, config FROM memory_set_agent('agent-luna', persona => 'You are Luna.');
SELECT persona, config FROM memory_set_agent('agent-luna');
-- A config takes the place of the one before; an empty persona removes it.
SELECT persona, config FROM memory_set_agent('agent-luna', config => '{"recent_turns": 1}');
SELECT persona, config FROM memory_set_agent('agent-luna', persona => '');
SELECT persona, config FROM memory_set_agent('agent-luna', config => '{}');
SELECT persona, config FROM memory_set_agent('agent-luna', config =>
    '{"recent_messages": 65535, "recent_turns": 65535, "context_tokens": 0, "language": "auto", "session_timeout": 1,
      "summary_threshold": 1, "auto_summary": false}');
SELECT config FROM memory_set_agent('agent-null', config => '{"recent_messages": null, "language": null}');

-- An agent's settings go before the server's.
SELECT memory_add_message('agent-amy', 's', 'user', 'message ' || n, agent_id => 'agent-window') IS NOT NULL AS added
FROM generate_series(1, 6) AS n OFFSET 5;
SELECT config FROM memory_set_agent('agent-window', config => '{"recent_messages": 2, "language": "ko", "context_tokens": 0}');
SELECT content FROM memory_get_recent('agent-amy', 's');
SELECT count(*) FROM memory_get_recent('agent-amy', 's', 5);
SELECT jsonb_array_length(c -> 'recent_messages') AS recent, c ->> 'language' AS language, c #> '{tokens,budget}' AS budget
FROM build_context_json('agent-amy', 's') AS c;
SELECT config FROM memory_set_agent('agent-window', config => '{"recent_turns": 3, "context_tokens": 700}');
SELECT jsonb_array_length(c -> 'recent_messages') AS recent, c #> '{tokens,budget}' AS budget FROM build_context_json('agent-amy', 's') AS c;
-- What the call says goes before both.
SELECT jsonb_array_length(c -> 'recent_messages') AS recent, c #> '{tokens,budget}' AS budget
FROM build_context_json('agent-amy', 's', max_turns => 4, max_tokens => 800) AS c;

-- The default agent, odd names, a long persona.
SELECT agent_id, persona FROM memory_set_agent('', 'the default');
SELECT c #>> '{messages,0,content}' AS system FROM build_context_json('agent-amy', 'new') AS c;
SELECT persona FROM memory_set_agent('', '');
SELECT agent_id, persona FROM memory_set_agent(E'it''s "odd" \\ 😀 שלום', E'line\nbreak \\ "quotes" [brackets] </s>');
SELECT length(persona) FROM memory_set_agent('agent-long', repeat('다정한 ', 250000));
SELECT length(c #>> '{messages,0,content}') AS never_cut, c #> '{tokens,over_budget}' AS over_budget
FROM build_context_json('agent-amy', agent_id => 'agent-long', query => 'hi') AS c;
-- Any text: a persona is the application's own and stands as it is.
SELECT c #>> '{messages,0,content}' AS system FROM build_context_json('agent-amy', agent_id => E'it''s "odd" \\ 😀 שלום') AS c;
SELECT agent_id FROM memory.agents WHERE agent_id LIKE 'agent-%' ORDER BY 1;

-- Bad input.
SELECT * FROM test.expect_error($$SELECT memory_set_agent(NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent(repeat('x', 513))$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '[]')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => 'null')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"recent_message": 3}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"recent_messages": 0}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"recent_messages": -1}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"recent_messages": 65536}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"recent_messages": 2.5}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"recent_messages": "3"}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"recent_turns": 0}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"session_timeout": 0}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"summary_threshold": 0}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"context_tokens": -5}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"context_tokens": 1e400}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"language": "fr"}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"language": 1}')$$);
SELECT * FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => '{"auto_summary": "yes"}')$$);
SELECT code, hint FROM test.expect_error($$SELECT memory_set_agent('agent-bad', config => (repeat('{"a":', 300) || '1' || repeat('}', 300))::jsonb)$$);
SELECT count(*) FROM memory.agents WHERE agent_id = 'agent-bad';

-- Settings of the server.
SELECT name, boot_val, unit, vartype, context, min_val, max_val, enumvals FROM pg_settings
WHERE name ~ '^memory_ext\.(user_id|recent_messages|context_tokens|session_timeout|language|tokenizer|summary_threshold|auto_summary)$' ORDER BY 1;
SELECT code FROM test.expect_error($$SET memory_ext.recent_messages = 0$$);
SELECT code FROM test.expect_error($$SET memory_ext.recent_messages = 'many'$$);
SELECT code FROM test.expect_error($$SET memory_ext.context_tokens = -1$$);
SELECT code FROM test.expect_error($$SET memory_ext.session_timeout = 0$$);
SELECT code, message FROM test.expect_error($$SET memory_ext.language = 'fr'$$);
SELECT code, message FROM test.expect_error($$SET memory_ext.tokenizer = 'gpt'$$);
SELECT code, message FROM test.expect_error($$SET memory_ext.misspelt = 1$$);
