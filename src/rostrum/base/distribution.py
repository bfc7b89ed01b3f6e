"""The name of the distribution, and commands that install it again or add an extra, for each kind of installation.

The distribution is not published in a package index, so no command may name it without a file. This module imports
nothing of the package: it must also work if files of the package were overwritten (``name_conflict``).
"""

import sys
from dataclasses import dataclass
from pathlib import Path

DISTRIBUTION = "rostrum-platform"
"""The name for pip and for importlib.metadata; the package and the command are called rostrum."""
_WITH_WHEEL = 'in the folder with this wheel (see "Install the package" in docs/guide/deployment.md)'

_MAKE = {
    "desktop": "make .venv/.run",
    "kerberos": "make kerberos",
    "manager": "make .venv/.run",
    "telemetry": "make .venv/.dev",
    "windows": "make .venv/.windows",
}
"""The command that installs the requirements of each extra in a source tree."""
_AGAIN = ("--force-reinstall", "--no-deps")


@dataclass(frozen=True, slots=True)
class Advice:
    """A command for the shell, and where to run it.

    Attributes:
        command: The command.
        note: The folder for the command, and how to get the file; empty if the command can be run in any folder.

    """

    command: str
    note: str = ""

    def __str__(self) -> str:
        """Return an instruction that a message can contain."""
        return f"run `{self.command}`" + (f" {self.note}" if self.note else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageInstallation:
    """How the running package was installed.

    Attributes:
        version: The version of the distribution.
        source_tree: The folder with the Makefile, if the package runs from a source tree.
        file: The wheel, or the sdist or folder, that it was installed from, if it still exists.

    """

    version: str
    source_tree: Path | None = None
    file: Path | None = None

    def with_extra(self, extra: str) -> Advice:
        """Return the command that adds the requirements of an extra."""
        return Advice(_MAKE[extra]) if self.source_tree else self._install(extra=f"[{extra}]")

    def with_built_files(self, make: str) -> Advice:
        """Return the command that repairs built files: the make command in a source tree, elsewhere an installation."""
        return Advice(make) if self.source_tree else self.again()

    def again(self) -> Advice:
        """Return the command that replaces all files of the package."""
        if self.source_tree:
            return Advice(pip("install", "--no-deps", "--no-build-isolation", "-e", str(self.source_tree)))
        return self._install(*_AGAIN)

    def _install(self, *options: str, extra: str = "") -> Advice:
        if self.file is not None:
            return Advice(pip("install", *options, f"{self.file}{extra}"))
        return Advice(pip("install", *options, f"./{wheel_name(self.version)}{extra}"), _WITH_WHEEL)


def this_installation() -> PackageInstallation:
    """Return how the running package was installed."""
    home = Path(__file__).resolve().parents[3]
    if (home / "Makefile").is_file() and (home / "pyproject.toml").is_file():
        return PackageInstallation(version=_own_version(), source_tree=home)
    # Only for messages: loading this library takes longer than the start of a small command.
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        installed = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        # Part of an installer or an archive, or copied.
        return PackageInstallation(version=_own_version())
    return PackageInstallation(version=installed.version, file=installed_from(installed.read_text("direct_url.json")))


def installed_from(direct_url: str | None) -> Path | None:
    """Return the existing file or folder that pip recorded (PEP 610).

    Other addresses than those of local files are ignored, because they can contain credentials.
    """
    import json
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        address = urlsplit(json.loads(direct_url or "")["url"])
        if address.scheme != "file" or address.netloc not in ("", "localhost"):
            return None
        path = Path(url2pathname(address.path))
        # Messages replace other characters, so a command with them would not work.
        return path if str(path).isprintable() and path.is_absolute() and path.exists() else None
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        return None


def escaped(name: str) -> str:
    """Return the name of a distribution as names of files and folders contain it."""
    return name.replace("-", "_")


def wheel_name(version: str) -> str:
    """Return the name of the wheel of a version."""
    return f"{escaped(DISTRIBUTION)}-{version}-py3-none-any.whl"


def _own_version() -> str:
    import rostrum

    # Absent if the module was overwritten.
    return str(getattr(rostrum, "__version__", "<version>"))


def pip(*arguments: str) -> str:
    """Return a command for pip of the environment that runs, which may not be the one on the PATH."""
    from shutil import which

    folder = Path(sys.executable).parent
    found = which("pip")
    words = ["pip"] if found and Path(found).parent == folder else [sys.executable, "-m", "pip"]
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline([*words, *arguments])
    from shlex import join

    return join([*words, *arguments])
