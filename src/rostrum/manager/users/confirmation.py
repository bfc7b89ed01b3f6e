"""Decides which changes require that the caller has just confirmed the own identity, for example with a password.

A stolen session would otherwise create credentials and rights that outlive it. The check runs before each commit, so
that no operation can omit it.
"""

from collections.abc import Iterable, Mapping, Sequence

from rostrum.manager.access.confirmation import GIVES_RIGHTS, require_confirmed
from rostrum.manager.access.permissions import RIGHT_GROUPS
from rostrum.manager.changes.origin import Reason, current_origin
from rostrum.manager.document import Document
from rostrum.manager.groups.model import Graph, Group, expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.journal import Change
from rostrum.manager.kinds import Action, Kind
from rostrum.manager.storage import Work
from rostrum.manager.users.model import User

_CREDENTIALS = frozenset({Kind.API_TOKEN, Kind.PASSWORD_LINK, Kind.DIRECTORY})
_TRANSFERS = frozenset({Action.EXPORTED, Action.IMPORTED})

States = tuple[Document | None, Document | None]
"""A document before and after a change."""


async def require_confirmation(work: Work, changes: Sequence[Change], _reason: Reason) -> None:
    """Refuse credentials and rights from a session whose user has not confirmed the own identity."""
    if current_origin().unconfirmed is not None and await _is_privileged(work, changes):
        require_confirmed()


async def _is_privileged(work: Work, changes: Sequence[Change]) -> bool:
    if work.approval is not None or any(map(is_durable, changes)):
        return True
    edited = [change for change in changes if change.kind in GIVES_RIGHTS]
    states = [
        (work.journal.before(change.kind, change.key), change.document if change.after is not None else None)
        for change in edited
    ]
    return bool(states) and gives_rights(states, await work.of(Groups).graph())


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
