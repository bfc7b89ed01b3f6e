"""Errors of requests to a service.

RostrumError
└── ServiceFailed      the request failed
    ├── Unreachable    the service is not available; a retry may succeed
    │   └── Unanswered no complete response, but the request may have arrived
    ├── NotPermitted   the credentials are missing, invalid or not sufficient
    └── Refused        the service rejected the request; a retry would not help
"""

from rostrum.base.errors import RostrumError


class ServiceFailed(RostrumError):
    """A request failed."""


class Unreachable(ServiceFailed):
    """The service is not available or too slow; a retry may succeed."""


class Unanswered(Unreachable):
    """No complete response arrived; the service may have processed the request."""


class NotPermitted(ServiceFailed):
    """The credentials are missing, invalid or not sufficient."""


class Refused(ServiceFailed):
    """The service rejected the request as invalid.

    Attributes:
        status: Status of the response.
    """

    def __init__(self, message: str, status: int) -> None:
        self.status = status
        super().__init__(message)
