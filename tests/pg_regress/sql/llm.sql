\pset format unaligned
\pset null '∅'
-- Nothing is configured, and nothing is called.
SELECT * FROM memory_llm_check();
-- Who may set what: where requests go is for superusers, and only they see where a key is.
SELECT name, context, setting, unit FROM pg_settings WHERE name ~ '^memory_ext\.(llm|embed|connect)' AND name !~ 'llm_(daily|concurrency)' ORDER BY name COLLATE "C";
CREATE ROLE llm_nobody;
GRANT memory_reader TO llm_nobody;
SET ROLE llm_nobody;
SELECT code FROM test.expect_error($$SHOW memory_ext.llm_key_file$$);
SELECT name FROM pg_settings WHERE name ~ '^memory_ext\.\w+_key_';
SELECT code FROM test.expect_error($$SET memory_ext.llm_endpoint = 'http://127.0.0.1'$$);
SELECT code FROM test.expect_error($$SELECT * FROM memory_llm_check()$$);
SET memory_ext.embed_query_timeout = '1s';
SET memory_ext.llm_language = 'ko';
RESET ROLE;
RESET memory_ext.embed_query_timeout;
RESET memory_ext.llm_language;
DROP ROLE llm_nobody;
-- What no setting takes; no value is repeated.
SELECT e.* FROM unnest(ARRAY[
    'llm_endpoint = ''127.0.0.1:80''', 'llm_endpoint = ''gopher://x''', 'llm_endpoint = ''http://''',
    'llm_endpoint = ''http://u@x/v1''', 'llm_endpoint = ''http://x/v1?key=1''', 'llm_endpoint = ''http://x/#y''',
    'llm_key_file = ''sk-123''', 'llm_key_env = ''sk-123''', 'embed_key_env = ''1KEY''', 'llm_max_tokens = 1',
    'embed_dimensions = 16001']) AS setting, test.expect_error('SET memory_ext.' || setting) AS e;
SET memory_ext.llm_endpoint = 'https://example.com/v1/';
RESET memory_ext.llm_endpoint;
-- A provider without a model is none.
SET memory_ext.llm_provider = ollama;
SELECT what, ok, error FROM memory_llm_check() WHERE what = 'llm';
RESET memory_ext.llm_provider;
-- Embeddings over HTTP without a service: what is stored has no vector, a query goes on by keywords.
SET memory_ext.embedding_provider = http;
SELECT verdict FROM memory_create('llm-none', 'the sea is calm');
SELECT content, similarity, keyword, explanation->>'no_vector' AS no_vector FROM memory_recall('llm-none', 'sea', explain => true);
SELECT build_context_json('llm-none', query => 'sea')->'no_vector' AS no_vector;
SELECT verdict FROM novelty_score('llm-none', 'the sea is rough');
SELECT * FROM test.expect_error($$SELECT memory_reembed('llm-none')$$);
RESET memory_ext.embedding_provider;
SELECT test.memory_faults('llm-none');
