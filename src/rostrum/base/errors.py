"""The root of every error tree.

RostrumError
├── Invalid            the caller sent something wrong; carries every problem found
│   └── TooLarge       the caller sent more than is accepted
├── TooManyAttempts    too many wrong passwords lately
├── Overloaded         more sign-ins wait than the process accepts
├── settings.errors    …
├── manager.errors     …
└── storage.errors     …
"""

from collections.abc import Iterable

from rostrum.base.problems import Problem


class RostrumError(Exception):
    """Something Rostrum refuses or cannot do, in words a person can act on."""


class Invalid(RostrumError):
    """A document or a request has one or more problems, all of them listed."""

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class TooLarge(Invalid):
    """A document or a request exceeds a limit on its size."""


class TooManyAttempts(RostrumError):
    """Too many wrong passwords lately."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"too many attempts; try again in {retry_after} s")
        self.retry_after = retry_after


class Overloaded(RostrumError):
    """More sign-ins wait than the server takes on."""

    def __init__(self, retry_after: int = 1) -> None:
        super().__init__(f"too many sign-ins at once; try again in {retry_after} s")
        self.retry_after = retry_after
