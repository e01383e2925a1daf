CREATE TABLE memory.plans (
    plan       text PRIMARY KEY,
    max_active integer CHECK (max_active OPERATOR(pg_catalog.>=) 0),
    on_limit   text NOT NULL DEFAULT 'archive'
        CHECK (on_limit OPERATOR(pg_catalog.=) ANY (ARRAY['archive', 'refuse']))
);

INSERT INTO memory.plans (plan, max_active) VALUES ('free', 5), ('premium', NULL);

-- What is known of a user as a whole. big: above memory_ext.exact_limit, searched through indexes.
CREATE TABLE memory.users (
    user_id text PRIMARY KEY,
    plan    text REFERENCES memory.plans,
    big     boolean NOT NULL DEFAULT false,
    entries bigint NOT NULL DEFAULT 0
);

-- Models that vectors came from. Vectors of different models are never compared.
CREATE TABLE memory.models (
    model_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL,
    dimensions integer NOT NULL,
    UNIQUE (name, dimensions)
);

-- Where a scope's memories stand: how often they faded, and at which turn each duty was last done.
CREATE TABLE memory.scopes (
    user_id           text NOT NULL,
    agent_id          text NOT NULL,
    space             text NOT NULL,
    model_id          integer REFERENCES memory.models,
    decay_steps       bigint NOT NULL DEFAULT 0,
    decayed_turn      bigint NOT NULL DEFAULT 0,
    consolidated_turn bigint NOT NULL DEFAULT 0,
    pruned_turn       bigint NOT NULL DEFAULT 0,
    decayed_at        timestamptz NOT NULL DEFAULT pg_catalog.now(),
    consolidated_at   timestamptz NOT NULL DEFAULT pg_catalog.now(),
    pruned_at         timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (user_id, agent_id, space)
);

CREATE TABLE memory.stored_memories (
    user_id           text NOT NULL,
    id                uuid NOT NULL,
    agent_id          text NOT NULL,
    space             text NOT NULL,
    session_id        text,
    kind              text NOT NULL,
    content           text NOT NULL,
    content_hash      bigint,
    interpretation    text,
    topics            text[] NOT NULL DEFAULT '{}',
    emotion           text,
    emotion_intensity double precision NOT NULL DEFAULT 0,
    mention_count     integer NOT NULL DEFAULT 0,
    pinned            boolean NOT NULL DEFAULT false,
    source            text NOT NULL DEFAULT 'application',
    source_messages   uuid[] NOT NULL DEFAULT '{}',
    metadata          jsonb NOT NULL DEFAULT '{}',
    occurred_at       timestamptz NOT NULL,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    recalled_at       timestamptz,
    expires_at        timestamptz,
    archived_at       timestamptz,
    archive_reason    text,
    consolidated_into uuid,
    PRIMARY KEY (user_id, id)
);

-- The same text is active once in a scope, whoever writes it.
CREATE UNIQUE INDEX stored_memories_once ON memory.stored_memories (user_id, agent_id, space, content_hash)
    WHERE archived_at IS NULL AND content_hash IS NOT NULL;
CREATE INDEX stored_memories_consolidated ON memory.stored_memories (user_id, consolidated_into)
    WHERE consolidated_into IS NOT NULL;

-- What ranking reads, apart from the long text: one short index range gives all entries of a user.
-- source: m message, r memory, a archived memory. terms are hashes of words, sorted, repeated as often as
-- the word occurs. strength is as it was at strength_step of the scope's decay_steps; decay is what one step
-- leaves of it. leads: caution and identity, which come first.
CREATE TABLE memory.search_entries (
    user_id       text NOT NULL,
    source        "char" NOT NULL,
    id            uuid NOT NULL,
    agent_id      text NOT NULL,
    space         text NOT NULL,
    session_id    text,
    kind          text NOT NULL,
    occurred_at   timestamptz NOT NULL,
    importance    double precision,
    strength      double precision,
    strength_step bigint,
    decay         double precision,
    expires_at    timestamptz,
    leads         boolean NOT NULL DEFAULT false,
    big           boolean NOT NULL DEFAULT false,
    model_id      integer,
    terms         integer[] NOT NULL,
    embedding     vector,
    PRIMARY KEY (user_id, source, id)
);

