"""Brings the packages of sources.tsv into a folder and unpacks them; each is checked against its SHA-256."""

import csv
import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def download(row, folder):
    path = folder / row["file"].rpartition("/")[2]
    if not path.exists() and row["kind"] == "pypi":
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder,
                        f"{row['name']}=={row['version']}"], check=True)
    # From wherever this machine gets its packages; Debian keeps a version for as long as a release has it.
    if not path.exists() and row["kind"] == "debian":
        subprocess.run(["apt-get", "download", "-q", f"{row['name']}={row['version']}"], cwd=folder, check=True)
        # apt writes a version's colon as %3a.
        for found in folder.glob(f"{row['name']}_*.deb"):
            found.rename(path)
    if not path.exists():
        raise SystemExit(f"{path.name} was not brought; sources.tsv tells its SHA-1, by which Debian's snapshots have it")
    if sha256(path) != row["sha256"]:
        raise SystemExit(f"{path} is not the file that sources.tsv names")
    return path


def unpack(path, folder):
    if folder.exists():
        return
    folder.mkdir(parents=True)
    if path.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", path, folder], check=True)
    elif path.suffix == ".whl":
        zipfile.ZipFile(path).extractall(folder)
    else:
        tarfile.open(path).extractall(folder, filter="data")


def fetch(work):
    """The folders of Debian's and PyPI's packages, each package in one of its own name."""
    downloads = work / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    with open(HERE / "sources.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            unpack(download(row, downloads), work / row["kind"] / row["name"])
    return work / "debian", work / "pypi"
