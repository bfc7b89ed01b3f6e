"""Errors of configuration sources.

RostrumError
├── SourceFailed           one source could not be fetched
│   ├── Unreachable        the service is not available; a retry may succeed
│   └── SourceRefused      the service denies this user access
│       └── Unauthorized   the service requires other credentials
├── RequiredSourceFailed   the platform must not start
├── RemoteConfigFailed     the same for the remote configuration of the 9.0 stream
├── LocalConfigIncomplete  the same: local files of the 9.0 stream lack required settings
├── BadPair                an environment or region that cannot be part of a file name
└── WrongArguments         the command line is invalid
"""

from collections.abc import Sequence

from rostrum.base.errors import RostrumError


class SourceFailed(RostrumError):
    """A source could not be fetched, for a reason that a retry does not change."""


class Unreachable(SourceFailed):
    """The service is not available or too slow; a retry may succeed."""


class SourceRefused(SourceFailed):
    """The service denies this user access to the files; a cached response must not be used."""


class Unauthorized(SourceRefused):
    """The service requires credentials, or other credentials."""


class RequiredSourceFailed(RostrumError):
    """Required sources could not be fetched, so the platform must not start.

    Attributes:
        failures: Display name of each source, and the reason.
    """

    def __init__(self, failures: Sequence[tuple[str, str]]) -> None:
        self.failures = tuple(failures)
        lines = "; ".join(f"{name}: {reason}" for name, reason in failures)
        super().__init__(f"a required configuration source cannot be retrieved: {lines}")


class RemoteConfigFailed(RostrumError):
    """The remote configuration of ``gilding.json`` could not be fetched, and ``continueOnError`` is not set."""


class LocalConfigIncomplete(RostrumError):
    """The local files of the 9.0 stream lack required settings or files."""

    def __init__(self, folder: str, missing: Sequence[str]) -> None:
        super().__init__(f"the local configuration in {folder} is incomplete: {'; '.join(missing)}")


class BadPair(RostrumError):
    """An environment or a region cannot be part of a file name."""


class WrongArguments(RostrumError):
    """The command line is invalid."""
