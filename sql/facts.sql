-- What facts can be about, the more special before the more general. An administrator may add rows and
-- synonyms; every backend follows at once.
CREATE TABLE memory.fact_keys (
    key         text PRIMARY KEY CHECK (pg_catalog.octet_length(key) OPERATOR(pg_catalog.<=) 512),
    rank        integer NOT NULL DEFAULT 0,
    category    text NOT NULL CHECK (category OPERATOR(pg_catalog.=) ANY (ARRAY[
                    'PERSONAL_INFO', 'PREFERENCE', 'RELATIONSHIP', 'GOAL', 'EVENT', 'HABIT', 'OPINION', 'OTHER'])),
    class       text NOT NULL CHECK (class OPERATOR(pg_catalog.=) ANY (ARRAY['identity', 'moment', 'experience'])),
    cardinality text NOT NULL DEFAULT 'single'
                    CHECK (cardinality OPERATOR(pg_catalog.=) ANY (ARRAY['single', 'many'])),
    kind        text NOT NULL DEFAULT 'text' CHECK (kind OPERATOR(pg_catalog.=) ANY (ARRAY[
                    'text', 'name', 'age', 'year', 'month_day', 'height', 'weight', 'money', 'blood_type', 'mbti', 'choice'])),
    label_ko    text NOT NULL,
    label_en    text NOT NULL,
    synonyms_ko text[] NOT NULL DEFAULT '{}',
    synonyms_en text[] NOT NULL DEFAULT '{}',
    frame       text NOT NULL DEFAULT '',
    shipped     boolean NOT NULL DEFAULT false
);

INSERT INTO memory.fact_keys
    SELECT key, rank, category, class, cardinality, kind, label_ko, label_en, synonyms_ko, synonyms_en, frame, true
    FROM @extschema@.fact_keys_shipped();

CREATE TRIGGER keep_shipped_rows BEFORE INSERT OR UPDATE OR DELETE ON memory.fact_keys
    FOR EACH ROW EXECUTE FUNCTION memory.keep_shipped_rows('key');
ALTER TABLE memory.fact_keys ENABLE ALWAYS TRIGGER keep_shipped_rows;
-- pgrx cannot give a trigger's function a search_path.
ALTER FUNCTION @extschema@.fact_keys_changed() SET search_path = pg_catalog, pg_temp;
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
-- What holds from a time on comes last, however long the history before it is.
CREATE INDEX stored_facts_history
    ON memory.stored_facts (user_id, agent_id, space, key, (coalesce(valid_to, 'infinity'::pg_catalog.timestamptz)));

