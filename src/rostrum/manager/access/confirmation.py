"""Decides which changes require that the caller has just confirmed the own identity, for example with a password.

A stolen session would otherwise create credentials and rights that outlive it. The storage asks before each commit, so
that no operation can omit the check.
"""

from collections.abc import Iterable, Mapping

from rostrum.manager.access.permissions import RIGHT_GROUPS
from rostrum.manager.audit.origin import Unconfirmed, current_origin
from rostrum.manager.document import Document
from rostrum.manager.errors import ConfirmationRequired, Forbidden
from rostrum.manager.groups.model import Graph, Group, expand
from rostrum.manager.history.journal import Change
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.users.model import User

GIVES_RIGHTS = frozenset({Kind.USER, Kind.GROUP})
"""Documents that give rights."""

_CREDENTIALS = frozenset({Kind.API_TOKEN, Kind.PASSWORD_LINK, Kind.DIRECTORY})
_TRANSFERS = frozenset({Action.EXPORTED, Action.IMPORTED})

States = tuple[Document | None, Document | None]
"""A document before and after a change."""


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


def is_durable(change: Change) -> bool:
    """Return whether a change creates a credential, sets a password, or transfers all data."""
    if change.kind in _CREDENTIALS:
        return change.action is Action.CREATED
    return (bool(change.secrets) and change.after is not None) or change.action in _TRANSFERS


def gives_rights(changes: Iterable[States], graph: Graph) -> bool:
    """Return whether users receive rights, directly or through groups, or are enabled and have rights.

    ``graph`` has the groups after the changes.
    """
    states = list(changes)
    earlier = _graph_before(states, graph)
    known: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}
    for before, after in states:
        is_enabled = isinstance(before, User) and isinstance(after, User) and before.disabled and not after.disabled
        key = () if is_enabled else _groups(before), _groups(after)
        if key[1] and key not in known:
            known[key] = not RIGHT_GROUPS.isdisjoint(expand(key[1], graph) - expand(key[0], earlier))
    return any(known.values())


def _groups(document: Document | None) -> tuple[str, ...]:
    """Return the groups whose rights a document gives."""
    if isinstance(document, Group):
        return document.expands_to
    if isinstance(document, User):
        return document.groups
    return ()


def _graph_before(states: Iterable[States], graph: Graph) -> Mapping[str, Iterable[str]]:
    earlier = dict(graph)
    for before, after in states:
        group = before or after
        if isinstance(group, Group):
            earlier[group.name] = _groups(before)
    return earlier
