"""The built admin UI of this installation."""

from functools import cache
from importlib.resources import files

from rostrum.manager import built_page
from rostrum.manager.built_page import Build

NAME = "admin UI"
FOLDER = files(__package__) / "build"
"""Where ``make admin-ui`` and the wheel put the files."""


@cache
def load() -> Build:
    """Load the admin UI once. A failure is not remembered: the next call looks again."""
    return built_page.load_from(FOLDER, NAME)


def how_to_fix() -> str:
    """Return the command that brings the admin UI back, for a source tree or for an installed package."""
    return built_page.repair(__file__, "make admin-ui")
