-- What is to be done, one row for each piece of work. It is local to a server (nothing is looked up in it by user)
-- and holds ids, never text. Rows come and go all the time: pages keep room for updates in place, and autovacuum
-- looks in by the number of dead rows, however many live ones there are.
CREATE TABLE memory.jobs (
    user_id      text NOT NULL,
    id           uuid NOT NULL,
    kind         text NOT NULL,
    agent_id     text NOT NULL DEFAULT '',
    space        text NOT NULL DEFAULT '',
    session_id   text NOT NULL DEFAULT '',
    reason       text NOT NULL,
    payload      jsonb NOT NULL DEFAULT '{}',
    state        text NOT NULL DEFAULT 'queued'
        CHECK (state OPERATOR(pg_catalog.=) ANY (ARRAY['queued', 'running', 'done', 'failed'])),
    attempts     integer NOT NULL DEFAULT 0,
    not_before   timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    lease        uuid,
    leased_until timestamptz,
    leased_by    integer,
    outcome      text,
    last_error   text,
    created_at   timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    started_at   timestamptz,
    finished_at  timestamptz,
    PRIMARY KEY (user_id, id)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);

-- One job of a kind waits for a scope, whoever asks for it.
CREATE UNIQUE INDEX jobs_waiting ON memory.jobs (user_id, kind, agent_id, space, session_id) WHERE state OPERATOR(pg_catalog.=) 'queued';
CREATE INDEX jobs_ready ON memory.jobs (not_before, id) WHERE state OPERATOR(pg_catalog.=) 'queued';
CREATE INDEX jobs_running ON memory.jobs (user_id, kind, session_id) WHERE state OPERATOR(pg_catalog.=) 'running';
CREATE INDEX jobs_finished ON memory.jobs (state, finished_at) WHERE finished_at IS NOT NULL;

-- How far the workers have come with a session, apart from its own row, which every message updates.
CREATE TABLE memory.session_progress (
    user_id         text NOT NULL,
    session_id      text NOT NULL,
    extracted_at    timestamptz,
    analyzed_at     timestamptz,
    checkpointed_at timestamptz,
    PRIMARY KEY (user_id, session_id),
    FOREIGN KEY (user_id, session_id) REFERENCES memory.sessions ON DELETE CASCADE
);

-- What the LLM was asked for a user on a day (UTC).
CREATE TABLE memory.llm_usage (
    user_id       text NOT NULL,
    day           date NOT NULL,
    calls         bigint NOT NULL DEFAULT 0,
    prompt_tokens bigint NOT NULL DEFAULT 0,
    answer_tokens bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, day)
) WITH (fillfactor = 70);

CREATE VIEW memory.queued_jobs WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, kind, agent_id, space, session_id, reason, attempts, not_before, last_error, created_at,
           pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) created_at AS waited
    FROM memory.jobs WHERE state OPERATOR(pg_catalog.=) 'queued';

CREATE VIEW memory.running_jobs WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, kind, agent_id, space, session_id, reason, attempts, leased_by AS pid, leased_until, started_at,
           pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) started_at AS running_for
    FROM memory.jobs WHERE state OPERATOR(pg_catalog.=) 'running';

CREATE VIEW memory.failed_jobs WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, kind, agent_id, space, session_id, reason, attempts, outcome, last_error, created_at, finished_at
    FROM memory.jobs WHERE state OPERATOR(pg_catalog.=) 'failed';

CREATE VIEW memory.job_stats WITH (security_barrier, security_invoker) AS
    SELECT kind,
           pg_catalog.count(*) FILTER (WHERE state OPERATOR(pg_catalog.=) 'queued') AS queued,
           pg_catalog.count(*) FILTER (WHERE state OPERATOR(pg_catalog.=) 'running') AS running,
           pg_catalog.count(*) FILTER (WHERE state OPERATOR(pg_catalog.=) 'done') AS done,
           pg_catalog.count(*) FILTER (WHERE state OPERATOR(pg_catalog.=) 'failed') AS failed,
           pg_catalog.min(created_at) FILTER (WHERE state OPERATOR(pg_catalog.=) 'queued') AS oldest_queued,
           pg_catalog.avg(started_at OPERATOR(pg_catalog.-) created_at) AS average_wait,
           pg_catalog.avg(finished_at OPERATOR(pg_catalog.-) started_at) AS average_duration,
           pg_catalog.max(finished_at OPERATOR(pg_catalog.-) started_at) AS longest_duration
    FROM memory.jobs GROUP BY kind;

