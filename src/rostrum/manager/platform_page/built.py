"""The built browser platform of this installation."""

from functools import cache
from importlib.resources import files

from rostrum.manager import built_page
from rostrum.manager.built_page import Build

NAME = "browser platform"
FOLDER = files(__package__) / "build"
"""The folder of the files, in a source tree and in the wheel."""


@cache
def load() -> Build:
    """Load the browser platform once. After a failure, the next call tries again."""
    return built_page.load_from(FOLDER, NAME)


def how_to_fix() -> str:
    """Return the command that repairs the page, in a source tree or an installed package."""
    return built_page.repair(__file__, "make platform-ui")
