"""What can go wrong when a service is asked.

RostrumError
└── ServiceFailed      the service did not do what it was asked
    ├── Unreachable    it was not there, too slow or not well: worth another try
    │   └── Unanswered no full answer came, but the request may have arrived
    ├── NotPermitted   it does not know the caller, or does not let them
    └── Refused        it says the request is wrong, for a reason that another try does not change
"""

from rostrum.base.errors import RostrumError


class ServiceFailed(RostrumError):
    """The service did not do what it was asked."""


class Unreachable(ServiceFailed):
    """The service was not there, too slow or not well: another try may help."""


class Unanswered(Unreachable):
    """No full answer came; what was asked may have been done."""


class NotPermitted(ServiceFailed):
    """The service does not know the caller, or does not let them."""


class Refused(ServiceFailed):
    """The service says the request is wrong.

    Attributes:
        status: The status it answered with.

    """

    def __init__(self, message: str, status: int) -> None:
        self.status = status
        super().__init__(message)
