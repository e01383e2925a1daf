\pset format unaligned
\pset null '∅'
-- Other tests leave work, too: it is done first.
CREATE TEMP VIEW ours AS SELECT kind, session_id, reason, state, attempts, outcome, last_error FROM memory.jobs
    WHERE user_id LIKE 'job-%' ORDER BY created_at, id;
SELECT count(*) < 8 AS done FROM memory_run_jobs(100000);
DELETE FROM memory.jobs;

-- A session that ends is to be summarised, once, and only when the transaction commits.
BEGIN;
SELECT added FROM memory_add_turn('job-amy', 's1', 'I moved to Busan last month because of my new job at the harbour.', 'How do you like it?');
SELECT memory_end_session('job-amy', 's1');
ROLLBACK;
SELECT * FROM ours;
SELECT added FROM memory_add_turn('job-amy', 's1', 'I moved to Busan last month because of my new job at the harbour.', 'How do you like it?');
SELECT memory_end_session('job-amy', 's1');
SELECT memory_end_session('job-amy', 's1');
SELECT * FROM ours;
SELECT added FROM memory_add_turn('job-amy', 's1', 'The sea is wonderful.', 'I can imagine.');
SELECT memory_end_session('job-amy', 's1');
SELECT * FROM ours;
SELECT kind, session_id, attempts, waited > '0' AS waited FROM memory.queued_jobs WHERE user_id = 'job-amy';

-- By hand: the summary, its memory, the job done.
SELECT * FROM memory_run_jobs(0);
SELECT * FROM memory_run_jobs();
SELECT * FROM memory_run_jobs();
SELECT * FROM ours;
SELECT session_id, content, topics, emotion, importance, source, message_count FROM memory.summaries WHERE user_id = 'job-amy';
SELECT kind, session_id, content, source, cardinality(source_messages) AS from_messages FROM memory.memories WHERE user_id = 'job-amy';
SELECT kind, queued, running, done, failed, average_duration > '0' AS took FROM memory.job_stats;
SELECT count(*) FROM memory.running_jobs;

-- Nothing new, nothing to do.
SELECT memory_start_session('job-amy', 's1');
SELECT memory_end_session('job-amy', 's1');
SELECT kind, done FROM memory_run_jobs();
SELECT outcome, count(*) FROM ours GROUP BY 1 ORDER BY 1;

-- Asked for: without an LLM at once, and all of an open session.
SELECT added FROM memory_add_turn('job-amy', 's2', 'My sister plays the violin in an orchestra.', 'Lovely!');
SELECT state, job_id, summary_id IS NOT NULL AS made, content FROM memory_summarize_session('job-amy', 's2');
SELECT state, job_id, summary_id, content FROM memory_summarize_session('job-amy', 's2');
-- A newer one takes the place of the older, unless somebody changed that.
SELECT added FROM memory_add_turn('job-amy', 's2', 'Next week they play in Vienna, and I will fly there to listen.', 'Have fun!');
SELECT state FROM memory_summarize_session('job-amy', 's2');
SELECT content, archived_at IS NULL AS active FROM memory.memories WHERE session_id = 's2' AND user_id = 'job-amy' ORDER BY created_at;
SELECT u.content FROM memory.memories AS m, memory_update('job-amy', m.id, content => 'The orchestra of her sister goes to Vienna.') AS u
WHERE m.user_id = 'job-amy' AND m.session_id = 's2' AND m.archived_at IS NULL;
SELECT added FROM memory_add_turn('job-amy', 's2', 'The concert was sold out within an hour.', 'Wow!');
SELECT state FROM memory_summarize_session('job-amy', 's2');
SELECT content, source FROM memory.memories WHERE session_id = 's2' AND user_id = 'job-amy' AND archived_at IS NULL ORDER BY created_at;
-- What the application summed up itself is not summed up again.
SELECT added FROM memory_add_turn('job-amy', 's3', 'I bought a red bicycle.', 'Nice colour!');
SELECT memory_add_summary('job-amy', 's3', 'A bicycle, red.') IS NOT NULL AS added;
SELECT state FROM memory_summarize_session('job-amy', 's3');

