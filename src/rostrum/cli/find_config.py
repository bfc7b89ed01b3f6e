"""Finds the configuration that a command uses: the manager's file and the desktop's folder."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from rostrum.base.command_line import CommandLine, command, path_argument
from rostrum.cli.output import fail, say
from rostrum.installation.build import running_build

VARIABLE = "ROSTRUM_CONFIG"
"""Environment variable with a configuration file, or a folder that is searched before the current one."""

FILE_NAME = "rostrum.json"
DEMO_FOLDER = Path("rostrum-demo")

_OWN_FOLDERS = (Path("config"), Path("desk", "config"))
_DEMO_DESK = DEMO_FOLDER / "desk" / "config"
_PRODUCT_FOLDER = Path("Desktop", "config")
"""Where the 9.0 stream keeps its configuration, below the product folder of an installation."""
_SYSTEM_FILE = "system"
_AUTH_METHOD = "API_AUTH_METHOD"
"""The required setting that every configuration by environment variables contains."""


@dataclass(frozen=True, slots=True)
class Found:
    """A configuration, and how it was found.

    Attributes:
        path: The manager's file or the desktop's folder; None for a manager that the API_… variables configure.
        reason: Where the path comes from, if the user did not name it with an option.
        is_here: Whether commands find it from the current folder, so that they need no option.

    """

    path: Path | None
    reason: str = ""
    is_here: bool = False

    @property
    def command_line(self) -> CommandLine:
        """Return the formatter for commands that use this configuration."""
        if self.path is None or self.is_here:
            return CommandLine()
        return CommandLine(("--config", path_argument(self.path)))

    def announce(self, owner: str = "") -> None:
        """State on stderr which configuration is used, if the user did not name it.

        Args:
            owner: The part that is configured, for commands that use several configurations.

        """
        if self.path is not None and self.reason:
            name = f"the {owner}'s configuration" if owner else "the configuration"
            say(f"using {name} {path_argument(self.path)} ({self.reason})")


def find_manager(named: Path | None) -> Found | None:
    """Find the manager's configuration: --config, ROSTRUM_CONFIG, the current folder, API_… variables, the demo.

    The demo is last, so that it never hides another configuration.
    """
    if named is not None:
        return Found(_file_in(named) if named.is_dir() else named)
    given = _given()
    if given is not None and given.is_file() and not _is_system_file(given):
        return Found(given, f"from {VARIABLE}")
    if given is not None and (given / FILE_NAME).is_file():
        return Found(given / FILE_NAME, f"from {VARIABLE}")
    if Path(FILE_NAME).is_file():
        return Found(Path(FILE_NAME), "found in the current folder", is_here=given is None)
    if os.environ.get(_AUTH_METHOD) or os.environ.get(f"{_AUTH_METHOD}_FILE"):
        return Found(None)
    demo = DEMO_FOLDER / FILE_NAME
    return Found(demo, "the demo in the current folder", is_here=given is None) if demo.is_file() else None


def _file_in(folder: Path) -> Path:
    """Return the manager's configuration file in a folder that the user named."""
    file = folder / FILE_NAME
    if not file.is_file():
        fail(f"The folder {path_argument(folder)} does not contain {FILE_NAME}. Name another folder or a file.", 2)
    return file


def find_desktop(named: Path | None) -> Found | None:
    """Find the desktop's configuration: --config, ROSTRUM_CONFIG, the current folder, the demo in it, the installation.

    Each folder may be an installation of the 9.0 stream, with ``<product folder>/Desktop/config``.
    """
    if named is not None:
        # The folder of an installation of the 9.0 stream may be named directly.
        return Found(named if any(named.glob("*.json")) else _in_product_folder(named) or named)
    given = _given()
    if given is not None:
        for place in _desktop_places(given):
            return Found(place, f"from {VARIABLE}")
    own = next((folder for folder in _OWN_FOLDERS if folder.is_dir()), None) or _in_product_folder(Path())
    if own is not None:
        return Found(own, "found in the current folder", is_here=given is None)
    if _DEMO_DESK.is_dir():
        return Found(_DEMO_DESK, "the demo in the current folder", is_here=given is None)
    installed = running_build().folder
    if installed is not None and (installed / _OWN_FOLDERS[0]).is_dir():
        return Found(installed / _OWN_FOLDERS[0], "of this installation", is_here=given is None)
    return None


def nothing_found(*kinds: str) -> NoReturn:
    """End the command with an error that lists the searched places and what to do."""
    places = {
        "manager": f"{FILE_NAME}, {DEMO_FOLDER / FILE_NAME}, and the environment variable {_AUTH_METHOD}",
        "desktop": ", ".join(map(str, (*_OWN_FOLDERS, _PRODUCT_FOLDER, Path("*") / _PRODUCT_FOLDER, _DEMO_DESK))),
    }
    advice = {
        "manager": f"To configure a manager, run `{command('manager', 'init')}`.",
        "desktop": "To configure a desktop, create config/system.json.",
    }
    given = os.environ.get(VARIABLE)
    lines = [
        f"No configuration of the {' or the '.join(kinds)} was found.",
        f"The command searched {Path.cwd()} and the environment variables:",
        f"- {VARIABLE}: {given or 'not set'}",
        *(f"- for the {kind}: {places[kind]}" for kind in kinds),
        "Next steps:",
        *(f"- {advice[kind]}" for kind in kinds),
        "- To use an existing configuration, name it with "
        + ("--config (manager) or --desktop-config (desktop)." if len(kinds) > 1 else "--config."),
    ]
    fail("\n".join(lines), 2)


def _given() -> Path | None:
    """Return the path in ROSTRUM_CONFIG; it must contain a configuration, so that mistakes are reported."""
    text = os.environ.get(VARIABLE)
    if not text:
        return None
    given = Path(text)
    if not given.exists():
        fail(f"{VARIABLE} names {text}, which does not exist. Correct the variable, or unset it.", 2)
    if given.is_dir() and not (given / FILE_NAME).is_file() and not any(_desktop_places(given)):
        fail(
            f"{VARIABLE} names the folder {text}, which contains neither {FILE_NAME} nor a desktop configuration "
            f"(system.json). Correct the variable, or unset it.",
            2,
        )
    return given


def _desktop_places(given: Path) -> Iterator[Path]:
    if given.is_file():
        if _is_system_file(given):
            yield given
        return
    if (given / f"{_SYSTEM_FILE}.json").is_file():
        yield given
    yield from (given / folder for folder in _OWN_FOLDERS if (given / folder).is_dir())
    product = _in_product_folder(given)
    if product is not None:
        yield product


def _in_product_folder(folder: Path) -> Path | None:
    """Return the configuration of the 9.0 stream below an installation or product folder; several are refused."""
    places = [folder / _PRODUCT_FOLDER, *sorted(folder.glob(f"*/{_PRODUCT_FOLDER.as_posix()}"))]
    found = [place for place in places if (place / f"{_SYSTEM_FILE}.json").is_file()]
    if len(found) > 1:
        names = ", ".join(path_argument(place) for place in found)
        fail(f"There are several product folders with a configuration: {names}. Name one with --config.", 2)
    return found[0] if found else None


def _is_system_file(path: Path) -> bool:
    return path.name.startswith(_SYSTEM_FILE)
