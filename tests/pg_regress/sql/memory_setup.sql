-- What the tests of memories use.

-- What must hold for a user at any time: every memory has its search entry with the same scope, kind and times, every
-- entry its memory, every change its memory, every memory its scope. No row: all is well.
CREATE FUNCTION test.memory_faults(whose text) RETURNS SETOF text
LANGUAGE sql AS $$
    SELECT CASE WHEN e.id IS NULL THEN 'memory without entry' WHEN m.id IS NULL THEN 'entry without memory'
                ELSE 'memory and entry differ' END
    FROM (SELECT * FROM memory.stored_memories WHERE user_id = whose) m
    FULL JOIN (SELECT * FROM memory.search_entries WHERE user_id = whose) e ON m.id = e.id
    WHERE m.id IS NULL OR e.id IS NULL OR e.source <> CASE WHEN m.archived_at IS NULL THEN 'r' ELSE 'a' END
        OR (m.agent_id, m.space, m.kind, m.occurred_at, m.expires_at)
            IS DISTINCT FROM (e.agent_id, e.space, e.kind, e.occurred_at, e.expires_at)
        OR (e.embedding IS NOT NULL AND e.model_id IS NULL)
        OR e.importance NOT BETWEEN 0 AND 1 OR e.strength NOT BETWEEN 0 AND 1
    UNION ALL
    SELECT 'history without memory' FROM memory.stored_history h
    WHERE h.user_id = whose AND NOT EXISTS (SELECT FROM memory.stored_memories m WHERE m.user_id = whose AND m.id = h.memory_id)
    UNION ALL
    SELECT 'memory without scope' FROM memory.stored_memories m
    WHERE m.user_id = whose AND NOT EXISTS (SELECT FROM memory.scopes s
        WHERE (s.user_id, s.agent_id, s.space) = (m.user_id, m.agent_id, m.space))
$$;

-- The id of a user's memory with this text.
CREATE FUNCTION test.memory(whose text, said text) RETURNS uuid
LANGUAGE sql AS $$ SELECT id FROM memory.memories WHERE user_id = whose AND content = said ORDER BY id DESC LIMIT 1 $$;

-- A unit vector at this cosine to [1, 0].
CREATE FUNCTION test.at(cosine float8) RETURNS vector
LANGUAGE sql AS $$ SELECT ARRAY[cosine, sqrt(1 - cosine * cosine)]::vector $$;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA test TO PUBLIC;
