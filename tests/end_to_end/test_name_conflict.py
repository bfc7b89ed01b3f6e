"""Rostrum beside the other project called rostrum, in one environment, installed with pip."""

import base64
import hashlib
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from rostrum import __version__
from rostrum.base.distribution import DISTRIBUTION, escaped, wheel_name
from tests.end_to_end.packages import ROOT, lend_packages, without_node

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="commands have other names and folders there"),
]

SOURCE = ROOT / "src" / "rostrum"
# What `rostrum --version` and `rostrum-windows --help` load, from the real sources: a small wheel installs fast.
FOLDERS = ("", "base", "cli", "installation", "desktop", "desktop/hosts", "desktop/hosts/qt")
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
# The files of rostrum 0.1.0 in the Python Package Index that have the same names.
OTHER_FILES = {
    "rostrum/__init__.py": '__version__ = "0.1.0"\n',
    "rostrum/__main__.py": "from rostrum.cli import main\n\nraise SystemExit(main())\n",
    "rostrum/cli.py": 'def main():\n    print("the other project")\n    return 0\n',
}
SHARED = "bin/rostrum, rostrum/__init__.py, rostrum/__main__.py"


def wheel(folder: Path, name: str, version: str, scripts: Mapping[str, str], files: Mapping[str, str]) -> Path:
    """Write a wheel with the metadata that pip requires."""
    metadata = f"{escaped(name)}-{version}.dist-info"
    entry_points = "".join(f"{script} = {target}\n" for script, target in scripts.items())
    contents = {
        **files,
        f"{metadata}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{metadata}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{metadata}/entry_points.txt": f"[console_scripts]\n{entry_points}",
    }
    contents[f"{metadata}/RECORD"] = "".join(record(contents.items())) + f"{metadata}/RECORD,,\n"
    path = folder / f"{escaped(name)}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in contents.items():
            archive.writestr(file, text)
    return path


def record(files: Iterable[tuple[str, str]]) -> Iterable[str]:
    for name, text in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        yield f"{name},sha256={digest},{len(text.encode())}\n"


class Environment:
    """An environment with Rostrum, and wheels of both projects."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=False)
        self.packages = lend_packages(folder / "env", folder / "lent", left_out=("rostrum",))
        modules = [file for part in FOLDERS for file in (SOURCE / part).glob("*.py")]
        own = {file.relative_to(SOURCE.parent).as_posix(): file.read_text(encoding="utf-8") for file in modules}
        self.wheel = wheel(folder, DISTRIBUTION, __version__, SCRIPTS, own)
        self.other = wheel(folder, "rostrum", "0.1.0", {"rostrum": "rostrum.cli:main"}, OTHER_FILES)
        self.pip("install", str(self.wheel))

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        programs = self.folder / "env" / "bin"
        return subprocess.run(
            [programs / program, *arguments],
            cwd=self.folder, env=without_node(programs), capture_output=True, text=True, check=False,
        )  # fmt: skip

    def pip(self, *arguments: str) -> None:
        options = ("--no-deps", "--no-index", "--no-compile") if "install" in arguments else ("--yes",)
        done = self.run("python", "-m", "pip", "-q", *arguments, *options)
        assert done.returncode == 0, done.stderr

    def follow(self, message: str) -> None:
        """Execute the commands that a message names."""
        commands = re.findall(r"`\S+ -m pip ([^`]+)`", message)
        assert commands
        for command in commands:
            self.pip(*command.split())


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("both"))


def test_overwritten_files_stop_each_command_and_the_message_repairs_them(environment: Environment) -> None:
    assert environment.wheel.name == wheel_name(__version__)
    environment.pip("install", str(environment.other))

    answers = [environment.run("rostrum", "--version"), environment.run("rostrum-windows", "--help")]
    answers += [environment.run("python", "-m", name) for name in ("rostrum", "rostrum.cli.main")]

    assert {(each.returncode, each.stdout) for each in answers} == {(1, "")}
    (message,) = {each.stderr for each in answers}
    assert message.startswith(f"error: Files of rostrum-platform were overwritten or removed: {SHARED}. ")
    assert f"The distribution rostrum 0.1.0 in {environment.packages} is another project" in message
    assert message.count("\n") == 1
    environment.pip("uninstall", "rostrum")
    removed = environment.run("rostrum-windows", "--help")
    assert (removed.returncode, removed.stdout, removed.stderr.count("\n")) == (1, "", 1)
    assert removed.stderr.startswith(f"error: Files of rostrum-platform were overwritten or removed: {SHARED}. ")
    environment.follow(removed.stderr)
    repaired = environment.run("rostrum", "--version")
    assert (repaired.stdout, repaired.stderr) == (f"rostrum {__version__}\n", "")


def test_intact_files_beside_the_other_project_are_a_warning_on_stderr(environment: Environment) -> None:
    # What remains of the other project if Rostrum is installed after it.
    with zipfile.ZipFile(environment.other) as archive:
        archive.extractall(environment.packages, [name for name in archive.namelist() if ".dist-info/" in name])

    answers = [environment.run("rostrum", "--version"), environment.run("rostrum-windows", "--help")]

    assert [each.returncode for each in answers] == [0, 0]
    assert answers[0].stdout == f"rostrum {__version__}\n"
    (warning,) = {each.stderr for each in answers}
    assert warning.startswith("warning: The distribution rostrum 0.1.0 in ")
    pip = f"{environment.folder}/env/bin/python -m pip"
    repair = f"run `{pip} uninstall rostrum`, then run `{pip} install --force-reinstall --no-deps {environment.wheel}`."
    assert repair in warning