CREATE VIEW memory.facts WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, agent_id, space, key,
           CASE WHEN pg_catalog.starts_with(value, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(value, 'stored_facts.value', user_id, id)
                ELSE value END AS value,
           CASE WHEN pg_catalog.starts_with(raw, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(raw, 'stored_facts.raw', user_id, id)
                ELSE raw END AS raw,
           category, class, single, importance, emotion, confidence,
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
    note_source   text,
    -- Another one with every change: the note is sealed for it, while agent and space may be renamed.
    version       uuid NOT NULL,
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
           CASE WHEN pg_catalog.starts_with(director_note, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(director_note, 'stored_relationships.director_note', user_id, version)
                ELSE director_note END AS director_note,
           updated_at
    FROM memory.stored_relationships;

CREATE VIEW memory.relationship_changes WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, agent_id, space, scene_id, deltas, score, level, emotion, intensity,
           CASE WHEN pg_catalog.starts_with(reason, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(reason, 'stored_relationship_changes.reason', user_id, id)
                ELSE reason END AS reason,
           changed_at
    FROM memory.stored_relationship_changes;

CREATE VIEW memory.emotional_history WITH (security_barrier, security_invoker) AS
    SELECT user_id, agent_id, space, emotion, intensity, scene_id, changed_at AS felt_at
    FROM memory.stored_relationship_changes WHERE emotion IS NOT NULL;

CREATE VIEW memory.scenes WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, agent_id, space, session_id,
           CASE WHEN pg_catalog.starts_with(place, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(place, 'stored_scenes.place', user_id, id)
                ELSE place END AS place,
           CASE WHEN pg_catalog.starts_with(scene_time, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(scene_time, 'stored_scenes.scene_time', user_id, id)
                ELSE scene_time END AS scene_time,
           ARRAY(SELECT CASE WHEN pg_catalog.starts_with(p.stored, pg_catalog.chr(1))
                             THEN @extschema@.memory_reveal(p.stored, 'stored_scenes.participants', user_id, id)
                             ELSE p.stored END
                 FROM pg_catalog.unnest(participants) WITH ORDINALITY AS p (stored, place)
                 ORDER BY p.place) AS participants,
           CASE WHEN pg_catalog.starts_with(tone, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(tone, 'stored_scenes.tone', user_id, id)
                ELSE tone END AS tone,
           topics, started_at
    FROM memory.stored_scenes;

COMMENT ON TABLE memory.fact_keys IS 'What facts can be about, with its words in both languages; the DBA''s to extend';
COMMENT ON COLUMN memory.fact_keys.key IS 'The canonical key, one for all languages';
COMMENT ON COLUMN memory.fact_keys.rank IS 'The order of look-ups: the more special key before the more general';
COMMENT ON COLUMN memory.fact_keys.category IS 'PERSONAL_INFO, PREFERENCE, RELATIONSHIP, GOAL, EVENT, HABIT, OPINION or OTHER';
COMMENT ON COLUMN memory.fact_keys.class IS 'identity (who the user is), moment (what holds for now) or experience (what was done together)';
COMMENT ON COLUMN memory.fact_keys.cardinality IS 'single: a new value replaces the old; many: values add up';
COMMENT ON COLUMN memory.fact_keys.kind IS 'How values are brought into one form';
COMMENT ON COLUMN memory.fact_keys.label_ko IS 'Its name in Korean contexts';
COMMENT ON COLUMN memory.fact_keys.label_en IS 'Its name in English contexts';
COMMENT ON COLUMN memory.fact_keys.synonyms_ko IS 'Other Korean words for it';
COMMENT ON COLUMN memory.fact_keys.synonyms_en IS 'English words for it';
COMMENT ON COLUMN memory.fact_keys.frame IS 'A sentence pattern that states it, such as like:food; empty: none';
COMMENT ON COLUMN memory.fact_keys.shipped IS 'Whether the row came with the extension; it can be changed, but not deleted';

COMMENT ON TABLE memory.stored_facts IS 'Facts as they are stored; read them through memory.facts';
COMMENT ON TABLE memory.stored_relationships IS 'Relationships as they are stored; read them through memory.relationships';
COMMENT ON TABLE memory.stored_relationship_changes IS 'Changes as they are stored; read them through memory.relationship_changes';
COMMENT ON TABLE memory.stored_scenes IS 'Scenes as they are stored; read them through memory.scenes';

COMMENT ON VIEW memory.facts IS 'Everything that was ever known of users: the current values and those before';
COMMENT ON COLUMN memory.facts.user_id IS 'The data subject';
COMMENT ON COLUMN memory.facts.id IS 'The fact; ids sort by time';
COMMENT ON COLUMN memory.facts.agent_id IS 'Which agent knows it';
COMMENT ON COLUMN memory.facts.space IS 'The work, project or document in which it holds';
COMMENT ON COLUMN memory.facts.key IS 'What it is about: a key of memory.fact_keys, with a person before it when it is about that person';
COMMENT ON COLUMN memory.facts.value IS 'The value in its normal form';
COMMENT ON COLUMN memory.facts.raw IS 'The value as it was said';
COMMENT ON COLUMN memory.facts.category IS 'PERSONAL_INFO, PREFERENCE, RELATIONSHIP, GOAL, EVENT, HABIT, OPINION or OTHER';
COMMENT ON COLUMN memory.facts.class IS 'identity, moment or experience';
COMMENT ON COLUMN memory.facts.single IS 'Whether the key has one value at a time';
COMMENT ON COLUMN memory.facts.importance IS 'From 0 to 1';
COMMENT ON COLUMN memory.facts.emotion IS 'The emotion that goes with it';
COMMENT ON COLUMN memory.facts.confidence IS 'How sure it is, from 0 to 1';
COMMENT ON COLUMN memory.facts.source IS 'Who stated it: application, user or assistant';
COMMENT ON COLUMN memory.facts.source_message IS 'The message that stated it';
COMMENT ON COLUMN memory.facts.session_id IS 'The conversation in which it was stated';
COMMENT ON COLUMN memory.facts.valid_from IS 'Since when it is true';
COMMENT ON COLUMN memory.facts.valid_to IS 'Until when it was true; NULL: it still is';
COMMENT ON COLUMN memory.facts.recorded_at IS 'When we learned it';
COMMENT ON COLUMN memory.facts.closed_at IS 'When we learned that it had ended';
COMMENT ON COLUMN memory.facts.closed_by IS 'The fact that took its place';
COMMENT ON COLUMN memory.facts.metadata IS 'Whatever the application keeps with it';

COMMENT ON VIEW memory.relationships IS 'How users and agents stand to each other';
COMMENT ON COLUMN memory.relationships.user_id IS 'The data subject';
COMMENT ON COLUMN memory.relationships.agent_id IS 'The agent';
COMMENT ON COLUMN memory.relationships.space IS 'The work, project or document';
COMMENT ON COLUMN memory.relationships.trust IS 'From 0 to 100';
COMMENT ON COLUMN memory.relationships.affection IS 'From 0 to 100';
COMMENT ON COLUMN memory.relationships.respect IS 'From 0 to 100';
COMMENT ON COLUMN memory.relationships.rivalry IS 'From 0 to 100';
COMMENT ON COLUMN memory.relationships.familiarity IS 'From 0 to 100';
COMMENT ON COLUMN memory.relationships.score IS 'affection 0.35 + trust 0.25 + familiarity 0.25 + respect 0.15 - rivalry 0.1, from 0 to 100';
COMMENT ON COLUMN memory.relationships.level IS 'stranger, acquaintance (from 20), friend (40), close_friend (60) or intimate (80)';
COMMENT ON COLUMN memory.relationships.speech_style IS 'formal, casual or intimate when it was agreed on; NULL: as the level has it';
COMMENT ON COLUMN memory.relationships.director_note IS 'What the next answers should mind';
COMMENT ON COLUMN memory.relationships.updated_at IS 'When it last changed';

COMMENT ON VIEW memory.relationship_changes IS 'Every change of a relationship';
COMMENT ON COLUMN memory.relationship_changes.user_id IS 'The data subject';
COMMENT ON COLUMN memory.relationship_changes.id IS 'The change; ids sort by time';
COMMENT ON COLUMN memory.relationship_changes.agent_id IS 'The agent';
COMMENT ON COLUMN memory.relationship_changes.space IS 'The work, project or document';
COMMENT ON COLUMN memory.relationship_changes.scene_id IS 'The scene in which it happened';
COMMENT ON COLUMN memory.relationship_changes.deltas IS 'How far each axis was moved';
COMMENT ON COLUMN memory.relationship_changes.score IS 'The score after it';
COMMENT ON COLUMN memory.relationship_changes.level IS 'The level after it';
COMMENT ON COLUMN memory.relationship_changes.emotion IS 'What was felt';
COMMENT ON COLUMN memory.relationship_changes.intensity IS 'How strong it was, from 0 to 1';
COMMENT ON COLUMN memory.relationship_changes.reason IS 'Why';
COMMENT ON COLUMN memory.relationship_changes.changed_at IS 'When';

COMMENT ON VIEW memory.emotional_history IS 'What was felt and when, out of the changes of relationships';
COMMENT ON COLUMN memory.emotional_history.user_id IS 'The data subject';
COMMENT ON COLUMN memory.emotional_history.agent_id IS 'The agent';
COMMENT ON COLUMN memory.emotional_history.space IS 'The work, project or document';
COMMENT ON COLUMN memory.emotional_history.emotion IS 'The emotion';
COMMENT ON COLUMN memory.emotional_history.intensity IS 'How strong it was, from 0 to 1';
COMMENT ON COLUMN memory.emotional_history.scene_id IS 'The scene in which it was felt';
COMMENT ON COLUMN memory.emotional_history.felt_at IS 'When';

COMMENT ON VIEW memory.scenes IS 'Scenes of a story or conversation';
COMMENT ON COLUMN memory.scenes.user_id IS 'The data subject';
COMMENT ON COLUMN memory.scenes.id IS 'The scene; ids sort by time';
COMMENT ON COLUMN memory.scenes.agent_id IS 'The agent';
COMMENT ON COLUMN memory.scenes.space IS 'The work, project or document';
COMMENT ON COLUMN memory.scenes.session_id IS 'The conversation';
COMMENT ON COLUMN memory.scenes.place IS 'Where it plays';
COMMENT ON COLUMN memory.scenes.scene_time IS 'When it plays, in words';
COMMENT ON COLUMN memory.scenes.participants IS 'Who takes part';
COMMENT ON COLUMN memory.scenes.tone IS 'Its mood';
COMMENT ON COLUMN memory.scenes.topics IS 'What it is about';
COMMENT ON COLUMN memory.scenes.started_at IS 'When it began';
