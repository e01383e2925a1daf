-- Roles belong to the cluster, not to a database: another database may have made them already,
-- and DROP EXTENSION leaves them alone.
DO $roles$
DECLARE
    wanted pg_catalog.text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['memory_reader', 'memory_writer', 'memory_service', 'memory_admin'] LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname OPERATOR(pg_catalog.=) wanted) THEN
            EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', wanted);
        END IF;
    END LOOP;
END
$roles$;

GRANT memory_reader TO memory_writer;
GRANT memory_writer, memory_service TO memory_admin;
