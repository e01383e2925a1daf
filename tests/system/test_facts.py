"""Facts over a dump, and from one backend to another."""

ROWS = {
    "facts": "SELECT * FROM memory.facts ORDER BY id",
    "relationships": "SELECT * FROM memory.relationships",
    "changes": "SELECT * FROM memory.relationship_changes ORDER BY id",
    "scenes": "SELECT * FROM memory.scenes ORDER BY id",
    "keys": "SELECT * FROM memory.fact_keys ORDER BY key",
}


def test_dump_and_restore(shared_cluster, database, tmp_path):
    """The administrator's keys and edits come along, and the shipped keys are there once."""
    with shared_cluster.connect(database) as connection:
        connection.execute(
            "INSERT INTO memory.fact_keys (key, category, class, label_ko, label_en, synonyms_en)"
            " VALUES ('행성', 'PERSONAL_INFO', 'identity', '행성', 'planet', '{planet}')"
        )
        connection.execute("UPDATE memory.fact_keys SET label_en = 'occupation' WHERE key = '직업'")
        connection.execute("SELECT FROM memory_add_turn('amy', 's', '나는 의사야', '그렇구나', agent_id => 'luna')")
        connection.execute("SELECT FROM memory_set_fact('amy', 'planet', 'Mars')")
        connection.execute("SELECT FROM memory_set_fact('amy', 'planet', 'Venus')")
        connection.execute("SELECT FROM memory_apply_relationship('amy', 'luna', deltas => '{\"trust\": 5}')")
        connection.execute("SELECT memory_add_scene('amy', 'luna', place => 'roof')")
        rows = {table: connection.execute(query).fetchall() for table, query in ROWS.items()}
    assert all(rows.values())
    text = tmp_path / "dump.sql"
    text.write_text(shared_cluster.run("pg_dump", "-d", database))
    copy = shared_cluster.create_database("facts_copy", extension=False)
    shared_cluster.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", copy, "-f", text)
    with shared_cluster.connect(copy) as connection:
        assert {table: connection.execute(query).fetchall() for table, query in ROWS.items()} == rows
        assert connection.execute("SELECT fact_key_extract('planet: Mars')").fetchone() == ("행성",)
        set_again = "SELECT outcome, previous_value FROM memory_set_fact('amy', 'planet', 'Earth')"
        assert connection.execute(set_again).fetchone() == ("corrected", "Venus")


def test_a_new_key_reaches_open_connections(shared_cluster, database):
    with shared_cluster.connect(database) as one, shared_cluster.connect(database) as other:
        key = "SELECT fact_key_extract('planet: Mars')"
        assert other.execute(key).fetchone() != ("행성",)
        one.execute(
            "INSERT INTO memory.fact_keys (key, category, class, label_ko, label_en, synonyms_en)"
            " VALUES ('행성', 'PERSONAL_INFO', 'identity', '행성', 'planet', '{planet}')"
        )
        assert other.execute(key).fetchone() == ("행성",)
        one.execute("DELETE FROM memory.fact_keys WHERE key = '행성'")
        assert other.execute(key).fetchone() != ("행성",)