-- Twenty messages since the last summary: the last six turns stay as they are.
SELECT count(*) FROM generate_series(1, 9) AS n, memory_add_turn('job-bob', 'long', 'On day ' || n || ' we walked along the river to the old mill.', 'I see.');
SELECT kind, done FROM memory_run_jobs();
SELECT count(*) FROM memory.summaries WHERE user_id = 'job-bob';
SELECT added FROM memory_add_turn('job-bob', 'long', 'On day 10 we came home.', 'I see.');
SELECT kind, session_id, reason FROM ours WHERE state = 'queued';
SELECT kind, done FROM memory_run_jobs();
SELECT source, message_count FROM memory.summaries WHERE user_id = 'job-bob';
-- The next one comes after twenty more, not after twenty that it does not cover.
SELECT count(*) FROM generate_series(11, 15) AS n, memory_add_turn('job-bob', 'long', 'On day ' || n || ' we stayed at home and read.', 'I see.');
SELECT kind, done FROM memory_run_jobs();
SELECT count(*) FROM generate_series(16, 20) AS n, memory_add_turn('job-bob', 'long', 'On day ' || n || ' we stayed at home and read.', 'I see.');
SELECT kind, done FROM memory_run_jobs();
SELECT source, message_count FROM memory.summaries WHERE user_id = 'job-bob' ORDER BY created_at;
-- Single messages count as well.
SELECT count(memory_add_message('job-bob', 'single', CASE n % 2 WHEN 1 THEN 'user' ELSE 'assistant' END, 'We talked about the weather in Jeju, part ' || n)) FROM generate_series(1, 20) AS n;
SELECT kind, done FROM memory_run_jobs();
SELECT source, message_count FROM memory.summaries WHERE user_id = 'job-bob' AND session_id = 'single';

-- The agent decides for itself.
SELECT config FROM memory_set_agent('job-quiet', config => '{"auto_summary": false}');
SELECT config FROM memory_set_agent('job-brief', config => '{"summary_threshold": 10, "prompts": {"summary": "Be brief."}}');
SELECT count(*) FROM unnest('{job-quiet,job-brief}'::text[]) AS agent, generate_series(1, 7) AS n,
    memory_add_turn('job-cat', agent, 'Number ' || n || ' of my plans is a trip to Gyeongju.', 'I see.', agent_id => agent);
SELECT kind, done FROM memory_run_jobs();
SELECT session_id, source, message_count FROM memory.summaries WHERE user_id = 'job-cat';
SELECT memory_end_session('job-cat', 'job-quiet');
SELECT kind, done FROM memory_run_jobs();
SELECT session_id, outcome FROM ours WHERE session_id = 'job-quiet';
SELECT * FROM test.expect_error($$SELECT memory_set_agent('job-brief', config => '{"prompts": {"poem": "x"}}')$$);
SELECT code FROM test.expect_error($$SELECT memory_set_agent('job-brief', config => '{"prompts": "x"}')$$);

-- Idle sessions end and are summarised; open ones are checkpointed.
SELECT added FROM memory_add_turn('job-dan', 'idle', 'I planted three apple trees behind the house.', 'How nice.', created_at => now() - interval '31 minutes');
SELECT count(*) FROM generate_series(1, 8) AS n, memory_add_turn('job-dan', 'open', 'Tree number ' || n || ' has blossoms already.', 'How nice.');
UPDATE memory.sessions SET started_at = now() - interval '6 minutes' WHERE user_id = 'job-dan' AND session_id = 'open';
SELECT kind, done FROM memory_run_jobs();
SELECT session_id, source, message_count FROM memory.summaries WHERE user_id = 'job-dan' ORDER BY session_id;
SELECT session_id, end_reason FROM memory.sessions WHERE user_id = 'job-dan' ORDER BY session_id;
SELECT session_id, checkpointed_at > now() - interval '1 minute' AS now FROM memory.session_progress WHERE user_id = 'job-dan';
-- A checkpoint goes when the summary comes.
SELECT memory_end_session('job-dan', 'open');
SELECT kind, done FROM memory_run_jobs();
SELECT session_id, source, message_count FROM memory.summaries WHERE user_id = 'job-dan' ORDER BY session_id;

-- The user's profile, every so many turns.
SET memory_ext.reflect_turns = 5;
SELECT outcome FROM memory_set_fact('job-eve', 'name', 'Eve');
SELECT count(*) FROM generate_series(1, 5) AS n, memory_add_turn('job-eve', 's', 'We had talk number ' || n, 'Yes.');
SELECT kind, done FROM memory_run_jobs();
SELECT kind, content FROM memory.memories WHERE user_id = 'job-eve';
SELECT reflected_turn FROM memory.scopes WHERE user_id = 'job-eve';
RESET memory_ext.reflect_turns;

-- Vectors that the application passed are its own; what has none gets one.
SET memory_ext.embedding_provider = none;
SELECT verdict FROM memory_create('job-ivy', 'without a vector');
SELECT verdict FROM memory_create('job-jay', 'with one', embedding => '[1,2,3]');
RESET memory_ext.embedding_provider;
SELECT kind, done FROM memory_run_jobs();
SELECT content, model FROM memory.memories WHERE user_id IN ('job-ivy', 'job-jay') ORDER BY content;
SELECT reembedded, remaining FROM memory_reembed('job-jay');

