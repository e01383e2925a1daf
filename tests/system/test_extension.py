"""The life of the extension in a database."""

import psycopg
import pytest

# Everything in a database that has a name, so that what a DROP EXTENSION leaves behind shows.
OBJECTS = """
SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'
UNION ALL SELECT 'relation ' || oid::regclass FROM pg_class WHERE relnamespace <> 'pg_toast'::regnamespace
UNION ALL SELECT 'function ' || oid::regprocedure FROM pg_proc
UNION ALL SELECT 'type ' || oid::regtype FROM pg_type WHERE typnamespace <> 'pg_toast'::regnamespace
UNION ALL SELECT 'extension ' || extname FROM pg_extension
"""


def objects(connection):
    return {row[0] for row in connection.execute(OBJECTS)}


def version(connection):
    return connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'memory_ext'").fetchone()


def test_drop_leaves_nothing_and_create_works_again(shared_cluster):
    name = shared_cluster.create_database("life", extension=False)
    with shared_cluster.connect(name) as connection:
        connection.execute("CREATE EXTENSION vector")
        before = objects(connection)
        connection.execute("CREATE EXTENSION memory_ext")
        first = objects(connection)
        connection.execute("DROP EXTENSION memory_ext CASCADE")
        assert objects(connection) == before
        connection.execute("CREATE EXTENSION memory_ext")
        assert objects(connection) == first


def test_it_can_live_in_any_schema(shared_cluster):
    name = shared_cluster.create_database("elsewhere", extension=False)
    with shared_cluster.connect(name) as connection:
        connection.execute('CREATE SCHEMA "Odd schema"')
        connection.execute("CREATE SCHEMA vectors")
        connection.execute("CREATE EXTENSION vector SCHEMA vectors")
        connection.execute('CREATE EXTENSION memory_ext SCHEMA "Odd schema"')
        assert version(connection)


def test_it_works_without_being_preloaded(make_cluster):
    server = make_cluster(preload=False)
    with server.connect(server.create_database("plain")) as connection:
        assert version(connection)


def test_only_a_superuser_creates_it(shared_cluster):
    shared_cluster.psql("CREATE ROLE owner LOGIN")
    shared_cluster.psql("CREATE DATABASE owned OWNER owner")
    shared_cluster.psql("CREATE EXTENSION vector", "owned")
    with shared_cluster.connect("owned", user="owner") as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE EXTENSION memory_ext")


@pytest.mark.parametrize("encoding", ["LATIN1", "EUC_KR", "SQL_ASCII"])
def test_a_database_in_another_encoding_is_refused(shared_cluster, encoding):
    name = f"in_{encoding.lower()}"
    shared_cluster.psql(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    with shared_cluster.connect(name) as connection:
        with pytest.raises(psycopg.errors.FeatureNotSupported, match=f"UTF8, this one is in {encoding}"):
            connection.execute("CREATE EXTENSION memory_ext CASCADE")
