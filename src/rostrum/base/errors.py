"""Base classes of all errors.

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
    """An operation that Rostrum rejects or cannot perform; the message states what the user can do."""


class Invalid(RostrumError):
    """A document or a request has one or more problems; the error lists all of them."""

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class TooLarge(Invalid):
    """A document or a request exceeds a limit on its size."""


class TooManyAttempts(RostrumError):
    """Too many wrong passwords were entered recently."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"too many attempts; try again in {retry_after} s")
        self.retry_after = retry_after


class Overloaded(RostrumError):
    """More sign-ins are waiting than the server accepts."""

    def __init__(self, retry_after: int = 1) -> None:
        super().__init__(f"too many sign-ins at once; try again in {retry_after} s")
        self.retry_after = retry_after
