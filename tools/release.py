"""Makes a release in three steps. Each step changes only this checkout and its folder dist; nothing is published.

python tools/release.py prepare 0.2.0                 set the version, and collect the notes from changelog.d
python tools/release.py build 0.2.0 [--key FILE]      check, test and build the committed state into dist
python tools/release.py record 0.2.0                  record the released commit, and begin the next version
"""

import argparse
import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from rostrum.base.distribution import DISTRIBUTION
from rostrum.base.errors import RostrumError
from rostrum.desktop.updates.publish import read_private_key
from tools import pictures
from tools.releases import FILE, ROOT, VERSION, Release, ReleaseError, numbers, read_releases
from tools.sbom import commit_of, write_sbom

INIT = Path("src/rostrum/__init__.py")
SCHEMA = Path("src/rostrum/manager/database/schema.py")
CHANGELOG = Path("CHANGELOG.md")
FRAGMENTS = Path("changelog.d")
NOT_FRAGMENTS = {"README.md", "template.md.jinja"}
SECTIONS = ("Highlights", "Upgrade", "Breaking")
SUMS = "SHA256SUMS"
# Variables that select tests or options: a release runs all tests.
_NOT_INHERITED = ("ARGS", "ENGINE", "GATEWAY", "KEY", "LONG", "PYTEST_ADDOPTS", "VERSION")
_HEADING = re.compile(r"^## (\S+) \((\S+)\)[ \t]*\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_PART = re.compile(r"^### (.+?)[ \t]*\n(.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TEXT = re.compile(r"(?i)\b(?!todo\b|tbd\b)[a-z]{3,}")
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_HEAD = re.compile(r'^HEAD = "(\d{4})"$', re.MULTILINE)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("prepare", "build", "record"))
    parser.add_argument("version", help="version of the release, such as 0.2.0")
    parser.add_argument("--key", type=Path, help=f"private key of `rostrum updates keygen`, which signs {SUMS}")
    given = parser.parse_args(arguments)
    if given.key and given.step != "build":
        parser.error("only the step build uses a key")
    try:
        if given.step == "prepare":
            prepare(given.version)
        elif given.step == "build":
            build(given.version, given.key)
        else:
            record(given.version)
    except subprocess.CalledProcessError as error:
        print(f"error: `{' '.join(error.cmd)}` failed: {error.stderr.strip()}", file=sys.stderr)
        return 1
    except (ReleaseError, RostrumError, OSError, UnicodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: nothing was released", file=sys.stderr)
        return 130
    return 0


def prepare(version: str, root: Path = ROOT) -> None:
    """Set the version, and move the notes of all changes to the changelog."""
    require_new(version, root)
    if found := uncommitted(root):
        raise ReleaseError("\n".join(found))
    if not fragments(root):
        raise ReleaseError(f"{FRAGMENTS} contains no changes to release")
    if version in sections((root / CHANGELOG).read_text(encoding="utf-8")):
        raise ReleaseError(f"{CHANGELOG} already has a section {version}")
    command = ["towncrier", "build", "--yes", "--version", version, "--date", f"{datetime.now(UTC):%Y-%m-%d}"]
    with undone_if_it_fails(root):
        run([str(Path(sys.executable).with_name(command[0])), *command[1:]], {}, root)
        set_version(version, root)
        run(["make", "generate"], {}, root)
    print(f"Edit the section {version} of {CHANGELOG}, take new pictures with `make screenshots`, and commit.")
    for missing in note_problems(version, (root / CHANGELOG).read_text(encoding="utf-8")):
        print(f"Required: {missing}")
    print(f"Then run `make release VERSION={version}`.")


def build(version: str, key: Path | None, root: Path = ROOT) -> None:
    """Check, test and build the committed state."""
    dist = root / "dist"
    found = [*problems(version, root), *key_problems(key, dist)]
    if found:
        raise ReleaseError("the release cannot be made:\n" + "\n".join(f"  - {problem}" for problem in found))
    private = read_private_key(key) if key else None
    commit, seconds = git(root, "log", "-1", "--format=%H %ct").split()
    # Files of an earlier build must not be mistaken for those of this one.
    shutil.rmtree(dist, ignore_errors=True)
    run(["make", "check"], {}, root)
    run(["make", "test"], {}, root)
    run(["make", "test-long"], {}, root)
    if read_releases(root / FILE.name):
        # With the complete wheel of the previous release.
        run(["make", "test", "ARGS=tests/end_to_end/test_old_release.py"], {"LONG": "1"}, root)
    try:
        # Archives contain the time of the commit, so that they can be built again.
        run(["make", "dist"], {"SOURCE_DATE_EPOCH": seconds}, root)
        _require_unchanged(root, commit)
        created = datetime.fromtimestamp(int(seconds), UTC)
        components = write_sbom(dist / sbom_name(version), version, commit, created)
        files = write_sums(dist)
        if private:
            (dist / f"{SUMS}.sig").write_bytes(private.sign((dist / SUMS).read_bytes()))
    except BaseException:
        shutil.rmtree(dist, ignore_errors=True)
        raise
    for file in files:
        print(f"  {file.name} ({file.stat().st_size / 1e6:.1f} MB)")
    print(f"built {len(files)} files of Rostrum {version} from {commit[:12]}; the SBOM lists {components} packages")
    print(f"signed {SUMS}" if private else f"{SUMS} is not signed, because no KEY was given")
    print(f"Nothing was published. Next: make release-record VERSION={version}")


def _require_unchanged(root: Path, commit: str) -> None:
    if git(root, "rev-parse", "HEAD").strip() != commit:
        raise ReleaseError("another commit was made during the build, so nothing was released")
    if changed := uncommitted(root):
        problem = "the checks or the build changed the sources, so nothing was released:"
        raise ReleaseError("\n".join([problem, *changed]))


def record(version: str, root: Path = ROOT) -> None:
    """Record the newest commit as the release, and begin the next version."""
    found = problems(version, root)
    if found:
        raise ReleaseError("the newest commit is not this release:\n" + "\n".join(f"  - {text}" for text in found))
    schema = _HEAD.search((root / SCHEMA).read_text(encoding="utf-8"))
    if schema is None:
        raise ReleaseError(f"{SCHEMA} does not state its newest migration")
    release = Release(version, git(root, "rev-parse", "HEAD").strip(), schema[1])
    dist = root / "dist"
    if not (dist / SUMS).is_file() or commit_of(dist / sbom_name(version)) != release.commit:
        raise ReleaseError(f"dist has no build of the newest commit: run `make release VERSION={version}`")
    file = root / FILE.name
    with undone_if_it_fails(root):
        file.write_text(f"{file.read_text(encoding='utf-8').rstrip()}\n\n{release.entry()}", encoding="utf-8")
        read_releases(file)
        major, minor, _ = numbers(version)
        set_version(f"{major}.{minor + 1}.0.dev0", root)
        run(["make", "generate"], {}, root)
    print(f"recorded {version} in {file.name}; commit this, and keep the released commit in the history")


def problems(version: str, root: Path = ROOT) -> list[str]:
    """Return everything that prevents the release of the newest commit."""
    found = []
    try:
        require_new(version, root)
    except ReleaseError as error:
        found.append(str(error))
    found += uncommitted(root)
    if (current := current_version(root)) != version:
        found.append(f"{INIT} has the version {current}: run `make release-prepare VERSION={version}` and commit")
    if left := fragments(root):
        found.append(f"changes are not in {CHANGELOG} yet: {', '.join(left)}")
    found += note_problems(version, (root / CHANGELOG).read_text(encoding="utf-8"))
    if old := pictures.problem(root):
        found.append(old)
    return found


def require_new(version: str, root: Path) -> None:
    """Refuse a version that has another form or is not newer than the newest release."""
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is not a version: use a form such as 0.2.0")
    released = read_releases(root / FILE.name)
    if released and numbers(version) <= numbers(released[-1].version):
        raise ReleaseError(f"{version} is not newer than the newest release, {released[-1].version}")


def uncommitted(root: Path) -> list[str]:
    """Report changes that are not committed, whatever the settings of Git hide."""
    changed = [line[3:] for line in git(root, "status", "--porcelain", "--untracked-files=all").splitlines()]
    hidden = [line[2:] for line in git(root, "ls-files", "-v").splitlines() if line[0] == "S" or line[0].islower()]
    return [
        f"{problem}: {', '.join(names)}"
        for problem, names in (
            ("there are changes that are not committed", changed),
            ("Git does not show changes of these files (assume-unchanged or skip-worktree)", hidden),
        )
        if names
    ]


def key_problems(key: Path | None, dist: Path) -> list[str]:
    """Return why a key cannot sign a release."""
    if key is None:
        return []
    try:
        if key.resolve().is_relative_to(dist.resolve()):
            return [f"the key {key} is in dist, which is deleted before the build: move it"]
        if os.name == "posix" and key.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            return [f"other users have access to the key {key}: run `chmod 600 {key}`"]
        read_private_key(key)
    except OSError as error:
        return [f"the key cannot be read: {error}"]
    except RostrumError as error:
        return [str(error)]
    return []


@contextmanager
def undone_if_it_fails(root: Path) -> Iterator[None]:
    """Restore the files, which had no changes before, so that the step can be repeated."""
    try:
        yield
    except BaseException:
        git(root, "restore", "--staged", "--worktree", ".")
        print("the changes of this step were undone", file=sys.stderr)
        raise


def sections(changelog: str) -> dict[str, str]:
    """Return the notes of each version."""
    return {found[1]: found[3] for found in _HEADING.finditer(changelog)}


def note_problems(version: str, changelog: str) -> list[str]:
    """Return what is missing in the notes of a version."""
    headings = [found for found in _HEADING.finditer(changelog) if found[1] == version]
    if len(headings) != 1 or not _is_date(headings[0][2]):
        return [f"{CHANGELOG} must have one section `## {version} (YYYY-MM-DD)`"]
    parts = dict(_PART.findall(_COMMENT.sub("", headings[0][3])))
    return [
        f"the section {version} of {CHANGELOG} has no text under `### {name}`"
        for name in SECTIONS
        if not _TEXT.search(parts.get(name, ""))
    ]


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def fragments(root: Path) -> list[str]:
    """Return the names of the notes that are not in the changelog yet."""
    return sorted(file.name for file in (root / FRAGMENTS).iterdir() if file.name not in NOT_FRAGMENTS)


def write_sums(folder: Path) -> list[Path]:
    """Write the SHA-256 sums of all files, in the format of `sha256sum`; return the files."""
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(SUMS))
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    return files


def sbom_name(version: str) -> str:
    return f"{DISTRIBUTION}-{version}.cdx.json"


def current_version(root: Path) -> str:
    found = _VERSION.search((root / INIT).read_text(encoding="utf-8"))
    if found is None:
        raise ReleaseError(f"{INIT} has no version")
    return found[1]


def set_version(version: str, root: Path) -> None:
    text = (root / INIT).read_text(encoding="utf-8")
    (root / INIT).write_text(_VERSION.sub(f'__version__ = "{version}"', text), encoding="utf-8")


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


def run(command: Sequence[str], more: Mapping[str, str], root: Path) -> None:
    """Run a command, and show it with its output."""
    shown = " ".join([*(f"{name}={value}" for name, value in more.items()), Path(command[0]).name, *command[1:]])
    print(f"--- {shown}", file=sys.stderr, flush=True)
    # Options of the make that runs this step, such as -n, are not for the commands of the step.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name not in _NOT_INHERITED
    }
    if subprocess.run(command, cwd=root, env={**environment, **more}, check=False).returncode:
        raise ReleaseError(f"`{shown}` failed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
