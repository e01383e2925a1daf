-- The rows of an extension's tables are dumped only when they are marked so.
SELECT pg_catalog.pg_extension_config_dump('memory.agents', '');
SELECT pg_catalog.pg_extension_config_dump('memory.sessions', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_messages', '');
SELECT pg_catalog.pg_extension_config_dump('memory.stored_summaries', '');
SELECT pg_catalog.pg_extension_config_dump('memory.search_entries', '');
