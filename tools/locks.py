"""Checks that every lock file works on every supported platform. `make check` runs it; nothing is downloaded.

python tools/locks.py              read every lock file
python tools/locks.py --registry   also ask the registry for a wheel of each Python package on each platform
                                   (needs uv; `make lock` ends with it)
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Platform:
    """A supported platform, as npm and as uv name it."""

    os: str
    cpu: str
    libc: str
    uv: str

    def __str__(self) -> str:
        return f"{self.os} {self.cpu}"

    def fits(self, package: dict[str, Any]) -> bool:
        """Return whether npm installs a package on this platform."""
        return all(
            own in package.get(key, [own]) for key, own in (("os", self.os), ("cpu", self.cpu), ("libc", self.libc))
        )


PLATFORMS = (
    Platform("linux", "x64", "glibc", "x86_64-manylinux_2_28"),
    Platform("linux", "arm64", "glibc", "aarch64-manylinux_2_28"),
    Platform("darwin", "arm64", "", "aarch64-apple-darwin"),
    Platform("darwin", "x64", "", "x86_64-apple-darwin"),
    Platform("win32", "x64", "", "x86_64-pc-windows-msvc"),
)
NATIVE = re.compile(r"linux|darwin|win32")
NATIVE_FROM = 3
"""A package with this many optional dependencies named after systems ships its program in them."""
NEED_A_COMPILER = ("kerberos.txt",)
"""Locks whose packages are built from source on purpose: there are no wheels of them for Linux."""

NEWER_SYSTEMS = {
    "windows.txt": {
        "x86_64-manylinux_2_28": "x86_64-manylinux_2_34",
        "aarch64-manylinux_2_28": "aarch64-manylinux_2_39",
    },
    "windows-old-glibc.txt": {"aarch64-manylinux_2_28": "aarch64-manylinux_2_31"},
}
"""Locks whose packages need a newer C library; `rostrum.desktop.hosts.engines` selects the one that fits a machine."""


def main(arguments: list[str]) -> int:
    problems = list(check(ROOT))
    if "--registry" in arguments:
        problems += [problem for lock in _requirements(ROOT) for problem in missing_wheels(lock)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def check(root: Path) -> Iterator[str]:
    """Read every lock below a folder, and describe each problem."""
    for lock in sorted(root.glob("**/package-lock.json")):
        if "node_modules" not in lock.parts:
            for problem in npm_problems(json.loads(lock.read_text(encoding="utf-8"))):
                yield f"{lock.relative_to(root)}: {problem}"
    for lock in _requirements(root):
        for problem in requirement_problems(lock.read_text(encoding="utf-8")):
            yield f"{lock.relative_to(root)}: {problem}"


def npm_problems(lock: dict[str, Any]) -> Iterator[str]:
    """Find platforms without a native package, and entries that name a registry or are not pinned by a digest."""
    packages: dict[str, dict[str, Any]] = lock["packages"]
    for path, package in packages.items():
        name = path.rpartition("node_modules/")[2]
        if "resolved" in package:
            yield f"{name} names a registry; lock with --omit-lockfile-registry-resolved"
        if path and "integrity" not in package and not package.get("link"):
            yield f"{name} has no digest"
        native = [other for other in package.get("optionalDependencies", {}) if NATIVE.search(other)]
        if len(native) < NATIVE_FROM:
            continue
        places = (key for other in native for key in (f"{path}/node_modules/{other}", f"node_modules/{other}"))
        locked = [packages[key] for key in places if key in packages]
        for platform in PLATFORMS:
            if not any(platform.fits(other) for other in locked):
                yield f"{name} {package.get('version')} has no package for {platform}"


def requirement_problems(text: str) -> Iterator[str]:
    """Find requirements that are not pinned by version and digest, and lines that name a registry."""
    for line in text.replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("-") or "://" in line:
            yield f"a line names a registry or an option: {line[:80]}"
        elif "==" not in line or "--hash=sha256:" not in line:
            yield f"{line.split()[0]} is not pinned by version and digest"


def missing_wheels(lock: Path) -> Iterator[str]:
    """Let uv resolve a lock for each platform with wheels only; it reads what the registry has and installs nothing."""
    if lock.name in NEED_A_COMPILER:
        return
    newer = NEWER_SYSTEMS.get(lock.name, {})
    for platform in PLATFORMS:
        with tempfile.TemporaryDirectory() as folder:
            command = [
                sys.executable, "-m", "uv", "pip", "install", "-q", "--dry-run", "--no-deps", "--only-binary", ":all:",
                "--require-hashes", "--python-version", "3.11", "--target", folder,
                "--python-platform", newer.get(platform.uv, platform.uv), "-r", str(lock),
            ]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{lock.name}: no wheels for {platform}: {' '.join(done.stderr.split())[:300]}"


def _requirements(root: Path) -> list[Path]:
    return sorted((root / "requirements").glob("*.txt"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
