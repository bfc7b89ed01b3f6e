"""Client sessions and their machines."""

import hashlib
from datetime import timedelta
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import TooLarge
from rostrum.base.ids import new_id
from rostrum.base.json_text import raw
from rostrum.base.problems import Problem
from rostrum.contracts.sessions import SessionHeartbeat, SessionOpening
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.auth.security_log import SecurityEvent, report
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, NotFound, found
from rostrum.manager.machines.topic import Machines
from rostrum.manager.quotas.repository import Usage
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.receipts.topic import save_receipts
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Storage, Work

_NAME_LIMIT = 128
_LARGEST_TEXT = 65_536


class ActiveSession(Struct, frozen=True):
    """A session, and whether it is currently active."""

    session: Session
    active: bool

    def as_json(self) -> dict[str, Any]:
        session = self.session
        return {
            "id": session.id,
            "user": session.user,
            "machine": session.machine,
            "version": session.version,
            "env": session.env,
            "region": session.region,
            "product": session.product,
            "commands": raw(session.commands),
            "started": session.started,
            "lastSeen": session.last_seen,
            "ended": session.ended,
            "active": self.active,
        }


class SessionService:
    """Opens, updates and closes client sessions."""

    def __init__(self, storage: Storage, quotas: Quotas, *, idle_seconds: int) -> None:
        self._storage = storage
        self._quotas = quotas
        self._idle = timedelta(seconds=idle_seconds)

    async def open(self, identity: Identity, body: SessionOpening) -> ActiveSession:
        machine_id, machine_name = machine_identity(body.machine)
        described, commands = _bounded("machine", body.machine), _bounded("commands", body.commands)

        async def add(work: Work) -> ActiveSession:
            session = Session(
                id=new_id(),
                user=identity.user,
                machine=machine_id,
                version=body.version,
                env=body.env,
                region=body.region,
                product=body.product,
                commands=commands,
                started=work.now,
                last_seen=work.now,
            )
            if not await work.of(Machines).note(machine_id, machine_name, described, work.now, identity.user):
                await self._make_room_for_machine(work, identity.user)
                await work.of(Machines).see(machine_id, machine_name, described, work.now, identity.user)
            await self._forget_oldest(work, identity.user)
            await work.of(Sessions).add(session)
            return ActiveSession(session, active=True)

        async with self._storage.note(identity.user) as work:
            await work.of(Usage).lock(identity.user)
            if self._quotas.allows("sessions", await work.of(Usage).sessions(identity.user) + 1):
                return await add(work)
        # Ending sessions revokes their tokens; a revision notifies the other processes.
        async with self._storage.write(identity.user) as work:
            await work.of(Usage).lock(identity.user)
            await self._end_silent(work, identity.user)
            return await add(work)

    async def _end_silent(self, work: Work, user: str) -> None:
        """End inactive sessions, so that the quota allows one more session; refuse if there are too few."""
        used = await work.of(Usage).sessions(user)
        too_many = used + 1 - self._quotas.limits["sessions"]
        ended = await work.of(Usage).silent_sessions(user, work.now - self._idle, max(0, too_many))
        self._quotas.require("sessions", used=used, wanted=used + 1 - len(ended))
        for session_id in ended:
            await work.of(Sessions).end(session_id, work.now)

    async def _make_room_for_machine(self, work: Work, user: str) -> None:
        used = await work.of(Usage).machines(user)
        if not self._quotas.allows("machines", used + 1):
            gone = await work.of(Machines).remove_unused(user, used + 1 - self._quotas.limits["machines"])
            self._quotas.require("machines", used=used, wanted=used + 1 - gone)

    async def _forget_oldest(self, work: Work, user: str) -> None:
        kept = await work.of(Usage).kept_sessions(user)
        if not self._quotas.allows("keptSessions", kept + 1):
            await work.of(Sessions).forget_ended(user, kept + 1 - self._quotas.limits["keptSessions"])

    async def heartbeat(self, identity: Identity, session_id: str, body: SessionHeartbeat) -> ActiveSession:
        """Record a heartbeat of the caller's session."""
        async with self._storage.note(identity.user) as work:
            before = await require_own_open(work, identity, session_id)
            await work.of(Sessions).touch(session_id, work.now)
            commands = before.commands if body.commands is None else _bounded("commands", body.commands)
            if commands != before.commands:
                await work.of(Sessions).set_commands(before, commands)
            if body.applied is not None:
                await save_receipts(work, session_id, body.applied)
            session = found(await work.of(Sessions).get(session_id), "session", session_id)
        return ActiveSession(session, active=True)

    async def require_own_open(self, identity: Identity, session_id: str) -> None:
        """Refuse sessions other than open sessions of the caller."""
        async with self._storage.read() as work:
            await require_own_open(work, identity, session_id)

    async def close(self, identity: Identity, session_id: str) -> None:
        """End a session of the caller; its token becomes invalid."""
        async with self._storage.write(identity.user) as work:
            session = await work.of(Sessions).get(session_id)
            if session is None or session.user != identity.user:
                raise NotFound("session", session_id)
            await work.of(Sessions).end(session_id, work.now)
        report(SecurityEvent.TOKEN_REVOKED, session.user)

    async def page(self, identity: Identity, query: Query, *, active_only: bool) -> Page[ActiveSession]:
        require(identity, Permission.SESSIONS_READ)
        async with self._storage.read() as work:
            since = work.now - self._idle
            page = await work.of(Sessions).page(query, seen_since=since if active_only else None)
            listed = tuple(self._with_state(work, session) for session in page.items)
            return Page(items=listed, total=page.total, more=page.more)

    async def get(self, identity: Identity, session_id: str) -> ActiveSession:
        require(identity, Permission.SESSIONS_READ)
        async with self._storage.read() as work:
            return self._with_state(work, found(await work.of(Sessions).get(session_id), "session", session_id))

    async def end(self, identity: Identity, session_id: str) -> None:
        """End any session: its client has to sign in again."""
        require(identity, Permission.SESSIONS_WRITE)
        async with self._storage.write(identity.user) as work:
            session = found(await work.of(Sessions).get(session_id), "session", session_id)
            await work.of(Sessions).end(session_id, work.now)
        report(SecurityEvent.TOKEN_REVOKED, session.user, actor=identity.user)

    def _with_state(self, work: Work, session: Session) -> ActiveSession:
        return ActiveSession(session, session.ended is None and session.last_seen >= work.now - self._idle)


