\pset format unaligned
\pset null '∅'
CREATE FUNCTION pg_temp.said(session text, who text, what text, at timestamptz DEFAULT NULL) RETURNS void LANGUAGE sql AS
$$ SELECT memory_add_message('search-amy', session, who, what, created_at => at) $$;
\o /dev/null
SELECT pg_temp.said('weather', 'user', '오늘 날씨가 정말 좋네요', '2026-01-01 10:00+00');
SELECT pg_temp.said('weather', 'assistant', '네, 오늘날씨는 맑고 따뜻해요', '2026-01-01 10:01+00');
SELECT pg_temp.said('food', 'user', '저는 김치찌개를 좋아해요', '2026-02-01 10:00+00');
SELECT pg_temp.said('food', 'assistant', '김치찌개는 맵지 않나요?', '2026-02-01 10:01+00');
SELECT pg_temp.said('travel', 'user', 'I am traveling to Busan with my dogs', '2026-03-01 10:00+00');
SELECT pg_temp.said('travel', 'assistant', 'Busan is lovely. Does your dog like to travel?', '2026-03-01 10:01+00');
SELECT pg_temp.said('travel', 'user', '부산에서 먹을 만한 맛집 추천해줘. My budget is $50.', '2026-03-01 10:02+00');
SELECT pg_temp.said('code', 'tool', 'error[E0382]: use of moved value: `user_id` at src/main.rs:42', '2026-04-01 10:00+00');
SELECT pg_temp.said('code', 'user', U&'\D55C\AE00 NFC', '2026-04-01 10:01+00');
SELECT pg_temp.said('code', 'user', U&'\1112\1161\11AB\1100\1173\11AF NFD', '2026-04-01 10:02+00');
SELECT pg_temp.said('code', 'user', 'שלום עולם 😀 مرحبا', '2026-04-01 10:03+00');
\o

-- Korean: particles and endings do not hide a word, nor does a missing space.
SELECT content FROM memory_search_messages('search-amy', '날씨');
SELECT content FROM memory_search_messages('search-amy', '날씨는?');
SELECT content FROM memory_search_messages('search-amy', '김치찌개');
SELECT content FROM memory_search_messages('search-amy', '김치찌개도');
SELECT content FROM memory_search_messages('search-amy', '부산');
-- English: neither case nor endings matter.
SELECT content FROM memory_search_messages('search-amy', 'travels');
SELECT content FROM memory_search_messages('search-amy', 'DOG');
SELECT content FROM memory_search_messages('search-amy', 'busan dogs');
-- Both in one query; the better hit comes first.
SELECT content FROM memory_search_messages('search-amy', '맛집 budget');
-- Composed and decomposed Hangul are the same word.
SELECT content FROM memory_search_messages('search-amy', U&'\1112\1161\11AB\1100\1173\11AF') ORDER BY content COLLATE "C";
SELECT content FROM memory_search_messages('search-amy', U&'\D55C\AE00') ORDER BY content COLLATE "C";
-- Names in code, other scripts.
SELECT role FROM memory_search_messages('search-amy', 'user_id');
SELECT role FROM memory_search_messages('search-amy', 'E0382');
SELECT count(*) FROM memory_search_messages('search-amy', 'שלום');
SELECT count(*) FROM memory_search_messages('search-amy', 'مرحبا');
SELECT count(*) FROM memory_search_messages('search-amy', '😀');
-- Scores fall, and equal texts come newest first.
SELECT bool_and(score > 0) AS positive, bool_and(score <= previous) IS NOT FALSE AS falling
FROM (SELECT score, lag(score) OVER () AS previous FROM memory_search_messages('search-amy', 'busan travel dog budget 부산')) AS hits;
SELECT memory_add_message('search-same', 's' || n, 'user', 'the same words', created_at => '2026-01-01'::timestamptz + n * interval '1 day') IS NOT NULL AS added
FROM generate_series(1, 4) AS n;
SELECT session_id FROM memory_search_messages('search-same', 'same words');
SELECT session_id FROM memory_search_messages('search-same', 'same words', "limit" => 2, "offset" => 1);
-- A rare word weighs more than a common one.
SELECT memory_add_message('search-same', 's5', 'user', 'the same zebra') IS NOT NULL AS added;
SELECT session_id FROM memory_search_messages('search-same', 'same zebra', "limit" => 1);

