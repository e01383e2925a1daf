-- What facts can be about, the more special before the more general. An administrator may add rows and
-- synonyms; every backend follows at once.
CREATE TABLE memory.fact_keys (
    key         text PRIMARY KEY,
    position    integer NOT NULL DEFAULT 0,
    category    text NOT NULL,
    class       text NOT NULL,
    cardinality text NOT NULL,
    kind        text NOT NULL DEFAULT 'text',
    label_ko    text NOT NULL,
    label_en    text NOT NULL,
    synonyms_ko text[] NOT NULL DEFAULT '{}',
    synonyms_en text[] NOT NULL DEFAULT '{}',
    frame       text NOT NULL DEFAULT ''
);

INSERT INTO memory.fact_keys SELECT * FROM @extschema@.fact_keys_shipped();

CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON memory.fact_keys
    FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.fact_keys_changed();

-- A fact and the time it was true: from valid_from to valid_to. What we knew of it: from recorded_at on that
-- it holds, from closed_at on that it ended at valid_to.
CREATE TABLE memory.stored_facts (
    user_id        text NOT NULL,
    id             uuid NOT NULL,
    agent_id       text NOT NULL,
    space          text NOT NULL,
    key            text NOT NULL,
    value          text NOT NULL,
    value_hash     bigint NOT NULL,
    raw            text NOT NULL,
    category       text NOT NULL,
    class          text NOT NULL,
    single         boolean NOT NULL,
    importance     double precision NOT NULL,
    emotion        text,
    confidence     double precision NOT NULL,
    source         text NOT NULL,
    source_message uuid,
    session_id     text,
    valid_from     timestamptz NOT NULL,
    valid_to       timestamptz,
    recorded_at    timestamptz NOT NULL,
    closed_at      timestamptz,
    closed_by      uuid,
    metadata       jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (user_id, id)
);

-- One current value of a key in a scope, or one of each value where a key holds many.
CREATE UNIQUE INDEX stored_facts_current ON memory.stored_facts (user_id, agent_id, space, key)
    WHERE valid_to IS NULL AND single;
CREATE UNIQUE INDEX stored_facts_values ON memory.stored_facts (user_id, agent_id, space, key, value_hash)
    WHERE valid_to IS NULL;
CREATE INDEX stored_facts_history ON memory.stored_facts (user_id, agent_id, space, key, recorded_at);

CREATE VIEW memory.facts WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, agent_id, space, key, value, raw, category, class, single, importance, emotion, confidence,
           source, source_message, session_id, valid_from, valid_to, recorded_at, closed_at, closed_by, metadata
    FROM memory.stored_facts;

CREATE TABLE memory.stored_relationships (
    user_id       text NOT NULL,
    agent_id      text NOT NULL,
    space         text NOT NULL,
    trust         double precision NOT NULL DEFAULT 0,
    affection     double precision NOT NULL DEFAULT 0,
    respect       double precision NOT NULL DEFAULT 0,
    rivalry       double precision NOT NULL DEFAULT 0,
    familiarity   double precision NOT NULL DEFAULT 0,
    score         double precision NOT NULL DEFAULT 0,
    level         text NOT NULL DEFAULT 'stranger',
    speech_style  text,
    director_note text,
    updated_at    timestamptz NOT NULL,
    PRIMARY KEY (user_id, agent_id, space)
);

CREATE TABLE memory.stored_relationship_changes (
    user_id    text NOT NULL,
    id         uuid NOT NULL,
    agent_id   text NOT NULL,
    space      text NOT NULL,
    scene_id   uuid,
    deltas     jsonb NOT NULL,
    score      double precision NOT NULL,
    level      text NOT NULL,
    emotion    text,
    intensity  double precision,
    reason     text,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX stored_relationship_changes_scope
    ON memory.stored_relationship_changes (user_id, agent_id, space, changed_at);

CREATE TABLE memory.stored_scenes (
    user_id      text NOT NULL,
    id           uuid NOT NULL,
    agent_id     text NOT NULL,
    space        text NOT NULL,
    session_id   text,
    place        text,
    scene_time   text,
    participants text[] NOT NULL DEFAULT '{}',
    tone         text,
    topics       text[] NOT NULL DEFAULT '{}',
    started_at   timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX stored_scenes_scope ON memory.stored_scenes (user_id, agent_id, space, started_at);

CREATE VIEW memory.relationships WITH (security_barrier, security_invoker) AS
    SELECT user_id, agent_id, space, trust, affection, respect, rivalry, familiarity, score, level, speech_style,
           director_note, updated_at
    FROM memory.stored_relationships;

CREATE VIEW memory.relationship_changes WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, agent_id, space, scene_id, deltas, score, level, emotion, intensity, reason, changed_at
    FROM memory.stored_relationship_changes;

CREATE VIEW memory.scenes WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, agent_id, space, session_id, place, scene_time, participants, tone, topics, started_at
    FROM memory.stored_scenes;
