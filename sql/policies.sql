-- A connection sees the rows of the user that memory_ext.user_id names, and none when it names nobody.
-- Members of memory_service see all. The sub-selects are evaluated once for a statement, not for each row.
DO $policies$
DECLARE
    holder pg_catalog.text;
BEGIN
    FOREACH holder IN ARRAY ARRAY['sessions', 'stored_messages', 'stored_summaries', 'users', 'scopes', 'stored_memories',
                                 'search_entries', 'stored_history', 'maintenance_runs', 'stored_facts', 'stored_relationships',
                                 'stored_relationship_changes', 'stored_scenes', 'jobs', 'session_progress', 'llm_usage', 'user_keys'] LOOP
        EXECUTE pg_catalog.format('ALTER TABLE memory.%I ENABLE ROW LEVEL SECURITY', holder);
        EXECUTE pg_catalog.format('ALTER TABLE memory.%I FORCE ROW LEVEL SECURITY', holder);
        EXECUTE pg_catalog.format($policy$
            CREATE POLICY own_rows ON memory.%I USING (
                user_id OPERATOR(pg_catalog.=)
                    (SELECT nullif(pg_catalog.current_setting('memory_ext.user_id', true), ''))
                OR (SELECT pg_catalog.pg_has_role(current_user, 'memory_service', 'usage')))
            $policy$, holder);
    END LOOP;
END
$policies$;

REVOKE ALL ON SCHEMA memory FROM PUBLIC;
GRANT USAGE ON SCHEMA memory TO memory_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA memory TO memory_reader;
GRANT INSERT, UPDATE, DELETE ON memory.sessions, memory.stored_messages, memory.stored_summaries,
    memory.scopes, memory.stored_memories, memory.search_entries, memory.stored_history, memory.maintenance_runs,
    memory.stored_facts, memory.stored_relationships, memory.stored_relationship_changes, memory.stored_scenes,
    memory.jobs, memory.session_progress
TO memory_writer;
GRANT INSERT ON memory.models TO memory_writer;
-- Whoever writes a user's first row makes the user's key.
GRANT INSERT ON memory.user_keys TO memory_writer;
GRANT UPDATE, DELETE ON memory.user_keys TO memory_admin;
GRANT UPDATE ON memory.encryption TO memory_admin;
-- Not the plan: that is for administrators.
GRANT INSERT (user_id, big, entries), UPDATE (big, entries) ON memory.users TO memory_writer;
GRANT INSERT, UPDATE, DELETE ON memory.agents, memory.users, memory.plans, memory.recall_profiles, memory.models,
    memory.fact_keys, memory.llm_usage TO memory_admin;
