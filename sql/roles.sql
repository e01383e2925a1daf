-- Rust's text is UTF-8: in another encoding the first letter beyond ASCII would fail a call.
DO $encoding$
BEGIN
    IF pg_catalog.getdatabaseencoding() OPERATOR(pg_catalog.<>) 'UTF8' THEN
        RAISE EXCEPTION 'memory_ext needs a database in the encoding UTF8, this one is in %', pg_catalog.getdatabaseencoding()
            USING ERRCODE = 'feature_not_supported', HINT = 'CREATE DATABASE ... ENCODING ''UTF8'' TEMPLATE template0';
    END IF;
END
$encoding$;

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
