"""Printed commands, started in the ways that people start the program, and pasted into a shell."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rostrum.base.command_line import CommandLine, path_argument
from tests.end_to_end.processes import PATIENCE, clean_environment, run
from tests.prepared_processes import CAN_FORK, program

SCRIPT = f"#!{sys.executable}\nfrom rostrum.cli.main import main\nmain()\n"


def install(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "rostrum"
    script.write_text(text)
    script.chmod(0o755)


@pytest.mark.long
@pytest.mark.parametrize(
    ("started", "shown"),
    [
        (["bin/rostrum"], "bin/rostrum manager"),
        (["{here}/bin/rostrum"], "bin/rostrum manager"),
        (["./rostrum"], "./rostrum manager"),
        (["{other}/rostrum"], "'{other}/rostrum' manager"),
        (["rostrum"], "rostrum manager"),
        ([sys.executable, "-m", "rostrum"], "{python} -m rostrum manager"),
        ([sys.executable, "-c", "from rostrum.cli.main import main; main()"], "{python} -m rostrum manager"),
    ],
    ids=["relative", "absolute", "in the folder", "elsewhere", "on the path", "module", "other program"],
)
def test_a_printed_command_works_when_it_is_pasted(tmp_path: Path, started: list[str], shown: str) -> None:
    here, other = tmp_path / "here", tmp_path / "an other"
    # The first case loads everything as a person's start does; for the others, the words that start it matter.
    script = SCRIPT if started == ["bin/rostrum"] or not CAN_FORK else program()
    for folder in (here, here / "bin", other):
        install(folder, script)
    (here / "a 'folder'").mkdir()
    # Only one case has the program itself on the PATH, and only those with a module have its Python.
    search = [str(here / "bin")] if started == ["rostrum"] else []
    search += [str(Path(sys.executable).parent)] if shown.startswith("{python}") else []
    environment = clean_environment(PATH=os.pathsep.join([*search, "/usr/bin", "/bin"]))
    words = [word.format(here=here, other=other) for word in started]

    def call(command: list[str] | str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            shell=isinstance(command, str),
            cwd=here,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    assert run("manager", "init", "--dir", "a 'folder'", cwd=here).returncode == 0
    refused = call([*words, "manager", "user", "list", "--config", "a 'folder'/rostrum.json"])
    (printed,) = re.findall("`([^`]*manager migrate[^`]*)`", refused.stderr)

    assert printed.startswith(shown.format(other=other, python=Path(sys.executable).name))
    pasted = call(printed)
    assert pasted.returncode == 0, pasted.stderr
    assert (here / "a 'folder'" / "rostrum.db").exists()


def test_paths_below_the_current_folder_are_relative_and_never_look_like_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert path_argument(tmp_path / "a" / "b.json") == str(Path("a", "b.json"))
    assert path_argument(Path("-x")) == f".{os.sep}-x"
    assert path_argument(tmp_path.parent / "b.json") == str(tmp_path.parent / "b.json")


def test_an_argument_that_starts_like_an_option_is_kept_apart() -> None:
    command = CommandLine(("--config", "x.json"))

    assert command("manager", "user", "passwd", argument="-bob").endswith("passwd --config x.json -- -bob")
    assert command("manager", "user", "passwd", argument="bob").endswith("passwd --config x.json bob")
