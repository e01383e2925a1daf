CREATE TABLE memory.plans (
    plan       text PRIMARY KEY,
    max_active integer CHECK (max_active OPERATOR(pg_catalog.>=) 0),
    on_limit   text NOT NULL DEFAULT 'archive'
        CHECK (on_limit OPERATOR(pg_catalog.=) ANY (ARRAY['archive', 'refuse'])),
    shipped    boolean NOT NULL DEFAULT false
);

INSERT INTO memory.plans (plan, max_active, shipped) VALUES ('free', 5, true), ('premium', NULL, true);

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
    provided   boolean NOT NULL DEFAULT false,
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
    reflected_turn    bigint NOT NULL DEFAULT 0,
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
CREATE INDEX stored_memories_pruned ON memory.stored_memories (archived_at)
    WHERE archive_reason OPERATOR(pg_catalog.=) 'pruned';
CREATE INDEX stored_memories_consolidated ON memory.stored_memories (user_id, consolidated_into)
    WHERE consolidated_into IS NOT NULL;

-- What ranking reads of memories, apart from the long text: one short index range gives all entries of a user.
-- source: r memory, a archived memory. terms are hashes of words, sorted, repeated as often as
-- the word occurs. strength is as it was at strength_step of the scope's decay_steps; decay is what one step
-- leaves of it. leads: caution and identity, which come first.
CREATE TABLE memory.search_entries (
    user_id       text NOT NULL,
    source        "char" NOT NULL,
    id            uuid NOT NULL,
    agent_id      text NOT NULL,
    space         text NOT NULL,
    kind          text NOT NULL,
    occurred_at   timestamptz NOT NULL,
    importance    double precision NOT NULL,
    strength      double precision NOT NULL,
    strength_step bigint NOT NULL,
    decay         double precision NOT NULL,
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
CREATE INDEX stored_messages_terms ON memory.stored_messages USING gin (terms) WHERE big;

-- pgvector may stand in any schema.
DO $vector$
DECLARE
    home pg_catalog.name;
    place pg_catalog.text;
BEGIN
    SELECT n.nspname INTO home FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) e.extnamespace
    WHERE e.extname OPERATOR(pg_catalog.=) 'vector';
    FOREACH place IN ARRAY ARRAY['search_entries', 'stored_messages'] LOOP
        EXECUTE pg_catalog.format($index$
            CREATE INDEX %2$I ON memory.%3$I
                USING hnsw ((embedding::%1$I.vector(256)) %1$I.vector_cosine_ops)
                WHERE big AND %1$I.vector_dims(embedding) OPERATOR(pg_catalog.=) 256
            $index$, home, pg_catalog.concat(place, '_vector_256'), place);
    END LOOP;
END
$vector$;

