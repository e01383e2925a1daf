-- The rows of an extension's tables are dumped only when they are marked so. Those that the extension's script
-- puts in itself (memory.plans, memory.recall_profiles, memory.fact_keys) are dumped too; memory.keep_shipped_rows restores them.
SELECT pg_catalog.pg_extension_config_dump('memory.agents', '');
SELECT pg_catalog.pg_extension_config_dump('memory.sessions', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_messages', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_summaries', '');
SELECT pg_catalog.pg_extension_config_dump('memory.plans', '');
SELECT pg_catalog.pg_extension_config_dump('memory.users', '');
SELECT pg_catalog.pg_extension_config_dump('memory.scopes', '');
SELECT pg_catalog.pg_extension_config_dump('memory.models', '');
SELECT pg_catalog.pg_extension_config_dump('memory.models_model_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_memories', '');
SELECT pg_catalog.pg_extension_config_dump('memory.search_entries', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_history', '');
SELECT pg_catalog.pg_extension_config_dump('memory.recall_profiles', '');
SELECT pg_catalog.pg_extension_config_dump('memory.maintenance_runs', '');
SELECT pg_catalog.pg_extension_config_dump('memory.maintenance_runs_run_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('memory.fact_keys', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_facts', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_relationships', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_relationship_changes', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_scenes', '');
SELECT pg_catalog.pg_extension_config_dump('memory.jobs', '');
SELECT pg_catalog.pg_extension_config_dump('memory.session_progress', '');
SELECT pg_catalog.pg_extension_config_dump('memory.llm_usage', '');
SELECT pg_catalog.pg_extension_config_dump('memory.encryption', '');
SELECT pg_catalog.pg_extension_config_dump('memory.user_keys', '');
