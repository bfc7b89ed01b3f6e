"""Refuses requests whose caller has not just confirmed the own identity, for example with a password."""

from rostrum.manager.changes.origin import Unconfirmed, current_origin
from rostrum.manager.errors import ConfirmationRequired, Forbidden
from rostrum.manager.kinds import Kind

GIVES_RIGHTS = frozenset({Kind.USER, Kind.GROUP})
"""Documents that give rights."""


def require_confirmed() -> None:
    """Refuse a request whose caller has not confirmed the own identity; a program with an API token never can."""
    unconfirmed = current_origin().unconfirmed
    if unconfirmed is Unconfirmed.TOKEN:
        raise Forbidden(
            "This creates credentials, gives rights or transfers all data, which cannot be done with an API token. "
            "Send the request with user ID and password, or use the commands of `rostrum manager` on the server."
        )
    if unconfirmed is not None:
        raise ConfirmationRequired


def require_confirmed_session() -> None:
    """Refuse a session whose user has not confirmed the own identity; programs with an API token may continue.

    For code that runs on desktops, and for work that continues after the request: nobody can be asked later.
    """
    if current_origin().unconfirmed is Unconfirmed.SESSION:
        raise ConfirmationRequired
