"""A real model on loopback and a server that asks it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "system"))

import cluster as clusters  # noqa: E402


@pytest.fixture(scope="session")
def model():
    """The addresses of the model: {"chat": …, "embed": …}."""
    server = subprocess.Popen(
        [os.environ["MEMORY_EXT_MODEL_PYTHON"], str(Path(__file__).parent / "model_server.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield json.loads(server.stdout.readline())
    finally:
        server.stdin.close()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.fixture(scope="session")
def server(model):
    settings = {
        "memory_ext.llm_provider": "openai",
        "memory_ext.llm_endpoint": model["chat"],
        "memory_ext.llm_model": "smollm2-135m",
        "memory_ext.llm_max_tokens": "300",
        "memory_ext.embedding_provider": "http",
        "memory_ext.embed_endpoint": model["embed"],
        "memory_ext.embed_model": "smollm2-135m",
        "memory_ext.embed_query_timeout": "10s",
    }
    one = clusters.Cluster({"fsync": "off", **settings})
    one.start()
    yield one
    one.remove()
    clusters.remove_template()


@pytest.fixture(scope="session")
def database(server):
    return server.create_database("app")


@pytest.fixture(scope="session")
def said():
    """say(title, text): notes what the model said, for people to read."""
    lines = ["# What the model said\n"]

    def say(title, text):
        lines.append(f"## {title}\n\n{text}\n")

    yield say
    Path(os.environ["MEMORY_EXT_SAID"]).write_text("\n".join(lines))
