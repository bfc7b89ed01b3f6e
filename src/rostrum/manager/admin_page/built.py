"""The built admin UI of this installation."""

from functools import cache
from importlib.resources import files

from rostrum.base.distribution import Advice, this_installation
from rostrum.manager import built_page
from rostrum.manager.built_page import Build

NAME = "admin UI"
FOLDER = files(__package__) / "build"
"""The folder of the files, in a source tree and in the wheel."""


@cache
def load() -> Build:
    """Load the admin UI once. After a failure, the next call tries again."""
    return built_page.load_from(FOLDER, NAME)


def how_to_fix() -> Advice:
    """Return the command that repairs the admin UI."""
    return this_installation().with_built_files("make admin-ui")