-- Inline, so that a pass over a user's entries reads their pages and nothing else.
ALTER TABLE memory.search_entries ALTER COLUMN embedding SET STORAGE MAIN;

-- Only entries of big users are indexed by word and by vector: nobody else pays for it when writing.
CREATE INDEX search_entries_terms ON memory.search_entries USING gin (terms) WHERE big;
CREATE INDEX search_entries_vector_256 ON memory.search_entries
    USING hnsw ((embedding::vector(256)) vector_cosine_ops) WHERE big AND vector_dims(embedding) OPERATOR(pg_catalog.=) 256;

CREATE INDEX search_entries_importance ON memory.search_entries (user_id, importance DESC)
    WHERE big AND importance IS NOT NULL;

-- What was changed in a memory, by whom; the row as it was before.
CREATE TABLE memory.stored_history (
    user_id    text NOT NULL,
    id         uuid NOT NULL,
    memory_id  uuid NOT NULL,
    action     text NOT NULL,
    before     jsonb,
    changed_by name NOT NULL DEFAULT CURRENT_USER,
    changed_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    PRIMARY KEY (user_id, id)
);

CREATE INDEX stored_history_memory ON memory.stored_history (user_id, memory_id, id);

-- What a memory is when people read it, with its strength as of now.
CREATE VIEW memory.memories WITH (security_barrier, security_invoker) AS
    SELECT m.user_id, m.id, m.agent_id, m.space, m.session_id, m.kind, m.content, m.interpretation, m.topics, m.emotion,
           m.emotion_intensity, e.importance,
           @extschema@.strength_after(e.strength, e.decay, coalesce(s.decay_steps, 0) OPERATOR(pg_catalog.-) e.strength_step)
               AS strength,
           m.mention_count, m.pinned, m.source, m.source_messages, o.name AS model, m.metadata, m.occurred_at,
           m.created_at, m.updated_at, m.recalled_at, m.expires_at, m.archived_at, m.archive_reason,
           m.consolidated_into
    FROM memory.stored_memories m
    JOIN memory.search_entries e
        ON e.user_id OPERATOR(pg_catalog.=) m.user_id AND e.id OPERATOR(pg_catalog.=) m.id
       AND e.source OPERATOR(pg_catalog.=) (CASE WHEN m.archived_at IS NULL THEN 'r'::"char" ELSE 'a'::"char" END)
    LEFT JOIN memory.scopes s
        ON s.user_id OPERATOR(pg_catalog.=) m.user_id AND s.agent_id OPERATOR(pg_catalog.=) m.agent_id
       AND s.space OPERATOR(pg_catalog.=) m.space
    LEFT JOIN memory.models o ON o.model_id OPERATOR(pg_catalog.=) e.model_id;

CREATE VIEW memory.memory_history WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, memory_id, action, before, changed_by, changed_at FROM memory.stored_history;

CREATE TABLE memory.recall_profiles (
    profile          text PRIMARY KEY,
    similarity       double precision NOT NULL DEFAULT 0,
    keyword          double precision NOT NULL DEFAULT 0,
    importance       double precision NOT NULL DEFAULT 0,
    strength         double precision NOT NULL DEFAULT 0,
    recency          double precision NOT NULL DEFAULT 0,
    recency_halflife interval NOT NULL DEFAULT '30 days'
);

INSERT INTO memory.recall_profiles (profile, similarity, keyword, importance, strength, recency) VALUES
    ('default', 0.6, 1.0, 0.1, 0.05, 0.05),
    ('synk', 0.7, 0, 0.2, 0.1, 0),
    ('recency', 0.6, 1.0, 0.1, 0.05, 0.8),
    ('keyword', 0, 1.0, 0, 0, 0);

CREATE TABLE memory.maintenance_runs (
    run_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    duty       text NOT NULL,
    user_id    text,
    agent_id   text,
    space      text,
    affected   bigint NOT NULL DEFAULT 0,
    error      text,
    started_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    duration   interval
);

CREATE INDEX maintenance_runs_user ON memory.maintenance_runs (user_id, started_at);
