"""What can go wrong with configuration sources.

RostrumError
├── SourceFailed           one source could not be fetched
│   ├── Unreachable        the other side was not there or not well: worth another try
│   └── SourceRefused      it answered that this user may not have the files
│       └── Unauthorized   it wants other credentials
├── RequiredSourceFailed   the platform must not start
├── RemoteConfigFailed     the same for the remote configuration of the 9.0 stream
├── LocalConfigIncomplete  the same: local files of the 9.0 stream lack what they must have
├── BadPair                an environment or region that cannot be part of a file name
└── WrongArguments         the command line cannot be understood
"""

from collections.abc import Sequence

from rostrum.base.errors import RostrumError


class SourceFailed(RostrumError):
    """One source could not be fetched, for a reason that another try does not change."""


class Unreachable(SourceFailed):
    """The other side was not there, too slow or not well: another try may help."""


class SourceRefused(SourceFailed):
    """The other side was there and does not give this user the files; an earlier answer must not step in."""


class Unauthorized(SourceRefused):
    """The other side wants credentials, or others than those it got."""


class RequiredSourceFailed(RostrumError):
    """Required sources could not be fetched, so the platform must not start.

    Attributes:
        failures: Each source as people know it, and why it failed.

    """

    def __init__(self, failures: Sequence[tuple[str, str]]) -> None:
        self.failures = tuple(failures)
        lines = "; ".join(f"{name}: {reason}" for name, reason in failures)
        super().__init__(f"a required configuration source cannot be retrieved: {lines}")


class RemoteConfigFailed(RostrumError):
    """The remote configuration of ``gilding.json`` could not be fetched, and ``continueOnError`` is not set."""


class LocalConfigIncomplete(RostrumError):
    """The local files of the 9.0 stream lack settings or files that they must have."""

    def __init__(self, folder: str, missing: Sequence[str]) -> None:
        super().__init__(f"the local configuration in {folder} is incomplete: {'; '.join(missing)}")


class BadPair(RostrumError):
    """An environment or a region cannot be part of a file name."""


class WrongArguments(RostrumError):
    """The command line cannot be understood."""