COMMENT ON TABLE memory.jobs IS 'Work for the background workers, waiting, running and done; it holds ids, no text';
COMMENT ON COLUMN memory.jobs.user_id IS 'The data subject';
COMMENT ON COLUMN memory.jobs.id IS 'The job';
COMMENT ON COLUMN memory.jobs.kind IS 'review, summarize, extract, analyze, reflect or embed';
COMMENT ON COLUMN memory.jobs.agent_id IS 'The agent of the scope';
COMMENT ON COLUMN memory.jobs.space IS 'The space of the scope';
COMMENT ON COLUMN memory.jobs.session_id IS 'The conversation; '''': the job is not about one';
COMMENT ON COLUMN memory.jobs.reason IS 'What made it due: messages, ended, idle, checkpoint, requested, turns or stored';
COMMENT ON COLUMN memory.jobs.payload IS 'What else the job needs to know: ids and numbers';
COMMENT ON COLUMN memory.jobs.state IS 'queued, running, done or failed (a dead letter: memory_requeue_job)';
COMMENT ON COLUMN memory.jobs.attempts IS 'How often it was begun';
COMMENT ON COLUMN memory.jobs.not_before IS 'When it may be begun';
COMMENT ON COLUMN memory.jobs.lease IS 'Who holds this stores the result; anybody else''s is thrown away';
COMMENT ON COLUMN memory.jobs.leased_until IS 'When others may take it over';
COMMENT ON COLUMN memory.jobs.leased_by IS 'The process that works on it';
COMMENT ON COLUMN memory.jobs.outcome IS 'What came out: llm, builtin, fallback, nothing, or what was done';
COMMENT ON COLUMN memory.jobs.last_error IS 'Why the last attempt failed';
COMMENT ON COLUMN memory.jobs.created_at IS 'When it became due';
COMMENT ON COLUMN memory.jobs.started_at IS 'When it was last begun';
COMMENT ON COLUMN memory.jobs.finished_at IS 'When it was done or given up';

COMMENT ON TABLE memory.session_progress IS 'How far the workers have come with each session';
COMMENT ON COLUMN memory.session_progress.user_id IS 'The data subject';
COMMENT ON COLUMN memory.session_progress.session_id IS 'The conversation';
COMMENT ON COLUMN memory.session_progress.extracted_at IS 'Up to which message the LLM has looked for facts';
COMMENT ON COLUMN memory.session_progress.analyzed_at IS 'Up to which message the LLM has analysed the relationship';
COMMENT ON COLUMN memory.session_progress.checkpointed_at IS 'When the open session was last looked after';

COMMENT ON TABLE memory.llm_usage IS 'What the LLM was asked for each user and day (UTC)';
COMMENT ON COLUMN memory.llm_usage.user_id IS 'The data subject';
COMMENT ON COLUMN memory.llm_usage.day IS 'The day, in UTC';
COMMENT ON COLUMN memory.llm_usage.calls IS 'How often it was asked';
COMMENT ON COLUMN memory.llm_usage.prompt_tokens IS 'Tokens of the questions, as the provider counted them';
COMMENT ON COLUMN memory.llm_usage.answer_tokens IS 'Tokens of the answers, as the provider counted them';

COMMENT ON VIEW memory.queued_jobs IS 'Jobs that wait';
COMMENT ON COLUMN memory.queued_jobs.user_id IS 'The data subject';
COMMENT ON COLUMN memory.queued_jobs.id IS 'The job';
COMMENT ON COLUMN memory.queued_jobs.kind IS 'What is to be done';
COMMENT ON COLUMN memory.queued_jobs.agent_id IS 'The agent of the scope';
COMMENT ON COLUMN memory.queued_jobs.space IS 'The space of the scope';
COMMENT ON COLUMN memory.queued_jobs.session_id IS 'The conversation';
COMMENT ON COLUMN memory.queued_jobs.reason IS 'What made it due';
COMMENT ON COLUMN memory.queued_jobs.attempts IS 'How often it was begun';
COMMENT ON COLUMN memory.queued_jobs.not_before IS 'When it may be begun';
COMMENT ON COLUMN memory.queued_jobs.last_error IS 'Why the last attempt failed';
COMMENT ON COLUMN memory.queued_jobs.created_at IS 'When it became due';
COMMENT ON COLUMN memory.queued_jobs.waited IS 'How long ago that was';

COMMENT ON VIEW memory.running_jobs IS 'Jobs that are being done';
COMMENT ON COLUMN memory.running_jobs.user_id IS 'The data subject';
COMMENT ON COLUMN memory.running_jobs.id IS 'The job';
COMMENT ON COLUMN memory.running_jobs.kind IS 'What is being done';
COMMENT ON COLUMN memory.running_jobs.agent_id IS 'The agent of the scope';
COMMENT ON COLUMN memory.running_jobs.space IS 'The space of the scope';
COMMENT ON COLUMN memory.running_jobs.session_id IS 'The conversation';
COMMENT ON COLUMN memory.running_jobs.reason IS 'What made it due';
COMMENT ON COLUMN memory.running_jobs.attempts IS 'How often it was begun';
COMMENT ON COLUMN memory.running_jobs.pid IS 'The process that works on it';
COMMENT ON COLUMN memory.running_jobs.leased_until IS 'When others may take it over';
COMMENT ON COLUMN memory.running_jobs.started_at IS 'When it was begun';
COMMENT ON COLUMN memory.running_jobs.running_for IS 'How long ago that was';

COMMENT ON VIEW memory.failed_jobs IS 'Dead letters: jobs given up after three attempts; memory_requeue_job tries them again';
COMMENT ON COLUMN memory.failed_jobs.user_id IS 'The data subject';
COMMENT ON COLUMN memory.failed_jobs.id IS 'The job';
COMMENT ON COLUMN memory.failed_jobs.kind IS 'What was to be done';
COMMENT ON COLUMN memory.failed_jobs.agent_id IS 'The agent of the scope';
COMMENT ON COLUMN memory.failed_jobs.space IS 'The space of the scope';
COMMENT ON COLUMN memory.failed_jobs.session_id IS 'The conversation';
COMMENT ON COLUMN memory.failed_jobs.reason IS 'What made it due';
COMMENT ON COLUMN memory.failed_jobs.attempts IS 'How often it was begun';
COMMENT ON COLUMN memory.failed_jobs.outcome IS 'fallback: the words of the conversation stand in for the LLM''s; NULL: nothing does';
COMMENT ON COLUMN memory.failed_jobs.last_error IS 'Why the last attempt failed';
COMMENT ON COLUMN memory.failed_jobs.created_at IS 'When it became due';
COMMENT ON COLUMN memory.failed_jobs.finished_at IS 'When it was given up';

COMMENT ON VIEW memory.job_stats IS 'How many jobs of each kind there are, and how long they take; done ones as long as they are kept';
COMMENT ON COLUMN memory.job_stats.kind IS 'The kind';
COMMENT ON COLUMN memory.job_stats.queued IS 'How many wait';
COMMENT ON COLUMN memory.job_stats.running IS 'How many are being done';
COMMENT ON COLUMN memory.job_stats.done IS 'How many are done';
COMMENT ON COLUMN memory.job_stats.failed IS 'How many were given up';
COMMENT ON COLUMN memory.job_stats.oldest_queued IS 'Since when the oldest one waits';
COMMENT ON COLUMN memory.job_stats.average_wait IS 'How long they waited until they were last begun';
COMMENT ON COLUMN memory.job_stats.average_duration IS 'How long the last attempt took';
COMMENT ON COLUMN memory.job_stats.longest_duration IS 'How long the slowest took';
