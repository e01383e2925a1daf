"""The server that is measured: its databases, connections, and pgbench."""

import os
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

CLIENTS = 8
THREADS = 2


@dataclass
class Round:
    """What one run of pgbench gave: transactions in a second, and latencies in microseconds, sorted."""

    throughput: float
    latencies: list

    def percentile(self, share):
        return self.latencies[min(int(len(self.latencies) * share), len(self.latencies) - 1)]


class Database:
    """A fresh database with the extension and a schema `bench` for the plain tables."""

    def __init__(self, name):
        self.url = make_conninfo(os.environ["DATABASE_URL"], dbname=name)
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
            connection.execute(f'CREATE DATABASE "{name}"')
        with self.connect() as connection:
            connection.execute("SET client_min_messages = warning")
            connection.execute("CREATE EXTENSION memory_ext CASCADE")
            connection.execute("CREATE SCHEMA bench")
        self.name = name

    def connect(self):
        return psycopg.connect(self.url, autocommit=True)

    def settle(self):
        """After loading: nothing is left for vacuum to do while the clock runs."""
        with self.connect() as connection:
            connection.execute("VACUUM ANALYZE")

    def drop(self):
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{self.name}" WITH (FORCE)')

    def pgbench(self, script, limit, clients=CLIENTS, variables=None, settings=None):
        """Runs a script with prepared statements; `limit` is pgbench's own, ["-T", 5] or ["-t", 100]."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "script.sql")
            file.write_text(script)
            command = [PGBENCH, "-n", "-M", "prepared", "-c", clients, "-j", min(clients, THREADS), *limit]
            command += ["-l", "--log-prefix", Path(folder, "log"), "-f", file]
            for name, value in (variables or {}).items():
                command += ["-D", f"{name}={value}"]
            options = " ".join(f"-c {name}={value}" for name, value in (settings or {}).items())
            done = subprocess.run(
                [*map(str, command), self.url],
                env={**os.environ, "PGOPTIONS": options},
                capture_output=True,
                text=True,
            )
            if done.returncode != 0:
                raise RuntimeError(f"pgbench failed\n{done.stdout}{done.stderr}")
            lines = (line.split() for log in Path(folder).glob("log*") for line in log.open())
            # client, number, microseconds, …
            latencies = sorted(int(line[2]) for line in lines)
        throughput = next(line.split()[2] for line in done.stdout.splitlines() if line.startswith("tps"))
        return Round(float(throughput), latencies)


def bindir():
    command = [os.environ["PG_CONFIG"], "--bindir"]
    return Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


PGBENCH = bindir() / "pgbench"


def median(values):
    return statistics.median(list(values))