-- Dead letters: kept, told, tried again.
INSERT INTO memory.jobs (user_id, id, kind, session_id, reason, state, attempts, last_error, finished_at)
VALUES ('job-fay', '01890000-0000-7000-8000-000000000001', 'summarize', 's', 'ended', 'failed', 3, 'LLM_SUMMARY_FAILED: the provider answered 500', now());
SELECT kind, session_id, attempts, outcome, last_error FROM memory.failed_jobs;
SELECT memory_requeue_job('job-fay', '01890000-0000-7000-8000-000000000001');
SELECT memory_requeue_job('job-fay', '01890000-0000-7000-8000-000000000001');
SELECT session_id, reason, state, attempts FROM ours WHERE state = 'queued';
SELECT kind, done FROM memory_run_jobs();
SELECT * FROM test.expect_error($$SELECT memory_requeue_job('job-fay', '01890000-0000-7000-8000-000000000002')$$);
SELECT * FROM test.expect_error($$SELECT memory_requeue_job('job-eve', '01890000-0000-7000-8000-000000000001')$$);
-- A job whose process is gone is done again.
INSERT INTO memory.jobs (user_id, id, kind, session_id, reason, state, attempts, lease, leased_until, leased_by)
VALUES ('job-fay', '01890000-0000-7000-8000-000000000003', 'summarize', 's', 'ended', 'running', 1, gen_random_uuid(), now() + interval '1 hour', 1);
SELECT kind, done FROM memory_run_jobs();
SELECT attempts, state, last_error FROM memory.jobs WHERE id = '01890000-0000-7000-8000-000000000003';
-- Kept as long as the settings say.
UPDATE memory.jobs SET finished_at = now() - interval '2 days' WHERE user_id = 'job-fay';
SELECT count(*) FROM memory_run_jobs();
SELECT count(*) FROM memory.jobs WHERE user_id = 'job-fay';

-- What goes takes its jobs along.
SELECT added FROM unnest('{a,b}'::text[]) AS u, memory_add_turn('job-gus', u, 'hello', 'hi');
SELECT memory_end_session('job-gus', u) FROM unnest('{a,b}'::text[]) AS u;
SELECT memory_delete_session('job-gus', 'a');
SELECT session_id FROM memory.jobs WHERE user_id = 'job-gus';
SELECT memory_clear('job-gus', true) -> 'sessions' AS sessions;
SELECT count(*) FROM memory.jobs WHERE user_id = 'job-gus';

-- Bad input.
SELECT * FROM test.expect_error($$SELECT memory_run_jobs(-1)$$);
SELECT * FROM test.expect_error($$SELECT memory_run_jobs(NULL)$$);
SELECT * FROM test.expect_error($$SELECT memory_summarize_session('job-amy', 'nowhere')$$);
SELECT * FROM test.expect_error($$SELECT memory_summarize_session(NULL, 's')$$);
SELECT * FROM test.expect_error($$SELECT memory_requeue_job('job-amy', NULL)$$);
SELECT * FROM test.expect_error($$CALL memory_work()$$);
\set VERBOSITY terse
BEGIN;
CALL memory_work();
ROLLBACK;
CALL memory_work(-1);
CALL memory_work();
\set VERBOSITY default

-- Everybody sees their own jobs, and administrators do the work.
CREATE ROLE regress_job_writer IN ROLE memory_writer;
CREATE ROLE regress_job_admin IN ROLE memory_admin;
SELECT added FROM unnest('{job-amy,job-bob}'::text[]) AS u, memory_add_turn(u, 'rls', 'I sold my old car today.', 'Good.');
SELECT memory_end_session(u, 'rls') FROM unnest('{job-amy,job-bob}'::text[]) AS u;
SET ROLE regress_job_writer;
SELECT count(*) FROM memory.jobs;
SET memory_ext.user_id = 'job-amy';
SELECT DISTINCT user_id FROM memory.jobs;
SELECT user_id, kind FROM memory.queued_jobs;
SELECT state FROM memory_summarize_session('job-amy', 'rls');
SELECT code, message FROM test.expect_error($$SELECT memory_summarize_session('job-bob', 'rls')$$);
SELECT code FROM test.expect_error($$SELECT memory_run_jobs()$$);
SELECT code FROM test.expect_error($$SELECT memory_requeue_job('job-amy', gen_random_uuid())$$);
SELECT code FROM test.expect_error($$CALL memory_work()$$);
SELECT code FROM test.expect_error($$SET memory_ext.llm_daily_calls = 0$$);
SELECT code FROM test.expect_error($$UPDATE memory.llm_usage SET calls = 0$$);
SELECT code FROM test.expect_error($$INSERT INTO memory.jobs (user_id, id, kind, reason) VALUES ('job-bob', gen_random_uuid(), 'review', 'messages')$$);
RESET memory_ext.user_id;
SET ROLE regress_job_admin;
SELECT kind, done FROM memory_run_jobs();
RESET ROLE;
DROP ROLE regress_job_writer, regress_job_admin;
SELECT count(memory_clear(u, true)) FROM (SELECT DISTINCT user_id FROM memory.scopes WHERE user_id LIKE 'job-%') AS t (u);
DELETE FROM memory.agents WHERE agent_id LIKE 'job-%';
