"""The root of every error tree.

RostrumError
├── Invalid            the caller sent something wrong; carries every problem found
├── settings.errors    …
├── manager.errors     …
└── storage.errors     …
"""

from collections.abc import Iterable

from rostrum.base.problems import Problem

__all__ = ["Invalid", "RostrumError"]


class RostrumError(Exception):
    """Something Rostrum refuses or cannot do, in words a person can act on."""


class Invalid(RostrumError):
    """A document or a request has one or more problems, all of them listed."""

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        """Keep what was wrong beside the summary."""
        super().__init__(message)
        self.problems = tuple(problems)
