\pset format unaligned
-- Whatever the extension makes.
CREATE TEMP VIEW parts AS
    SELECT classid, objid, pg_describe_object(classid, objid, 0) AS part
    FROM pg_depend JOIN pg_extension e ON refobjid = e.oid AND refclassid = 'pg_extension'::regclass
    WHERE extname = 'memory_ext' AND deptype = 'e';

-- Every schema, function, table and view has a comment.
SELECT count(*) > 20 AS enough FROM parts;
SELECT part FROM parts
WHERE classid IN ('pg_namespace'::regclass, 'pg_proc'::regclass, 'pg_class'::regclass)
  AND coalesce(obj_description(objid, classid::regclass::name), '') = ''
  AND NOT EXISTS (SELECT FROM pg_class WHERE oid = objid AND relkind NOT IN ('r', 'v', 'p', 'm', 'f'))
ORDER BY part COLLATE "C";
-- So does every column of what people read: the views, and the tables that are no view's storage.
SELECT c.oid::regclass AS relation, attname AS column
FROM parts JOIN pg_class c ON classid = 'pg_class'::regclass AND objid = c.oid
JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
WHERE c.relkind IN ('r', 'v') AND relname !~ '^stored_' AND relname <> 'search_entries'
  AND coalesce(col_description(attrelid, attnum), '') = ''
ORDER BY 1, attnum;

-- Every argument has a name, and one that => takes without quotes, but for limit and offset.
SELECT part FROM parts JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE pronargs > 0 AND proargnames IS NULL
   OR EXISTS (SELECT FROM unnest(proargnames) AS name JOIN pg_get_keywords() ON word = name WHERE catcode IN ('R', 'C') AND name NOT IN ('limit', 'offset'));
-- Every function has its search_path, and none runs as its owner. A procedure that commits can have no setting.
SELECT part FROM parts JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE prokind <> 'p' AND (proconfig IS NULL OR NOT 'search_path=pg_catalog, pg_temp' = ANY (proconfig)) OR prosecdef;

-- PUBLIC may call no function, and see no schema, table or view.
SELECT part, privilege_type FROM parts JOIN pg_proc p ON classid = 'pg_proc'::regclass AND objid = p.oid,
    aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0;
SELECT part, privilege_type FROM parts JOIN pg_class c ON classid = 'pg_class'::regclass AND objid = c.oid,
    aclexplode(coalesce(relacl, acldefault('r', relowner))) WHERE grantee = 0;
SELECT part, privilege_type FROM parts JOIN pg_namespace n ON classid = 'pg_namespace'::regclass AND objid = n.oid,
    aclexplode(coalesce(nspacl, acldefault('n', nspowner))) WHERE grantee = 0;
-- Every function has somebody who may call it.
SELECT part FROM parts WHERE classid = 'pg_proc'::regclass
  AND NOT EXISTS (SELECT FROM unnest('{memory_reader,memory_writer,memory_admin}'::text[]) AS role
                  WHERE has_function_privilege(role, objid, 'execute'));

-- Every table with a user_id has row-level security, for its owner too; every view asks for the reader's rights.
SELECT part FROM parts JOIN pg_class c ON classid = 'pg_class'::regclass AND objid = c.oid
WHERE relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)
  AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'user_id');
SELECT part FROM parts JOIN pg_class c ON classid = 'pg_class'::regclass AND objid = c.oid
WHERE relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY (reloptions), false);
-- user_id leads every primary key and unique index of such a table.
SELECT i.indexrelid::regclass FROM parts JOIN pg_index i ON classid = 'pg_class'::regclass AND objid = i.indrelid
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = 'user_id' AND a.attnotnull
WHERE i.indisunique AND i.indkey[0] <> a.attnum;
-- The rows of every table are dumped.
SELECT part FROM parts JOIN pg_class c ON classid = 'pg_class'::regclass AND objid = c.oid
WHERE relkind = 'r' AND c.oid NOT IN (SELECT unnest(extconfig) FROM pg_extension WHERE extname = 'memory_ext');