async def require_own_open(work: Work, identity: Identity, session_id: str) -> Session:
    """Return an open session of the caller; refuse others without revealing whether they exist."""
    return require_open(await work.of(Sessions).get(session_id), identity, session_id)


def require_open(session: Session | None, identity: Identity, session_id: str) -> Session:
    """Return an open session of the caller. A session of another user is refused in the same way as an unknown one."""
    if session is None or session.user != identity.user:
        raise NotFound("session", session_id)
    if session.ended is not None:
        raise Conflict("the session has ended: open a new session")
    return session


def _bounded(name: str, value: Any) -> str:
    """Convert data that a client sends about itself to JSON; refuse more than 65,536 characters."""
    text = json_text.dump(value).decode()
    if len(text) > _LARGEST_TEXT:
        message = f"must have at most {_LARGEST_TEXT} characters as JSON, not {len(text)}"
        raise TooLarge("the request has problems", [Problem(path=name, message=message)])
    return text


def machine_identity(info: dict[str, Any]) -> tuple[str, str]:
    """Return the ID and the name of a machine. If it reports no ID, one is derived from its name and system."""
    name = _text(info, "name", "hostName", "hostname", "host") or "unknown"
    given = _text(info, "id", "machineId")
    if given:
        return given, name
    system = _text(info, "os", "platform")
    digest = hashlib.blake2b(f"{name}\n{system}".encode(), digest_size=8).hexdigest()
    return f"{name}-{digest}", name


def _text(info: dict[str, Any], *names: str) -> str:
    for name in names:
        value = info.get(name)
        if isinstance(value, str) and value.isprintable() and value:
            return value[:_NAME_LIMIT]
    return ""
