"""What the manager refuses, beyond what storage does.

RostrumError
├── Unauthenticated    no valid credentials; never says why
├── Forbidden          known, but not allowed
├── TooManyAttempts    guessing is slowed down
├── TooManyListeners   more event streams are open than allowed
└── Overloaded         more work waits than the server takes on
"""

from rostrum.base.errors import RostrumError

__all__ = ["Forbidden", "Overloaded", "TooManyAttempts", "TooManyListeners", "Unauthenticated"]


class Unauthenticated(RostrumError):
    """No valid credentials; the same words for every cause."""

    def __init__(self) -> None:
        """Say nothing that helps to guess."""
        super().__init__("not authorized")


class Forbidden(RostrumError):
    """The caller is known, but not allowed to do this."""


class TooManyAttempts(RostrumError):
    """Too many wrong passwords lately."""

    def __init__(self, retry_after: int) -> None:
        """Tell how many seconds to wait."""
        super().__init__(f"too many attempts; try again in {retry_after} s")
        self.retry_after = retry_after


class TooManyListeners(RostrumError):
    """As many event streams are open as are allowed."""

    retry_after = 30


class Overloaded(RostrumError):
    """More log-ins wait than the server takes on."""

    def __init__(self, retry_after: int = 1) -> None:
        """Ask to come back after some seconds."""
        super().__init__(f"too many log-ins at once; try again in {retry_after} s")
        self.retry_after = retry_after
