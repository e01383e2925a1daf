"""Throw-away PostgreSQL clusters for tests that must start, stop, crash or copy a server.

scripts/test.sh says by environment variables which PostgreSQL (MEMORY_EXT_PG_CONFIG), which user runs it
(MEMORY_EXT_SERVER_USER), and where data and sockets go (MEMORY_EXT_STATE, MEMORY_EXT_SOCKETS).
"""

import itertools
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psycopg

PG_CONFIG = os.environ["MEMORY_EXT_PG_CONFIG"]
USER = os.environ["MEMORY_EXT_SERVER_USER"]
STATE = Path(os.environ["MEMORY_EXT_STATE"]) / "cluster"
SOCKETS = Path(os.environ["MEMORY_EXT_SOCKETS"])

_numbers = itertools.count(1)


def pg_config(what):
    return subprocess.run([PG_CONFIG, f"--{what}"], check=True, capture_output=True, text=True).stdout.strip()


BINDIR = Path(pg_config("bindir"))


def has_extension(name):
    """Whether CREATE EXTENSION could find it."""
    return (Path(pg_config("sharedir")) / "extension" / f"{name}.control").exists()


class Failed(Exception):
    """A program that ended with an error; the message is what it said."""


def run(command, as_server=False, env=None):
    """What the command printed. `as_server` runs it as the user who owns the clusters."""
    command = [str(word) for word in command]
    if as_server and os.geteuid() == 0:
        command = ["runuser", "-u", USER, "--", *command]
    # From /, because the server's user may not be able to enter the current directory.
    done = subprocess.run(command, cwd="/", env={**os.environ, **(env or {})}, text=True, capture_output=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def _own_dir(path, mode=0o755):
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)
    if os.geteuid() == 0:
        shutil.chown(path, USER)
    return path


def _template():
    """An empty data directory, made once for all clusters of a run: copying is quicker than initdb."""
    home = STATE / f"template-{os.getpid()}"
    if not home.exists():
        _own_dir(home)
        run([BINDIR / "initdb", "-D", home / "data", "-U", "postgres", "-A", "trust", "--encoding", "UTF8",
             "--locale", "C.UTF-8", "--no-sync"], as_server=True)  # fmt: skip
        with open(home / "data" / "postgresql.conf", "a") as conf:
            conf.write("include = 'memory_ext.conf'\n")
    return home / "data"


def remove_template():
    shutil.rmtree(STATE / f"template-{os.getpid()}", ignore_errors=True)


class Cluster:
    """One server. `settings` are postgresql.conf's; without `preload` the library is loaded by each session only."""

    def __init__(self, settings=None, preload=True, data_from=None):
        self.name = f"t{os.getpid()}-{next(_numbers)}"
        self.settings = dict(settings or {})
        if preload:
            self.settings.setdefault("shared_preload_libraries", "memory_ext")
        self.home = _own_dir(STATE / self.name)
        self.data = self.home / "data"
        self.sockets = _own_dir(SOCKETS / self.name, 0o700)
        self.log_file = self.home / "server.log"
        copy = data_from or (lambda data: run(["cp", "-a", _template(), data], as_server=True))
        copy(self.data)
        # scripts/cluster.sh can then remove what a broken-off run left behind.
        (self.home / "bindir").write_text(f"{BINDIR}\n")

    # Life

    def start(self):
        settings = {
            "listen_addresses": "",
            "port": 5432,
            "unix_socket_directories": self.sockets,
            "max_connections": 50,
            "shared_buffers": "32MB",
            **self.settings,
        }
        lines = [f"{key} = '{value}'\n" for key, value in settings.items()]
        (self.data / "memory_ext.conf").write_text("".join(lines))
        try:
            self._ctl("start", "-w", "-t", "60", "-l", self.log_file)
        except Failed as failed:
            raise Failed(f"{failed}\n{self.log()}") from None
        return self

    def stop(self, mode="fast"):
        self._ctl("stop", "-w", "-t", "60", "-m", mode)

    def restart(self):
        self.stop()
        return self.start()

    def kill(self):
        """kill -9 for the server and all its processes: what a power failure leaves behind, but for the disk."""
        server = self._pid()
        os.kill(server, signal.SIGSTOP)  # so that it makes no more children
        family = [server, *_children(server)]
        for pid in family:
            os.kill(pid, signal.SIGKILL)
        if not _wait(lambda: not any(map(_is_alive, family)), 30):
            raise Failed(f"processes of {self.name} survive kill -9")
        # A dead server that nobody has reaped yet looks alive to the next one.
        if not _wait(lambda: not Path(f"/proc/{server}").exists(), 10):
            (self.data / "postmaster.pid").unlink()

    def is_running(self):
        try:
            return _is_alive(self._pid())
        except OSError:
            return False

    def _pid(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def remove(self):
        if self.is_running():
            self.stop("immediate")
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.rmtree(self.sockets, ignore_errors=True)

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def _ctl(self, action, *options):
        run([BINDIR / "pg_ctl", action, "-D", self.data, "-s", *options], as_server=True)

    # Use

    def connect(self, database="postgres", **options):
        """A psycopg connection, in autocommit unless told otherwise."""
        options = {"autocommit": True, "user": "postgres", **options}
        return psycopg.connect(host=str(self.sockets), port=5432, dbname=database, **options)

    def run(self, program, *arguments):
        """A client program (pg_dump, pgbench …) on this server; what it printed."""
        env = {"PGHOST": str(self.sockets), "PGPORT": "5432", "PGUSER": "postgres", "PGCLIENTENCODING": "UTF8"}
        return run([BINDIR / program, *arguments], env=env)

    def psql(self, sql, database="postgres"):
        """What psql prints for it, unaligned and without headers."""
        return self.run("psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", sql).strip()

    def create_database(self, name, extension=True):
        self.psql(f'CREATE DATABASE "{name}"')
        if extension:
            self.psql("SET client_min_messages = warning; CREATE EXTENSION memory_ext CASCADE", name)
        return name

    # Standby

    def standby(self, settings=None):
        """A new cluster that follows this one; it is not started yet."""

        def copy(data):
            run([BINDIR / "pg_basebackup", "-h", self.sockets, "-p", "5432", "-U", "postgres", "-D", data,
                 "-R", "-X", "stream", "-c", "fast", "--no-sync"], as_server=True)  # fmt: skip

        return Cluster({**self.settings, **(settings or {})}, preload=False, data_from=copy)

    def promote(self):
        self._ctl("promote", "-w", "-t", "60")

    def wait_for(self, standby, timeout=30):
        """Waits until the standby has replayed all that is written here now."""
        lsn = self.psql("SELECT pg_current_wal_lsn()")
        if not _wait(lambda: standby.psql(f"SELECT pg_last_wal_replay_lsn() >= '{lsn}'") == "t", timeout):
            raise Failed(f"the standby did not reach {lsn}\n{standby.log()}")


def _wait(condition, timeout):
    """Whether the condition came true in time."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _children(parent):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The second field, the name, may hold spaces and brackets.
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def _is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
