"""The built browser platform of this installation."""

from functools import cache
from importlib.resources import files

from rostrum.manager import built_page
from rostrum.manager.built_page import Build

NAME = "browser platform"
FOLDER = files(__package__) / "build"
"""Where ``make platform-ui`` and the wheel put the files."""


@cache
def load() -> Build:
    """Load the browser platform once. A failure is not remembered: the next call looks again."""
    return built_page.load_from(FOLDER, NAME)


def how_to_fix() -> str:
    """Return the command that brings the page back, for a source tree or for an installed package."""
    return built_page.repair(__file__, "make platform-ui")
