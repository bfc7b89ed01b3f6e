"""releases.toml: each entry is complete, in order, and agrees with its commit."""

import re
import subprocess
from pathlib import Path

import pytest

from tools.releases import ROOT, Release, ReleaseError, read_releases

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FIRST = Release("0.1.0", COMMIT, "0021")


def written(folder: Path, *parts: str) -> Path:
    file = folder / "releases.toml"
    file.write_text("\n".join(parts), encoding="utf-8")
    return file


def test_entries_are_read_in_order(tmp_path: Path) -> None:
    second = Release("0.10.0", COMMIT, "0030")

    assert read_releases(written(tmp_path, FIRST.entry(), second.entry())) == (FIRST, second)
    assert read_releases(written(tmp_path)) == ()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (FIRST.entry().replace("0.1.0", "0.1.0.dev0"), "release 1 has no valid version"),
        (FIRST.entry().replace(COMMIT, "main"), "release 1 has no valid commit"),
        (FIRST.entry().replace('"0021"', "21"), "release 1 has no valid schema"),
        (FIRST.entry() + 'tag = "x"\n', "release 1 has the unknown key 'tag'"),
        (FIRST.entry().replace("[[release]]", "[[releases]]"), "unknown key 'releases'"),
        (
            Release("0.10.0", COMMIT, "0021").entry() + Release("0.9.0", COMMIT, "0021").entry(),
            "0.9.0 must come before",
        ),
        (Release("0.2.0", COMMIT, "0022").entry() + Release("0.3.0", COMMIT, "0021").entry(), "0.3.0 must not have"),
        (FIRST.entry() * 2, "0.1.0 must come before 0.1.0"),
        (FIRST.entry().replace("0.1.0", "٠.١.٠"), "release 1 has no valid version"),
        (FIRST.entry().replace("0.1.0", "0.01.0"), "release 1 has no valid version"),
        (FIRST.entry().replace("0.1.0", f"0.{'1' * 5000}.0"), "release 1 has no valid version"),
        (FIRST.entry().replace('"0021"', '"٠٠٢١"'), "release 1 has no valid schema"),
        (FIRST.entry().replace("[[release]]", "[release]"), "under its own heading [[release]]"),
        ('release = ["0.1.0"]', "under its own heading [[release]]"),
        ("release = 3", "under its own heading [[release]]"),
        ("release = ", "is not a TOML document"),
        (f"release = {'[' * 20_000}", "is not a TOML document"),
    ],
)
def test_an_invalid_entry_is_refused(tmp_path: Path, entry: str, message: str) -> None:
    with pytest.raises(ReleaseError, match=re.escape(message)):
        read_releases(written(tmp_path, entry))


def test_sources_that_are_not_available_are_reported_with_the_solution(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="git fetch --unshallow"):
        FIRST.unpack(tmp_path)


@pytest.mark.parametrize("release", read_releases(), ids=lambda release: release.version)
def test_each_recorded_release_agrees_with_its_commit(release: Release) -> None:
    def file(name: str) -> str:
        command = ["git", "show", f"{release.commit}:{name}"]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert f'__version__ = "{release.version}"\n' in file("src/rostrum/__init__.py")
    assert f'HEAD = "{release.schema}"\n' in file("src/rostrum/manager/database/schema.py")
    assert f"\n## {release.version} " in file("CHANGELOG.md")
