"""Decides whether the author and the approver of a proposal are two people.

Neither may control the account of the other, and no third user may control both.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from msgspec import Struct

from rostrum.base import json_text
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.policy import require
from rostrum.manager.api_tokens.topic import ApiTokens
from rostrum.manager.audit.model import AuditSubject
from rostrum.manager.audit.repository import Audit
from rostrum.manager.errors import Forbidden
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.repository import History
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind
from rostrum.manager.proposals.model import Proposal
from rostrum.manager.storage import Work
from rostrum.manager.users.repository import Users

_APPROVAL = "approveProposal"
_MOST_ENTRIES = 1_000_000
_CONTROLLING = {"", "password", "disabled", "groups"}
"""Members with which the author of a change could act as the user, or give the user rights."""
_ACCOUNTS = (Kind.USER, Kind.PASSWORD_LINK)


class Control(Struct, frozen=True):
    """The accounts that one user controls, because this user has made or changed them, and their changes.

    Attributes:
        changes: The changes of users, groups and password links by these accounts.

    """

    changes: tuple[AuditSubject, ...]

    def keys(self, kind: Kind) -> set[str]:
        return {change.key for change in self.changes if change.kind == kind}


async def independent_rights(
    work: Work, proposal: Proposal, approver: Identity, kinds: Collection[Kind], period: timedelta
) -> Identity:
    """Return the approver with only the rights that do not come from the author; refuse if they do not suffice.

    Changes by the author count from some time before the proposal. The same applies to the account of the author: an
    approver could propose with a second account.
    """
    author = proposal.created_by
    if approver is SYSTEM or author == SYSTEM.user:
        return approver
    since = proposal.created - period + timedelta(milliseconds=1)
    makers = await work.of(ApiTokens).makers(author)
    rights = await _rights_without(work, approver.user, author, since)
    others = await _rights_without(work, author, approver.user, since)
    if rights is None or others is None or approver.user in makers:
        raise Forbidden(_text(author, since))
    for kind in kinds:
        right = DOCUMENT_KINDS[kind].write
        if right in approver.permissions and right not in rights.permissions:
            raise Forbidden(_text(author, since))
        require(rights, right)
        require(others, right)
    wanted = {DOCUMENT_KINDS[kind].write for kind in kinds}
    changes = await work.of(Audit).subjects([*_ACCOUNTS, Kind.GROUP], since, work.now, _MOST_ENTRIES)
    approvals = await _authors(work, changes, ())
    acting = {approvals.get(one.number, "") if one.operation == _APPROVAL else one.actor for one in changes}
    for other in sorted((acting | makers) - {"", SYSTEM.user, author, approver.user}):
        own = await _rights_without(work, approver.user, other, since)
        if own is not None and wanted <= own.permissions:
            continue
        own = None if other in makers else await _rights_without(work, author, other, since)
        if own is None or not wanted <= own.permissions:
            raise Forbidden(_text(author, since))
    return rights


async def _rights_without(work: Work, user: str, maker: str, since: datetime) -> Identity | None:
    """Return a user with the rights that do not come from a maker; ``None`` if the maker could act as the user.

    Groups that the maker has changed count as they were before. A change that another person has approved is not one of
    the maker alone.
    """
    control = await _control(work, maker, user, since)
    groups = await work.of(Users).groups_of(user)
    earlier = await work.of(History).revision_at(since - timedelta(milliseconds=1))
    touched = await _touched(work, control.changes, user)
    if touched & {"", "password", "disabled"}:
        return None
    if "groups" in touched:
        groups = tuple(await _names(work, Kind.USER, user, "groups", earlier))
    graph = dict(await work.of(Groups).graph())
    for name in control.keys(Kind.GROUP):
        graph[name] = tuple(await _names(work, Kind.GROUP, name, "expandsTo", earlier))
    return Identity.of(user, expand(groups, graph))


async def _control(work: Work, maker: str, user: str, since: datetime) -> Control:
    """Find the changes by a user, and by all accounts that this user has changed; the examined user is not one."""
    controlled, approvals = {maker}, dict[int, str]()
    while True:
        changes = await work.of(Audit).subjects(
            [*_ACCOUNTS, Kind.GROUP], since, work.now, _MOST_ENTRIES, actors=sorted(controlled)
        )
        approvals |= await _authors(work, changes, approvals)
        changes = [one for one in changes if one.operation != _APPROVAL or approvals[one.number] in controlled]
        known = {one.key for one in changes if one.kind in _ACCOUNTS} - controlled - {user}
        # Accounts that have changed nothing need no closer look.
        acts = await work.of(Audit).subjects(
            [*_ACCOUNTS, Kind.GROUP], since, work.now, _MOST_ENTRIES, actors=sorted(known)
        )
        more = {key for key in {one.actor for one in acts} if await _touched(work, changes, key) & _CONTROLLING}
        if not more:
            return Control(tuple(changes))
        controlled |= more


async def _authors(work: Work, changes: Iterable[AuditSubject], known: Collection[int]) -> dict[int, str]:
    """Read who has proposed the changes that were approved."""
    found: dict[int, str] = {}
    for number in {one.number for one in changes if one.operation == _APPROVAL and one.number not in known}:
        entry = await work.of(Audit).get(number)
        approval = {} if entry is None else json_text.parse(entry.text).get("approval", {})
        found[number] = approval.get("author", "")
    return found


async def _touched(work: Work, changes: Iterable[AuditSubject], user: str) -> set[str]:
    """Return the members of a user that changes concern; an empty name stands for the account, or for anything."""
    touched: set[str] = set()
    for one in changes:
        if one.kind == Kind.PASSWORD_LINK and one.key == user:
            touched.add("password")
        elif one.kind == Kind.USER and one.key == user:
            touched |= await _members(work, one.number, user)
    return touched


async def _members(work: Work, number: int, user: str) -> set[str]:
    """Return the members of a user that an audit entry changes."""
    entry = await work.of(Audit).get(number)
    changes = [] if entry is None else json_text.parse(entry.text)["changes"]
    for change in changes:
        if (change["kind"], change["id"]) == (Kind.USER, user):
            names = {edit["path"].split("/")[1] if edit["path"] else "" for edit in change["diff"]}
            is_complete = change["action"] == "changed" and not change.get("omitted")
            return names if is_complete else {""}
    return {""}


async def _names(work: Work, kind: Kind, key: str, member: str, revision: int) -> list[str]:
    """Read a list of groups as it was; empty if it is not known."""
    found = await work.of(History).as_of(kind, key, revision)
    return [] if found is None or found.body is None else list(json_text.parse(found.body)[member])


def _text(author: str, since: datetime) -> str:
    return (
        f"This approval would not be that of a second person. Since {since:%Y-%m-%d %H:%M} UTC, one of the two "
        f"accounts, yours and that of the author {author!r}, has created the other, or has given it a permission, a "
        "password or an API token, or another user has done this for both. Ask another administrator."
    )
