"""Builds the self-extracting installer and the archive from the wheel and this environment.

python tools/installer.py dist    build both beside the wheel in dist/

The packages that Rostrum needs are copied from the environment, where pip has installed them from the lock with their
hashes; each file is compared with the hash that its package records. Nothing is downloaded, and the result fits this
operating system, processor and Python.
"""

import argparse
import base64
import compileall
import csv
import hashlib
import io
import py_compile
import re
import shutil
import stat
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from rostrum.base.distribution import DISTRIBUTION, escaped
from rostrum.installation.build import BUILD_FILE, BuildInfo, this_target
from rostrum.installation.launcher import FORMAT

EXTRAS: Final = ("desktop",)
_DATE = (1980, 1, 1, 0, 0, 0)
_MANYLINUX = re.compile(r"manylinux_(\d+)_(\d+)_")
_LEGACY = {"manylinux1_": (2, 5), "manylinux2010_": (2, 12), "manylinux2014_": (2, 17)}
_NOT_COPIED = {"INSTALLER", "REQUESTED", "direct_url.json"}
MAIN = '''\
"""Installs Rostrum: python3 {name} --help"""
import os
import shutil
import sys
from pathlib import Path

NEEDED = {python!r}
if sys.version_info[:2] != NEEDED:
    name = "python%d.%d" % NEEDED
    found = shutil.which(name)
    if found is None:
        sys.exit("error: Python %d.%d is required; %s was not found on the PATH." % (*NEEDED, name))
    os.execv(found, [found, *sys.argv])

package = Path(sys.argv[0]).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(package / "lib"))

from rostrum.installation.installer import main

sys.exit(main(package))
'''
COMMAND = """\
#!/bin/sh
# Starts Rostrum from the unpacked archive with Python {python}.
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd) || exit 1
command -v python{python} >/dev/null || {{ echo "rostrum: Python {python} is required" >&2; exit 1; }}
exec python{python} -I -S "$here/bin/rostrum.py" "$@"
"""
START = """\
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))

from rostrum.cli.main import main

main()
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder with the wheel")
    folder = parser.parse_args().folder
    if sys.platform == "win32":
        print("installers and archives are built on Linux and macOS only")
        return 1
    (wheel,) = folder.glob(f"{escaped(DISTRIBUTION)}-*.whl")
    with tempfile.TemporaryDirectory() as temporary:
        library = Path(temporary) / "lib"
        version = fill(library, wheel)
        info = BuildInfo(version, this_target(), FORMAT, glibc(library))
        precompile(library)
        name = f"rostrum-{version}-{info.target}"
        installer(library, info, folder / f"{name}.pyz")
        archive(library, info, folder / f"{name}.tar.gz")
        for file in sorted(folder.glob(f"{name}.*")):
            print(f"built {file} ({file.stat().st_size / 1e6:.1f} MB)")
    return 0


def fill(library: Path, wheel: Path) -> str:
    """Put the wheel and the packages that it needs into a folder; return the version of the wheel."""
    with zipfile.ZipFile(wheel) as content:
        content.extractall(library)
        (metadata,) = (name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        lines = content.read(metadata).decode().splitlines()
    version = next(line.removeprefix("Version: ") for line in lines if line.startswith("Version: "))
    needed = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    for package in closure([Requirement(text) for text in needed], EXTRAS):
        copy(package, library)
    return version


def closure(requirements: list[Requirement], extras: tuple[str, ...]) -> list[Distribution]:
    """Return the installed packages that the requirements need, directly and indirectly."""
    found: dict[str, tuple[Distribution, set[str]]] = {}
    waiting = [(requirement, set(extras) | {""}) for requirement in requirements]
    while waiting:
        requirement, wanted = waiting.pop()
        if requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in wanted):
            continue
        name = canonicalize_name(requirement.name)
        try:
            package, known = found.setdefault(name, (distribution(name), set()))
        except PackageNotFoundError:
            raise SystemExit(f"{name} is not installed: run make dist, which installs what is needed") from None
        if requirement.specifier and package.version not in requirement.specifier:
            raise SystemExit(f"{name} {package.version} is installed, but {requirement} is required")
        new = {"", *requirement.extras} - known
        known |= new
        if new:
            waiting += [(Requirement(text), new) for text in package.requires or ()]
    return [package for package, _ in found.values()]


def copy(package: Distribution, library: Path) -> None:
    """Copy the files of an installed package, compared with the hashes that it records."""
    record = package.read_text("RECORD")
    if record is None:
        raise SystemExit(f"{package.name} has no RECORD: install it again")
    for name, recorded, _ in csv.reader(io.StringIO(record)):
        path = Path(name)
        # Programs lie outside; compiled files have no hash and are made again.
        if ".." in path.parts or path.is_absolute() or path.suffix == ".pyc" or path.name in _NOT_COPIED:
            continue
        source = Path(str(package.locate_file(name)))
        if recorded and digest(source) != recorded:
            raise SystemExit(f"{source} differs from what its package records: install {package.name} again")
        target = library / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def digest(file: Path) -> str:
    with file.open("rb") as content:
        raw = hashlib.file_digest(content, "sha256").digest()
    return f"sha256={base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


def precompile(library: Path) -> None:
    """Compile all modules, so that no desktop has to; a hash in each file replaces the time of its source."""
    compileall.compile_dir(library, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def glibc(library: Path) -> str:
    """Return the oldest C library that all compiled modules support, as the tags of their wheels say."""
    needed = (0, 0)
    for wheel in library.glob("*.dist-info/WHEEL"):
        # A wheel runs if any of its tags fits.
        tags = [line.removeprefix("Tag: ") for line in wheel.read_text().splitlines() if line.startswith("Tag: ")]
        oldest = min((version for tag in tags for version in _versions(tag)), default=(0, 0))
        needed = max(needed, oldest)
    return f"{needed[0]}.{needed[1]}" if needed > (0, 0) else ""


def _versions(tag: str) -> Iterator[tuple[int, int]]:
    yield from ((int(major), int(minor)) for major, minor in _MANYLINUX.findall(tag))
    yield from (version for name, version in _LEGACY.items() if name in tag)


def installer(library: Path, info: BuildInfo, file: Path, *, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write the self-extracting installer, which is also the package of automatic updates."""
    python = sys.version_info[:2]
    with file.open("wb") as out:
        out.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(out, "w", compression) as bundle:
            _add(bundle, "__main__.py", MAIN.format(name=file.name, python=python).encode())
            _add(bundle, BUILD_FILE, info.dump())
            for path in sorted(library.rglob("*")):
                if path.is_file():
                    _add(bundle, f"lib/{path.relative_to(library).as_posix()}", path.read_bytes())
    file.chmod(0o755)
    return file


def _add(bundle: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    entry.compress_type = bundle.compression
    bundle.writestr(entry, content)


def archive(library: Path, info: BuildInfo, file: Path, *, level: int = 6) -> Path:
    """Write the archive, which runs where it is unpacked and does not update itself."""
    root = f"rostrum-{info.version}"
    python = ".".join(map(str, sys.version_info[:2]))
    with tarfile.open(file, "w:gz", compresslevel=level) as out:
        _put(out, f"{root}/{BUILD_FILE}", info.dump())
        _put(out, f"{root}/bin/rostrum", COMMAND.format(python=python).encode(), 0o755)
        _put(out, f"{root}/bin/rostrum.py", START.encode())
        for path in sorted(library.rglob("*")):
            if path.is_file():
                _put(out, f"{root}/lib/{path.relative_to(library).as_posix()}", path.read_bytes())
    return file


def _put(out: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    out.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    sys.exit(main())