CREATE INDEX search_entries_importance ON memory.search_entries (user_id, importance DESC)
    WHERE big;

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
    SELECT m.user_id, m.id, m.agent_id, m.space, m.session_id, m.kind,
           CASE WHEN pg_catalog.starts_with(m.content, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(m.content, 'stored_memories.content', m.user_id, m.id)
                ELSE m.content END AS content,
           CASE WHEN pg_catalog.starts_with(m.interpretation, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(m.interpretation, 'stored_memories.interpretation', m.user_id, m.id)
                ELSE m.interpretation END AS interpretation,
           m.topics, m.emotion,
           m.emotion_intensity, e.importance,
           @extschema@.strength_after(e.strength, e.decay, coalesce(s.decay_steps, 0) OPERATOR(pg_catalog.-) e.strength_step)
               AS strength,
           m.mention_count, m.pinned, m.source, m.source_messages, o.name AS model, m.metadata, m.occurred_at,
           m.created_at, m.updated_at, m.recalled_at, m.expires_at, m.archived_at, m.archive_reason,
           m.consolidated_into
    FROM memory.stored_memories m
    JOIN memory.search_entries e
        ON e.user_id OPERATOR(pg_catalog.=) m.user_id AND e.id OPERATOR(pg_catalog.=) m.id
       AND e.source OPERATOR(pg_catalog.=) (CASE WHEN m.archived_at IS NULL THEN 'r'::pg_catalog."char" ELSE 'a'::pg_catalog."char" END)
    LEFT JOIN memory.scopes s
        ON s.user_id OPERATOR(pg_catalog.=) m.user_id AND s.agent_id OPERATOR(pg_catalog.=) m.agent_id
       AND s.space OPERATOR(pg_catalog.=) m.space
    LEFT JOIN memory.models o ON o.model_id OPERATOR(pg_catalog.=) e.model_id;

CREATE VIEW memory.memory_history WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, memory_id, action,
           CASE WHEN pg_catalog.jsonb_typeof(before) OPERATOR(pg_catalog.=) 'string'
                THEN @extschema@.memory_reveal(before OPERATOR(pg_catalog.#>>) '{}', 'stored_history.before', user_id, id)
                     ::pg_catalog.jsonb
                ELSE before END AS before,
           changed_by, changed_at
    FROM memory.stored_history;

CREATE TABLE memory.recall_profiles (
    profile          text PRIMARY KEY,
    similarity       double precision NOT NULL DEFAULT 0,
    keyword          double precision NOT NULL DEFAULT 0,
    importance       double precision NOT NULL DEFAULT 0,
    strength         double precision NOT NULL DEFAULT 0,
    recency          double precision NOT NULL DEFAULT 0,
    recency_halflife interval NOT NULL DEFAULT '30 days',
    neighbours       double precision NOT NULL DEFAULT 0,
    session          double precision NOT NULL DEFAULT 0,
    speaker          double precision NOT NULL DEFAULT 0,
    "time"           double precision NOT NULL DEFAULT 0,
    messages         double precision NOT NULL DEFAULT 1,
    shipped          boolean NOT NULL DEFAULT false
);

INSERT INTO memory.recall_profiles (profile, similarity, keyword, importance, strength, recency, neighbours, session,
                                    speaker, "time", messages, shipped) VALUES
    ('default', 1.2, 1.0, 0.1, 0.05, 0.05, 0.4, 0.5, 0.2, 0.2, 0.7, true),
    ('synk', 0.7, 0, 0.2, 0.1, 0, 0, 0, 0, 0, 1, true),
    ('recency', 1.2, 1.0, 0.1, 0.05, 0.8, 0.4, 0.5, 0.2, 0.2, 0.7, true),
    ('keyword', 0, 1.0, 0, 0, 0, 0, 0, 0, 0, 1, true);

-- Rows that come with the extension are the DBA's to change, and a dump carries the change. Restored, such a row
-- takes the place of the one that CREATE EXTENSION put there just before. A dump cannot carry that a row is
-- missing, so they cannot be deleted or renamed. The argument is the column with the row's name.
CREATE FUNCTION memory.keep_shipped_rows() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    place    pg_catalog.text := TG_RELID::pg_catalog.regclass;
    replaced pg_catalog.int8;
BEGIN
    IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
        IF NEW.shipped THEN
            EXECUTE pg_catalog.format('DELETE FROM %s WHERE shipped AND %I OPERATOR(pg_catalog.=) $1', place, TG_ARGV[0])
                USING pg_catalog.to_jsonb(NEW) OPERATOR(pg_catalog.->>) TG_ARGV[0];
            GET DIAGNOSTICS replaced = ROW_COUNT;
            NEW.shipped := replaced OPERATOR(pg_catalog.>) 0;
        END IF;
        RETURN NEW;
    END IF;
    IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
        NEW.shipped := OLD.shipped;
        IF NOT OLD.shipped OR (pg_catalog.to_jsonb(NEW) OPERATOR(pg_catalog.->>) TG_ARGV[0])
                OPERATOR(pg_catalog.=) (pg_catalog.to_jsonb(OLD) OPERATOR(pg_catalog.->>) TG_ARGV[0]) THEN
            RETURN NEW;
        END IF;
    ELSIF NOT OLD.shipped OR pg_catalog.pg_trigger_depth() OPERATOR(pg_catalog.>) 1 THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION USING
        ERRCODE = 'object_not_in_prerequisite_state',
        MESSAGE = pg_catalog.format('"%s" of %s came with memory_ext and stays',
                                    pg_catalog.to_jsonb(OLD) OPERATOR(pg_catalog.->>) TG_ARGV[0], place),
        HINT = 'Change its values, or add a row of your own.';
END
$$;

CREATE TRIGGER keep_shipped_rows BEFORE INSERT OR UPDATE OR DELETE ON memory.plans
    FOR EACH ROW EXECUTE FUNCTION memory.keep_shipped_rows('plan');
CREATE TRIGGER keep_shipped_rows BEFORE INSERT OR UPDATE OR DELETE ON memory.recall_profiles
    FOR EACH ROW EXECUTE FUNCTION memory.keep_shipped_rows('profile');
ALTER TABLE memory.plans ENABLE ALWAYS TRIGGER keep_shipped_rows;
ALTER TABLE memory.recall_profiles ENABLE ALWAYS TRIGGER keep_shipped_rows;

CREATE TABLE memory.maintenance_runs (
    user_id    text NOT NULL,
    run_id     bigint GENERATED ALWAYS AS IDENTITY,
    duty       text NOT NULL,
    agent_id   text NOT NULL,
    space      text NOT NULL,
    affected   bigint NOT NULL DEFAULT 0,
    error      text,
    started_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    duration   interval,
    PRIMARY KEY (user_id, run_id)
);

CREATE INDEX maintenance_runs_user ON memory.maintenance_runs (user_id, started_at);

COMMENT ON TABLE memory.plans IS 'How many active memories a user may have with one agent; the DBA''s to change';
COMMENT ON COLUMN memory.plans.plan IS 'The plan';
COMMENT ON COLUMN memory.plans.max_active IS 'How many may be active; NULL: any number';
COMMENT ON COLUMN memory.plans.on_limit IS 'What happens beyond it: archive the least important, or refuse the new one (MEMORY_LIMIT_REACHED)';
COMMENT ON COLUMN memory.plans.shipped IS 'Whether the row came with the extension; it can be changed, but not deleted';

COMMENT ON TABLE memory.users IS 'What is known of users as a whole';
COMMENT ON COLUMN memory.users.user_id IS 'The data subject';
COMMENT ON COLUMN memory.users.plan IS 'The user''s plan; NULL: memory_ext.default_plan';
COMMENT ON COLUMN memory.users.big IS 'Whether the user is searched through indexes';
COMMENT ON COLUMN memory.users.entries IS 'How many search entries a big user had when they were last counted';

COMMENT ON TABLE memory.models IS 'Models that vectors came from; those of different models are never compared';
COMMENT ON COLUMN memory.models.model_id IS 'The model and dimension';
COMMENT ON COLUMN memory.models.name IS 'The name of the model';
COMMENT ON COLUMN memory.models.dimensions IS 'The length of its vectors';
COMMENT ON COLUMN memory.models.provided IS 'Whether memory_ext itself asked for its vectors; those that the application passed are left alone by workers';

COMMENT ON TABLE memory.scopes IS 'Where the memories of a user, agent and space stand';
COMMENT ON COLUMN memory.scopes.user_id IS 'The data subject';
COMMENT ON COLUMN memory.scopes.agent_id IS 'Whose memories they are';
COMMENT ON COLUMN memory.scopes.space IS 'The work, project or document';
COMMENT ON COLUMN memory.scopes.model_id IS 'The model of the last vector';
COMMENT ON COLUMN memory.scopes.decay_steps IS 'How many steps the memories have faded';
COMMENT ON COLUMN memory.scopes.decayed_turn IS 'The turn up to which they faded';
COMMENT ON COLUMN memory.scopes.consolidated_turn IS 'The turn at which they were last consolidated and promoted';
COMMENT ON COLUMN memory.scopes.pruned_turn IS 'The turn at which they were last pruned';
COMMENT ON COLUMN memory.scopes.reflected_turn IS 'The turn at which the user''s profile was last made';
COMMENT ON COLUMN memory.scopes.decayed_at IS 'When they last faded';
COMMENT ON COLUMN memory.scopes.consolidated_at IS 'When they were last consolidated and promoted';
COMMENT ON COLUMN memory.scopes.pruned_at IS 'When they were last pruned';

COMMENT ON TABLE memory.stored_memories IS 'Memories as they are stored; read them through memory.memories';

COMMENT ON TABLE memory.search_entries IS 'What recall reads of memories: no text, but hashes of words, vectors and standing';

COMMENT ON TABLE memory.stored_history IS 'Changes as they are stored; read them through memory.memory_history';

COMMENT ON VIEW memory.memories IS 'Long-term memories with their strength as of now';
COMMENT ON COLUMN memory.memories.user_id IS 'The data subject';
COMMENT ON COLUMN memory.memories.id IS 'The memory; ids sort by time';
COMMENT ON COLUMN memory.memories.agent_id IS 'Whose memory it is';
COMMENT ON COLUMN memory.memories.space IS 'The work, project or document that it belongs to';
COMMENT ON COLUMN memory.memories.session_id IS 'The conversation that it came from';
COMMENT ON COLUMN memory.memories.kind IS 'episodic, semantic, emotional, summary or reflection';
COMMENT ON COLUMN memory.memories.content IS 'What happened or holds';
COMMENT ON COLUMN memory.memories.interpretation IS 'How the agent sees it';
COMMENT ON COLUMN memory.memories.topics IS 'What it is about; caution and identity come first in recall';
COMMENT ON COLUMN memory.memories.emotion IS 'The emotion';
COMMENT ON COLUMN memory.memories.emotion_intensity IS 'How strong it was, from 0 to 1; strong ones fade slower';
COMMENT ON COLUMN memory.memories.importance IS 'From 0 to 1';
COMMENT ON COLUMN memory.memories.strength IS 'From 0 to 1, as of now; it fades by memory_decay and grows when the memory is told again or used';
COMMENT ON COLUMN memory.memories.mention_count IS 'How often it was told again or used';
COMMENT ON COLUMN memory.memories.pinned IS 'Whether it neither fades nor is consolidated or pruned';
COMMENT ON COLUMN memory.memories.source IS 'Who made it: application or consolidation';
COMMENT ON COLUMN memory.memories.source_messages IS 'The messages that it came from';
COMMENT ON COLUMN memory.memories.model IS 'The model of its vector; NULL: it has none';
COMMENT ON COLUMN memory.memories.metadata IS 'Whatever the application keeps with it';
COMMENT ON COLUMN memory.memories.occurred_at IS 'When it happened';
COMMENT ON COLUMN memory.memories.created_at IS 'When it was stored';
COMMENT ON COLUMN memory.memories.updated_at IS 'When it was last changed, told again or used';
COMMENT ON COLUMN memory.memories.recalled_at IS 'When it was last used (memory_mark_used)';
COMMENT ON COLUMN memory.memories.expires_at IS 'From when on it no longer holds; NULL: always';
COMMENT ON COLUMN memory.memories.archived_at IS 'When it was archived; NULL while it is active';
COMMENT ON COLUMN memory.memories.archive_reason IS 'Why: archived, limit, pruned, expired, consolidated, or what the application said';
COMMENT ON COLUMN memory.memories.consolidated_into IS 'The memory that it was merged into';

COMMENT ON VIEW memory.memory_history IS 'What was changed in memories';
COMMENT ON COLUMN memory.memory_history.user_id IS 'The data subject';
COMMENT ON COLUMN memory.memory_history.id IS 'The change; ids sort by time';
COMMENT ON COLUMN memory.memory_history.memory_id IS 'The memory';
COMMENT ON COLUMN memory.memory_history.action IS 'updated, pinned, unpinned, archived, restored, promoted or consolidated';
COMMENT ON COLUMN memory.memory_history.before IS 'What was changed, as it was before';
COMMENT ON COLUMN memory.memory_history.changed_by IS 'The role that did it';
COMMENT ON COLUMN memory.memory_history.changed_at IS 'When';

COMMENT ON TABLE memory.recall_profiles IS 'How much each signal counts in memory_recall; the DBA''s to change';
COMMENT ON COLUMN memory.recall_profiles.profile IS 'The profile';
COMMENT ON COLUMN memory.recall_profiles.similarity IS 'Weight of the cosine to the query''s vector';
COMMENT ON COLUMN memory.recall_profiles.keyword IS 'Weight of the query''s words (BM25, the best hit is 1)';
COMMENT ON COLUMN memory.recall_profiles.importance IS 'Weight of the importance';
COMMENT ON COLUMN memory.recall_profiles.strength IS 'Weight of the strength as of now';
COMMENT ON COLUMN memory.recall_profiles.recency IS 'Weight of the recency: 1 now, one half after the half-life';
COMMENT ON COLUMN memory.recall_profiles.recency_halflife IS 'The time after which recency is one half';
COMMENT ON COLUMN memory.recall_profiles.neighbours IS 'Weight of what stands around a message in its session';
COMMENT ON COLUMN memory.recall_profiles.session IS 'Weight of the words of a message''s whole session (BM25, the best session is 1)';
COMMENT ON COLUMN memory.recall_profiles.speaker IS 'Weight of being said by the one whom the query means';
COMMENT ON COLUMN memory.recall_profiles."time" IS 'Weight of being of the time that the query names';
COMMENT ON COLUMN memory.recall_profiles.messages IS 'What a message counts beside a memory with the same signals';
COMMENT ON COLUMN memory.recall_profiles.shipped IS 'Whether the row came with the extension; it can be changed, but not deleted';

COMMENT ON TABLE memory.maintenance_runs IS 'What memory_maintain did';
COMMENT ON COLUMN memory.maintenance_runs.run_id IS 'The run';
COMMENT ON COLUMN memory.maintenance_runs.duty IS 'decay, consolidate (with promotion) or prune';
COMMENT ON COLUMN memory.maintenance_runs.user_id IS 'The data subject';
COMMENT ON COLUMN memory.maintenance_runs.agent_id IS 'The agent of the scope';
COMMENT ON COLUMN memory.maintenance_runs.space IS 'The space of the scope';
COMMENT ON COLUMN memory.maintenance_runs.affected IS 'How many scopes faded, groups and memories were consolidated and promoted, or memories pruned';
COMMENT ON COLUMN memory.maintenance_runs.error IS 'Why it failed; NULL: it did not';
COMMENT ON COLUMN memory.maintenance_runs.started_at IS 'When it began';
COMMENT ON COLUMN memory.maintenance_runs.duration IS 'How long it took';
