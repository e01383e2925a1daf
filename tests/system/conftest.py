"""Fixtures: `make_cluster` for tests that need servers of their own, `database` for tests that need one fresh database."""

import itertools

import cluster as clusters
import pytest

_numbers = itertools.count(1)


@pytest.fixture(scope="session", autouse=True)
def _template():
    yield
    clusters.remove_template()


@pytest.fixture
def make_cluster():
    """make_cluster(settings, preload=True) gives a running Cluster, which is removed after the test."""
    made = []

    def make(settings=None, preload=True):
        made.append(clusters.Cluster(settings, preload))
        return made[-1].start()

    make.made = made
    yield make
    for one in reversed(made):
        one.remove()


@pytest.fixture(scope="session")
def shared_cluster():
    """One running server for all tests that leave it as they found it; without workers, so that nothing moves by itself."""
    one = clusters.Cluster({"fsync": "off", "memory_ext.workers": "off"})
    one.start()
    yield one
    one.remove()


@pytest.fixture
def database(shared_cluster):
    """The name of a fresh database with the extension on the shared server."""
    name = shared_cluster.create_database(f"test_{next(_numbers)}")
    yield name
    shared_cluster.psql(f'DROP DATABASE "{name}" WITH (FORCE)')
