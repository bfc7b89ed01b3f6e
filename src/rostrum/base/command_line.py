"""Formats commands for messages, so that users can copy them into a shell in the current folder."""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_NAME = "rostrum"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Writes commands that use the same configuration as the running one.

    Attributes:
        options: Options that select the configuration, such as ``--config FILE``; empty if it is found without them.

    """

    options: tuple[str, ...] = ()

    def __call__(self, *words: str, argument: str | None = None) -> str:
        """Format a command that uses this configuration; an argument may be any text, such as the id of a user."""
        if argument is None:
            return command(*words, *self.options)
        # Arguments after -- are never read as options.
        return command(*words, *self.options, *(["--"] if argument.startswith("-") else []), argument)


def command(*arguments: str) -> str:
    """Format a command of this program as a line for the shell."""
    return quote(*_program(), *arguments)


def quote(*words: str) -> str:
    """Join words into a line for the system's shell."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def path_argument(path: Path) -> str:
    """Format a path for a command: relative if it is below the current folder, otherwise absolute."""
    absolute, here = path.absolute(), Path.cwd()
    if not absolute.is_relative_to(here):
        return str(absolute)
    relative = str(absolute.relative_to(here))
    # A path such as -x would be read as an option.
    return f".{os.sep}{relative}" if relative.startswith("-") else relative


def _program() -> tuple[str, ...]:
    """Return the words that start this program again."""
    started = sys.argv[0]
    # On Windows the name may lack its extension, which `which` adds.
    script = shutil.which(started) if Path(started).stem == _NAME else None
    if script is None:
        return (_python(), "-m", _NAME)
    on_path = shutil.which(_NAME)
    if on_path is not None and Path(on_path).samefile(script):
        return (_NAME,)
    return (_executable(script),)


def _python() -> str:
    # Compared by name, not as files: the Python of a virtual environment is a link to another interpreter, which does
    # not find this package.
    python = Path(sys.executable)
    on_path = shutil.which(python.name)
    is_on_path = on_path is not None and Path(on_path).absolute() == python
    return python.name if is_on_path else _executable(sys.executable)


def _executable(path: str) -> str:
    shown = path_argument(Path(path))
    # A shell searches names without a folder only on the PATH.
    return shown if os.sep in shown else f".{os.sep}{shown}"