-- Filters.
SELECT session_id, role FROM memory_search_messages('search-amy', 'busan 부산 travel', session_id => 'travel', roles => '{user}');
SELECT count(*) FROM memory_search_messages('search-amy', '날씨', session_id => 'food');
SELECT role FROM memory_search_messages('search-amy', '날씨 busan', roles => '{assistant,tool}') ORDER BY 1;
SELECT session_id FROM memory_search_messages('search-amy', '날씨 김치찌개 busan', since => '2026-02-01 10:01+00', until => '2026-03-01 10:01+00') ORDER BY 1;
SELECT count(*) FROM memory_search_messages('search-amy', '날씨', since => '-infinity', until => 'infinity');
SELECT count(*) FROM memory_search_messages('search-amy', '날씨', since => '2027-01-01', until => '2026-01-01');
SELECT count(*) FROM memory_search_messages('search-amy', '날씨', roles => '{}');
SELECT memory_add_message('search-scope', 's-' || a || s, 'user', 'shared word', agent_id => a, space => s) IS NOT NULL AS added
FROM unnest('{"",luna}'::text[]) AS a, unnest('{"",novel}'::text[]) AS s;
SELECT session_id FROM memory_search_messages('search-scope', 'shared', agent_id => 'luna') ORDER BY 1;
SELECT session_id FROM memory_search_messages('search-scope', 'shared', agent_id => '', space => '') ORDER BY 1;
SELECT session_id FROM memory_search_messages('search-scope', 'shared', space => 'novel') ORDER BY 1;
SELECT count(*) FROM memory_search_messages('search-scope', 'shared');

-- Nothing to find is no error.
SELECT count(*) FROM memory_search_messages('search-amy', '');
SELECT count(*) FROM memory_search_messages('search-amy', '   ');
SELECT count(*) FROM memory_search_messages('search-amy', '!?.,');
SELECT count(*) FROM memory_search_messages('search-amy', 'xylophone');
SELECT count(*) FROM memory_search_messages('search-nobody', '날씨');
SELECT count(*) FROM memory_search_messages('search-amy', '날씨', "limit" => 0);
SELECT count(*) FROM memory_search_messages('search-amy', '날씨', "offset" => 100);
SELECT count(*) FROM memory_search_messages('search-amy', '날씨', "limit" => 2147483647, "offset" => 0);
SELECT count(*) FROM memory_search_messages('search-amy', '%');
SELECT count(*) FROM memory_search_messages('search-amy', ''' OR true --');
-- A query of a megabyte is a slow question, but a question.
SELECT count(*) FROM memory_search_messages('search-amy', repeat('날씨 busan ', 100000));
-- Words far into a long text are found up to 200,000 bytes of it.
SELECT memory_add_message('search-long', 's', 'user', repeat('filler ', 20000) || 'needle ' || repeat('filler ', 50000) || 'thread') IS NOT NULL AS added;
SELECT count(*) FROM memory_search_messages('search-long', 'needle');
SELECT count(*) FROM memory_search_messages('search-long', 'thread');
-- Another user's words do not count and are not found.
SELECT count(*) FROM memory_search_messages('search-same', '날씨');

SELECT * FROM test.expect_error($$SELECT memory_search_messages(NULL, 'x')$$);
SELECT * FROM test.expect_error($$SELECT memory_search_messages('', 'x')$$);
SELECT * FROM test.expect_error($$SELECT memory_search_messages('search-amy', NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_search_messages('search-amy', 'x', "limit" => -1)$$);
SELECT * FROM test.expect_error($$SELECT memory_search_messages('search-amy', 'x', "offset" => -1)$$);
SELECT * FROM test.expect_error($$SELECT memory_search_messages('search-amy', 'x', "limit" => NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_search_messages('search-amy', 'x', roles => '{bot}')$$);
SELECT * FROM test.expect_error($$SELECT memory_search_messages('search-amy', 'x', roles => '{user,NULL}')$$);

-- What is deleted is not found, what is rolled back was never there.
SELECT memory_delete_message('search-same', id) FROM memory_search_messages('search-same', 'zebra');
SELECT count(*) FROM memory_search_messages('search-same', 'zebra');
BEGIN;
SELECT memory_add_message('search-same', 's9', 'user', 'a giraffe') IS NOT NULL AS added;
SELECT count(*) FROM memory_search_messages('search-same', 'giraffe');
ROLLBACK;
SELECT count(*) FROM memory_search_messages('search-same', 'giraffe');
-- Ten thousand hits in one page.
SELECT count(memory_add_message('search-many', 's', 'user', 'needle ' || n)) FROM generate_series(1, 10000) AS n;
SET statement_timeout = '20s';
SELECT count(*), count(DISTINCT id) FROM memory_search_messages('search-many', 'needle', "limit" => 10000);
RESET statement_timeout;
