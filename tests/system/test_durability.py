"""What has been committed stays: over a dump, a crash and a change of servers."""

import re


def dump(server, database):
    """What a database holds, line by line; the rows of a table stand in no order."""
    text = server.run("pg_dump", "-d", database)
    # Newer minors guard a dump with a random word.
    return sorted(re.sub(r"^\\(un)?restrict .*\n", "", text, flags=re.M).splitlines())


def test_dump_and_restore(shared_cluster, database, tmp_path):
    shared_cluster.psql("CREATE TABLE application (word text); INSERT INTO application VALUES ('기억')", database)
    shared_cluster.run("pg_dump", "-Fc", "-d", database, "-f", tmp_path / "dump")
    copy = shared_cluster.create_database("copy", extension=False)
    shared_cluster.run("pg_restore", "--exit-on-error", "-d", copy, tmp_path / "dump")
    assert dump(shared_cluster, copy) == dump(shared_cluster, database)
    extension = "SELECT extversion FROM pg_extension WHERE extname = 'memory_ext'"
    assert shared_cluster.psql(extension, copy) == shared_cluster.psql(extension, database) != ""


def test_crash(make_cluster):
    server = make_cluster()
    server.create_database("app")
    server.psql("CREATE TABLE application AS SELECT 1 AS kept", "app")
    server.kill()
    assert not server.is_running()
    server.start()
    assert server.psql("SELECT kept FROM application", "app") == "1"
    assert server.psql("SELECT count(*) FROM pg_extension WHERE extname = 'memory_ext'", "app") == "1"


def test_standby_follows_and_takes_over(make_cluster):
    server = make_cluster()
    standby = server.standby()
    make_cluster.made.append(standby)
    standby.start()
    server.create_database("app")
    server.wait_for(standby)
    extension = "SELECT count(*) FROM pg_extension WHERE extname = 'memory_ext'"
    assert standby.psql(extension, "app") == "1"
    server.kill()
    standby.promote()
    standby.psql("CREATE TABLE written (a int)", "app")
    assert standby.psql(extension, "app") == "1"
