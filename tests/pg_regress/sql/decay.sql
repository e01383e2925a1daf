\pset format unaligned
\pset null '∅'
SET memory_ext.embedding_provider = none;
-- SYNK 5, number by number: the factor of a step by kind, emotion and importance; at most 0.995.
CREATE TEMP TABLE cases (kind text, emotion float8, importance float8, factor float8);
INSERT INTO cases VALUES
    ('episodic', 0, 0, 0.95), ('emotional', 0, 0, 0.97), ('semantic', 0, 0, 0.98), ('summary', 0, 0, 0.95), ('reflection', 0, 0, 0.98),
    ('episodic', 0.5, 0.5, 0.9675), ('emotional', 0.5, 0.5, 0.9805), ('semantic', 0.5, 0.5, 0.987),
    ('episodic', 1, 0, 0.97), ('episodic', 0, 1, 0.965),
    ('episodic', 1, 1, 0.985), ('emotional', 1, 1, 0.991), ('semantic', 1, 1, 0.994);
SELECT count(*) FROM cases, memory_create('decay-table', concat_ws(' ', kind, emotion, cases.importance), kind => kind, emotion_intensity => emotion, importance => cases.importance, force => true);
SELECT memory_decay('decay-table');
CREATE TEMP VIEW decayed AS
    SELECT m.id, m.content, c.factor, m.strength FROM memory.memories m JOIN cases c ON m.content = concat_ws(' ', c.kind, c.emotion, c.importance) WHERE user_id = 'decay-table';
SELECT content, factor, round(strength::numeric, 9) AS strength FROM decayed ORDER BY content COLLATE "C";
-- Ten steps more, here, in memory_get and in memory_recall.
SELECT memory_decay('decay-table', steps => 10);
SELECT bool_and(abs(d.strength - factor ^ 11) < 1e-9) AS view, bool_and(g.strength = d.strength) AS get, bool_and(r.strength = d.strength) AS recall, bool_and(l.strength = d.strength) AS list, count(*)
FROM decayed d, memory_get('decay-table', d.id) g, memory_recall('decay-table', k => 100) r, memory_list('decay-table', "limit" => 100) l WHERE r.id = d.id AND l.id = d.id;
-- The floor: only what is above 0.1 fades, so it stops at the first value that reaches it.
SELECT strength_after(1, 0.95, 44) > 0.1 AS above, strength_after(1, 0.95, 45) <= 0.1 AS reached, strength_after(1, 0.95, 45) = strength_after(1, 0.95, 1000000) AS stays;
SELECT memory_decay('decay-table', steps => 1000000);
SELECT bool_and(strength <= 0.1 AND strength > 0.1 * factor - 1e-12) AS at_the_floor FROM decayed;
SELECT strength_after(0.1, 0.95, 5) AS floor, strength_after(0.05, 0.95, 5) AS below, strength_after(1, 1, 5) AS pinned, strength_after(0.5, 0.95, 0) AS none, strength_after(0.5, 0.95, -3) AS negative,
       strength_after(NULL, 0.95, 1) AS unknown, strength_after(1, 0.9999999999999999, 9223372036854775807) > 0.9 AS slow, strength_after(1, 0, 1) AS at_once, strength_after('infinity', 0.9999999999999999, 1) AS endless;
-- Lazy decay equals decay step by step, with touches on the way.
CREATE FUNCTION pg_temp.step_by_step(strength float8, factor float8, steps int) RETURNS float8 LANGUAGE plpgsql AS
$$ BEGIN FOR i IN 1..steps LOOP IF strength > 0.1 THEN strength := strength * factor; END IF; END LOOP; RETURN strength; END $$;
SELECT count(*), count(*) FILTER (WHERE abs(strength_after(s, f, n) - pg_temp.step_by_step(s, f, n)) > 1e-9) AS wrong
FROM (SELECT random() AS s, 0.9 + random() * 0.095 AS f, (random() * 1000)::int AS n FROM generate_series(1, 1000)) AS random;
-- Memories made later, touched or changed on the way count from there.
SELECT id AS old FROM memory_create('decay-touch', 'old', importance => 0, force => true) \gset
SELECT memory_decay('decay-touch', steps => 3);
SELECT id AS new FROM memory_create('decay-touch', 'new', importance => 0, force => true) \gset
SELECT memory_decay('decay-touch', steps => 2);
SELECT memory_mark_used('decay-touch', ARRAY[:'old']::uuid[]);
SELECT memory_decay('decay-touch', steps => 4);
SELECT content, round(strength::numeric, 9) AS strength, mention_count, recalled_at IS NOT NULL AS used FROM memory.memories WHERE user_id = 'decay-touch' ORDER BY content COLLATE "C";
SELECT round((0.95 ^ 6)::numeric, 9) AS new, round((least(1, 0.95 ^ 5 + 0.2) * 0.95 ^ 4)::numeric, 9) AS old;
-- A changed kind has another factor from now on.
SELECT round(strength::numeric, 9) AS strength FROM memory_update('decay-touch', :'new', kind => 'semantic');
SELECT memory_decay('decay-touch', steps => 2);
SELECT round(strength::numeric, 9) AS strength, round((0.95 ^ 6 * 0.98 ^ 2)::numeric, 9) AS expected FROM memory_get('decay-touch', :'new');
-- Pinned memories do not fade; unpinned they go on from where they were.
SELECT memory_pin('decay-touch', :'new');
SELECT memory_decay('decay-touch', steps => 100);
SELECT round(strength::numeric, 9) AS strength FROM memory_get('decay-touch', :'new');
SELECT memory_pin('decay-touch', :'new', false);
SELECT memory_decay('decay-touch');
SELECT round(strength::numeric, 9) AS strength, round((0.95 ^ 6 * 0.98 ^ 3)::numeric, 9) AS expected FROM memory_get('decay-touch', :'new');
-- By scope: NULL is all of the user's.
SELECT count(*) FROM (VALUES ('a', ''), ('a', 's'), ('b', '')) AS v (a, s), memory_create('decay-scopes', a || s, agent_id => a, space => s, importance => 0, force => true);
SELECT memory_decay('decay-scopes', 'a'), memory_decay('decay-scopes', space => ''), memory_decay('decay-scopes', 'a', 's'), memory_decay('decay-scopes', 'none'), memory_decay('decay-scopes'), memory_decay('decay-nobody');
SELECT agent_id, space, round(log(0.95, strength::numeric)) AS steps FROM memory.memories WHERE user_id = 'decay-scopes' ORDER BY 1, 2;
-- However many memories a scope has, decay writes one row.
SELECT count(*) FROM generate_series(1, 300) n, memory_create('decay-many', 'memory ' || n, force => true);
BEGIN;
SELECT memory_decay('decay-many', steps => 7);
SELECT relation, count(*) FROM (
    SELECT 'scopes' AS relation FROM memory.scopes WHERE xmin = pg_current_xact_id()::xid
    UNION ALL SELECT 'memories' FROM memory.stored_memories WHERE xmin = pg_current_xact_id()::xid
    UNION ALL SELECT 'entries' FROM memory.search_entries WHERE xmin = pg_current_xact_id()::xid
    UNION ALL SELECT 'history' FROM memory.stored_history WHERE xmin = pg_current_xact_id()::xid) AS written GROUP BY relation;
COMMIT;
-- Decay lowers the rank; it never hides.
SELECT count(*) FROM memory_recall('decay-many', k => 1000);
SELECT u, f FROM unnest('{decay-table,decay-touch,decay-scopes,decay-many}'::text[]) AS u, test.memory_faults(u) AS f;
