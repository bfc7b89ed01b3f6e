"""What goes wrong while the manager's configuration is read.

RostrumError
└── ConfigInvalid    one or more settings cannot be used; carries every problem found
"""

from collections.abc import Iterable

from rostrum.base.errors import RostrumError
from rostrum.base.problems import Problem


class ConfigInvalid(RostrumError):
    """The manager's configuration cannot be used; each reason is listed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__(_summary(self.problems))


def _summary(problems: list[Problem]) -> str:
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    lines = [f"- {problem}" for problem in problems]
    return "\n".join([f"the manager's configuration has {count}:", *lines])
