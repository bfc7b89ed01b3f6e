"""Which desktops a command run selects, and which of them can receive its command."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from msgspec import Struct

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.command_runs import RunTarget
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.command_runs.model import MOST_TARGETS, Desktop, State
from rostrum.manager.commands.service import runs_code, supported_commands
from rostrum.manager.database.paging import Query
from rostrum.manager.errors import Forbidden
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sign_in.callers import current_identity
from rostrum.manager.storage import Work
from rostrum.manager.users.repository import Users


async def check_target(work: Work, target: RunTarget) -> None:
    """Refuse a selection of nothing, and one with users or groups that do not exist."""
    if not target.groups and not target.users and target.filter is None:
        raise Invalid("no desktops are selected", [Problem(path="target", message="select groups, users or a filter")])
    graph = await work.of(Groups).graph()
    groups = {*await work.of(Groups).priorities(target.groups), *graph} if target.groups else set()
    users = await work.of(Users).named(target.users) if target.users else {}
    problems = [
        *_unknown("groups", "group", target.groups, groups),
        *_unknown("users", "user", target.users, users),
    ]
    if problems:
        raise Invalid("unknown users or groups", problems[:100])
    if target.filter is not None:
        # Refuses unknown filters.
        await work.of(Sessions).active(_query(target), work.now, 1)


def _unknown(path: str, noun: str, names: Sequence[str], known: Iterable[str]) -> list[Problem]:
    there = set(known)
    return [
        Problem(path=f"target.{path}[{number}]", message=f"there is no {noun} {name!r}")
        for number, name in enumerate(names)
        if name not in there
    ]


async def select_desktops(work: Work, target: RunTarget, since: datetime) -> list[Desktop]:
    """Find the connected desktops of a selection, and its offline users, of whom each counts as one desktop."""
    selected = await _selected_users(work, target)
    enabled = set(await work.of(Users).keys(Query(filters={"disabled": "false"}), MOST_TARGETS * 2))
    users = enabled if selected is None else selected & enabled
    newest: dict[tuple[str, str, str], Session] = {}
    for session in await work.of(Sessions).active(_query(target), since, MOST_TARGETS * 2):
        if session.user in users:
            newest.setdefault((session.user, session.machine, session.product), session)
    seen = (
        await work.of(Sessions).last_users(_query(target), MOST_TARGETS * 2) if _is_narrow(target, selected) else users
    )
    offline = (users & seen) - await work.of(Sessions).active_users(since)
    connected = [
        Desktop(user=user, machine=machine, product=product, session=session.id)
        for (user, machine, product), session in newest.items()
    ]
    if len(connected) + len(offline) > MOST_TARGETS:
        message = f"selects more than {MOST_TARGETS} desktops: narrow it down"
        raise Invalid("too many desktops", [Problem(path="target", message=message)])
    return [*connected, *(Desktop(user=user) for user in sorted(offline))]


def _is_narrow(target: RunTarget, selected: set[str] | None) -> bool:
    """Return whether offline users are selected by their last session, and not by their name alone."""
    return selected is None or (target.filter is not None and bool(target.filter.q or target.filter.fields))


async def _selected_users(work: Work, target: RunTarget) -> set[str] | None:
    if not target.groups and not target.users:
        return None
    users = set(target.users)
    for group in target.groups:
        users.update(await work.of(Users).keys(Query(filters={"memberOf": group}), MOST_TARGETS * 2))
    return users


def _query(target: RunTarget) -> Query:
    given = target.filter
    return Query() if given is None else Query(text=given.q, filters=given.fields)


class Recipient(Struct, frozen=True, kw_only=True):
    """A desktop of a run at this moment: the session that can receive the command, or why there is none."""

    desktop: Desktop
    session: Session | None = None
    state: State = State.SENT
    message: str | None = None

    def as_json(self) -> dict[str, Any]:
        state = "ready" if self.state is State.SENT else self.state.value
        session = None if self.session is None else self.session.id
        machine = self.desktop.machine if self.session is None else self.session.machine
        return {
            "user": self.desktop.user,
            "machine": machine,
            "session": session,
            "state": state,
            "message": self.message,
        }

    def without_command(self, now: datetime) -> Desktop:
        """Return the desktop as it is stored when nothing is sent."""
        session = self.desktop.session if self.session is None else self.session.id
        finished = None if self.state is State.OFFLINE else now
        return replace(self.desktop, state=self.state, session=session, message=self.message, finished=finished)


async def recipients(
    work: Work, identity: Identity, command: str, desktops: Sequence[Desktop], since: datetime
) -> list[Recipient]:
    """Find out for each desktop whether the caller can send it a command now."""
    users = sorted({desktop.user for desktop in desktops})
    sessions: dict[str, list[Session]] = {}
    for start in range(0, len(users), _BATCH):
        for one in await work.of(Sessions).active_of(users[start : start + _BATCH], since):
            sessions.setdefault(one.user, []).append(one)
    refused = await _refused(work, identity, users) if runs_code(command) else {}
    found = []
    for desktop in desktops:
        its = [one for one in sessions.get(desktop.user, ()) if _is_of(desktop, one)]
        session = its[0] if its else None
        if desktop.user in refused:
            found.append(
                Recipient(desktop=desktop, session=session, state=State.REFUSED, message=refused[desktop.user])
            )
        elif session is None:
            found.append(Recipient(desktop=desktop, state=State.OFFLINE))
        elif command not in supported_commands(session):
            message = f"the desktop does not support {command}"
            found.append(Recipient(desktop=desktop, session=session, state=State.UNSUPPORTED, message=message))
        else:
            found.append(Recipient(desktop=desktop, session=session))
    return found


_BATCH = 500


def _is_of(desktop: Desktop, session: Session) -> bool:
    return desktop.machine in ("", session.machine) and desktop.product in ("", session.product)


async def _refused(work: Work, identity: Identity, users: Sequence[str]) -> dict[str, str]:
    """Return why the caller must not run code on the desktops of some users: it would run with their permissions."""
    graph = await work.of(Groups).graph()
    found = {}
    for user_id, user in (await work.of(Users).named(users)).items():
        try:
            require_power_over(identity, expand(user.groups, graph), "the user has more rights than the author")
        except Forbidden as error:
            found[user_id] = str(error)
    return found


async def author_now(work: Work, author: str, token_id: str | None, since: datetime) -> Identity:
    """Return the author of a run with the rights of this moment, and refuse one who may no longer send commands."""
    identity = await current_identity(work, author, token_id, since)
    require(identity, Permission.COMMANDS_WRITE)
    return identity
