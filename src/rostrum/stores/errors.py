"""Errors of stores.

RostrumError
└── StoreFailed            a store could not be read or written
    ├── RequiredStoreFailed  the platform must not start without it
    └── InvalidStores        the configuration of required stores is invalid
"""

from collections.abc import Sequence

from rostrum.base.errors import RostrumError


class StoreFailed(RostrumError):
    """A store could not be read or written."""


class RequiredStoreFailed(StoreFailed):
    """Required app stores could not be read.

    Attributes:
        failures: Display name of each store, and the reason.
    """

    def __init__(self, failures: Sequence[tuple[str, str]]) -> None:
        self.failures = tuple(failures)
        lines = "; ".join(f"{name}: {reason}" for name, reason in failures)
        super().__init__(f"a required app store cannot be retrieved: {lines}")


class InvalidStores(StoreFailed):
    """The configuration of required stores is invalid.

    Attributes:
        failures: The path of each store in system.json, and the problem.
    """

    def __init__(self, failures: Sequence[tuple[str, str]]) -> None:
        self.failures = tuple(failures)
        lines = "; ".join(f"{path}: {reason}" for path, reason in failures)
        super().__init__(f"the configuration of a required store is invalid: {lines}")
