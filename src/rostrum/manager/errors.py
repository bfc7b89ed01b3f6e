"""What the manager refuses, beyond what storage does.

RostrumError
├── Unauthenticated    no valid credentials; never says why
├── InvalidPlatformToken   the token of a browser platform is not valid, or not any more
├── Forbidden          known, but not allowed
├── TooManyAttempts    guessing is slowed down
├── QuotaExceeded      the caller has stored as much as allowed
├── UnsupportedMediaType   the body is of a type that the operation does not read
├── TooManyListeners   more event streams are open than allowed
└── Overloaded         more work waits than the server takes on
"""

from rostrum.base.errors import RostrumError
from rostrum.contracts.browser_platform import INVALID_TOKEN


class Unauthenticated(RostrumError):
    """No valid credentials; the same words for every cause."""

    def __init__(self) -> None:
        """Say nothing that helps to guess."""
        super().__init__("not authorized")


class InvalidPlatformToken(RostrumError):
    """The token of a browser platform's session is not valid; the one message that its client understands."""

    def __init__(self) -> None:
        """Say what the client compares."""
        super().__init__(INVALID_TOKEN)


class Forbidden(RostrumError):
    """The caller is known, but not allowed to do this."""


class QuotaExceeded(RostrumError):
    """The caller has stored as much as the settings allow; nothing was changed."""

    def __init__(self, name: str, *, limit: int, used: int, advice: str) -> None:
        """Keep which quota it was, and say what to do."""
        super().__init__(
            f"quota exceeded: the setting quotas.{name} allows {limit} per user, and {used} are in use; {advice}, "
            "or ask an administrator to raise the limit"
        )
        self.name = name
        self.limit = limit
        self.used = used


class UnsupportedMediaType(RostrumError):
    """The body has a content type that the operation does not read."""


class TooManyListeners(RostrumError):
    """As many event streams are open as are allowed."""

    retry_after = 30
