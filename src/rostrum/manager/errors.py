"""What the manager refuses, beyond what storage does.

RostrumError
├── Unauthenticated    no valid credentials; never says why
├── Forbidden          known, but not allowed
├── TooManyAttempts    guessing is slowed down
├── TooManyListeners   more event streams are open than allowed
└── Overloaded         more work waits than the server takes on
"""

from rostrum.base.errors import Overloaded, RostrumError, TooManyAttempts

__all__ = ["Forbidden", "Overloaded", "TooManyAttempts", "TooManyListeners", "Unauthenticated"]


class Unauthenticated(RostrumError):
    """No valid credentials; the same words for every cause."""

    def __init__(self) -> None:
        """Say nothing that helps to guess."""
        super().__init__("not authorized")


class Forbidden(RostrumError):
    """The caller is known, but not allowed to do this."""


class TooManyListeners(RostrumError):
    """As many event streams are open as are allowed."""

    retry_after = 30
