"""The published releases: version, commit and newest migration of each, as releases.toml records them."""

import io
import re
import subprocess
import tarfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "releases.toml"
VERSION = re.compile(r"(?:(?:0|[1-9][0-9]{0,5})\.){2}(?:0|[1-9][0-9]{0,5})")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SCHEMA = re.compile(r"[0-9]{4}")


class ReleaseError(Exception):
    """A release is recorded incorrectly, or its sources are not available."""


@dataclass(frozen=True, slots=True)
class Release:
    """A published release.

    Attributes:
        version: Its version, such as ``0.1.0``.
        commit: The commit that it was built from.
        schema: Its newest migration of the manager's database.
    """

    version: str
    commit: str
    schema: str

    def entry(self) -> str:
        """Return the lines that record the release."""
        return f'[[release]]\nversion = "{self.version}"\ncommit = "{self.commit}"\nschema = "{self.schema}"\n'

    def unpack(self, folder: Path, *paths: str) -> None:
        """Write the files of the commit into a folder, or only some of them."""
        if not unpack_commit(self.commit, folder, ROOT, *paths):
            raise ReleaseError(
                f"the commit {self.commit} of Rostrum {self.version} is not available: fetch the complete history "
                "with `git fetch --unshallow`"
            )


def unpack_commit(commit: str, folder: Path, root: Path = ROOT, *paths: str) -> bool:
    """Write the files of a commit, or some of them, into a folder, unless the history does not contain them."""
    command = ["git", "archive", commit, "--", *paths]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if done.returncode:
        return False
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        # Python before 3.11.4 has no filters.
        if hasattr(tarfile, "data_filter"):
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(folder)
    return True


def read_releases(file: Path = FILE) -> tuple[Release, ...]:
    """Read the releases, the oldest first; raise ReleaseError for an entry that is incomplete or not in order."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    # Documents that are nested too deeply end the parser with a RecursionError.
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"{file.name} is not a TOML document: {error}") from None
    if unknown := sorted(set(document) - {"release"}):
        raise ReleaseError(f"{file.name}: unknown key {unknown[0]!r}")
    entries = document.get("release", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ReleaseError(f"{file.name}: write each release under its own heading [[release]]")
    found: list[Release] = []
    for number, entry in enumerate(entries, 1):
        for key, form in (("version", VERSION), ("commit", _COMMIT), ("schema", _SCHEMA)):
            if not isinstance(entry.get(key), str) or not form.fullmatch(entry[key]):
                raise ReleaseError(f"{file.name}: release {number} has no valid {key}")
        if unknown := sorted(set(entry) - {"version", "commit", "schema"}):
            raise ReleaseError(f"{file.name}: release {number} has the unknown key {unknown[0]!r}")
        release = Release(**entry)
        if found and numbers(release.version) <= numbers(found[-1].version):
            raise ReleaseError(f"{file.name}: {release.version} must come before {found[-1].version}")
        if found and release.schema < found[-1].schema:
            raise ReleaseError(f"{file.name}: {release.version} must not have an older schema than {found[-1].version}")
        found.append(release)
    return tuple(found)


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, which can be compared."""
    return tuple(map(int, version.split(".")))
