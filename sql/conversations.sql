CREATE SCHEMA memory;

CREATE TABLE memory.agents (
    agent_id   text PRIMARY KEY,
    persona    text,
    config     jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    updated_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);

-- Every message updates its session's row, so no column that a message changes may be indexed:
-- the update then stays within the page (HOT). The sweep walks the open sessions instead.
CREATE TABLE memory.sessions (
    user_id          text NOT NULL,
    session_id       text NOT NULL,
    agent_id         text NOT NULL DEFAULT '',
    space            text NOT NULL DEFAULT '',
    started_at       timestamptz NOT NULL,
    last_activity_at timestamptz NOT NULL,
    ended_at         timestamptz,
    end_reason       text,
    message_count    bigint NOT NULL DEFAULT 0,
    turn_count       bigint NOT NULL DEFAULT 0,
    token_count      bigint NOT NULL DEFAULT 0,
    current_turn     uuid,
    big              boolean NOT NULL DEFAULT false,
    metadata         jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (user_id, session_id)
) WITH (fillfactor = 70);

CREATE INDEX sessions_open ON memory.sessions (started_at) WHERE ended_at IS NULL;

-- The verbatim text, with what search and recall read of it: one row for a message, because a second one in
-- memory.search_entries took a sixth of memory_add_message's time. memory.messages is the view that people read.
-- The functions check roles and ids: a CHECK here is parsed anew by every INSERT and took a tenth of that time. Nor
-- is there a foreign key to the session: whoever adds or deletes messages holds the session's row, and checking it
-- once more took another tenth.
CREATE TABLE memory.stored_messages (
    user_id         text NOT NULL,
    id              uuid NOT NULL,
    session_id      text NOT NULL,
    turn_id         uuid,
    role            text NOT NULL,
    content         text NOT NULL,
    emotion         text,
    intent          text,
    processing_time double precision,
    cached          boolean,
    metadata        jsonb,
    tokens          integer NOT NULL,
    created_at      timestamptz NOT NULL,
    idempotency_key text,
    agent_id        text NOT NULL,
    space           text NOT NULL,
    big             boolean NOT NULL,
    terms           integer[] NOT NULL,
    model_id        integer,
    embedding       vector,
    PRIMARY KEY (user_id, id)
);

-- Inline, so that a pass over a user's messages reads their pages and nothing else.
ALTER TABLE memory.stored_messages ALTER COLUMN embedding SET STORAGE MAIN;

CREATE INDEX stored_messages_session ON memory.stored_messages (user_id, session_id, created_at, id);
CREATE UNIQUE INDEX stored_messages_idempotency ON memory.stored_messages (user_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

CREATE TABLE memory.stored_summaries (
    user_id       text NOT NULL,
    id            uuid NOT NULL,
    session_id    text NOT NULL,
    content       text NOT NULL,
    topics        text[] NOT NULL DEFAULT '{}',
    emotion       text,
    importance    real NOT NULL DEFAULT 0.5
        CHECK (importance OPERATOR(pg_catalog.>=) 0 AND importance OPERATOR(pg_catalog.<=) 1),
    source        text NOT NULL,
    first_message uuid,
    last_message  uuid,
    message_count bigint NOT NULL DEFAULT 0,
    metadata      jsonb NOT NULL DEFAULT '{}',
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, session_id) REFERENCES memory.sessions ON DELETE CASCADE
);

CREATE INDEX stored_summaries_session ON memory.stored_summaries (user_id, session_id, created_at, id);

COMMENT ON SCHEMA memory IS 'What memory_ext stores';

COMMENT ON TABLE memory.agents IS 'Personas, characters, assistants: a persona that never changes by itself, and settings';
COMMENT ON COLUMN memory.agents.agent_id IS 'The agent; '''' is the default agent';
COMMENT ON COLUMN memory.agents.persona IS 'Text that every context of the agent begins with';
COMMENT ON COLUMN memory.agents.config IS 'Settings of the agent, over those of the server';
COMMENT ON COLUMN memory.agents.created_at IS 'When the agent was first stored';
COMMENT ON COLUMN memory.agents.updated_at IS 'When the agent was last changed';

COMMENT ON TABLE memory.sessions IS 'Conversations';
COMMENT ON COLUMN memory.sessions.user_id IS 'The data subject';
COMMENT ON COLUMN memory.sessions.session_id IS 'The conversation';
COMMENT ON COLUMN memory.sessions.agent_id IS 'Whom the user talks to';
COMMENT ON COLUMN memory.sessions.space IS 'The work, project or document that the talk is about';
COMMENT ON COLUMN memory.sessions.started_at IS 'When the session was started, or its earliest message was said';
COMMENT ON COLUMN memory.sessions.last_activity_at IS 'When the last message was added';
COMMENT ON COLUMN memory.sessions.ended_at IS 'When the session ended; NULL while it is open';
COMMENT ON COLUMN memory.sessions.end_reason IS 'Why it ended: ended, idle, or what the application said';
COMMENT ON COLUMN memory.sessions.message_count IS 'Messages in the session';
COMMENT ON COLUMN memory.sessions.turn_count IS 'Messages of the user in the session';
COMMENT ON COLUMN memory.sessions.token_count IS 'Estimated tokens of all messages';
COMMENT ON COLUMN memory.sessions.current_turn IS 'The user''s last message; answers belong to its turn';
COMMENT ON COLUMN memory.sessions.big IS 'Whether the user is searched through indexes';
COMMENT ON COLUMN memory.sessions.metadata IS 'Whatever the application keeps with it';

COMMENT ON TABLE memory.stored_messages IS 'Messages as they are stored; read them through memory.messages';
COMMENT ON TABLE memory.stored_summaries IS 'Summaries as they are stored; read them through memory.summaries';
