"""Commands of administrators to connected desktops, and their results."""

from typing import Any

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.contracts.sessions import CommandResult, NewCommand
from rostrum.manager.access.confirmation import require_confirmed_session
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require, require_power_over
from rostrum.manager.commands.model import Command
from rostrum.manager.commands.repository import Commands
from rostrum.manager.commands.results import ResultQueue
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import found
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.sessions.model import Session
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sessions.service import require_own_open
from rostrum.manager.storage import Storage
from rostrum.manager.users.repository import Users

KNOWN_COMMANDS = (
    "ChangeFetchInterval",
    "ExecuteCode",
    "GetLogs",
    "GetSupportedCommands",
    "GetSystemInfo",
    "RefreshApps",
    "Restart",
    "RestartApps",
    "SendFeedback",
    "StopApps",
)
"""The commands that existing clients support. If a client reports its own list, only that list applies."""


_RUN_NOTHING = frozenset(KNOWN_COMMANDS) - {"ExecuteCode"} | {"Refresh", "Shutdown"}
"""Commands that cannot run programs or code of the sender's choice. The effect of others is not known here."""


class CommandService:
    """The commands sent to client sessions."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._results = ResultQueue(storage)

    async def send(self, identity: Identity, body: NewCommand) -> list[Command]:
        """Send a command to all named sessions, or to none if one of them does not support it."""
        require(identity, Permission.COMMANDS_WRITE)
        if runs_code(body.command):
            require_confirmed_session()
        params = json_text.dump(body.params).decode()
        async with self._storage.write(identity.user) as work:
            targets = body.targets()
            sessions = {session.id: session for session in await work.of(Sessions).get_many(targets)}
            _check_targets(body, sessions)
            if runs_code(body.command):
                # Programs and code run with the rights of the user at the desktop.
                graph = await work.of(Groups).graph()
                for user in {session.user for session in sessions.values()}:
                    require_power_over(identity, expand(await work.of(Users).groups_of(user), graph))
            commands = [
                Command(
                    id=new_id(),
                    session=session_id,
                    user=sessions[session_id].user,
                    command=body.command,
                    params=params,
                    status="pending",
                    created=work.now,
                    created_by=identity.user,
                )
                for session_id in targets
            ]
            await work.of(Commands).add(*commands)
        return commands

    async def fetch(self, identity: Identity, session_id: str) -> list[Command]:
        """Return the pending commands of a client; the request also counts as a heartbeat."""
        async with self._storage.note() as work:
            await require_own_open(work, identity, session_id)
            await work.of(Sessions).touch(session_id, work.now)
            waiting = await work.of(Commands).unanswered(session_id)
            if any(command.delivered is None for command in waiting):
                await work.of(Commands).deliver(session_id, work.now)
        return waiting

    async def answer(self, identity: Identity, session_id: str, command_id: str, result: CommandResult) -> None:
        """Store the result of a client; later results are ignored."""
        data = None if result.data is None else json_text.dump(result.data).decode()
        await self._results.store(identity, session_id, command_id, result.status, data)

    async def page(self, identity: Identity, query: Query) -> Page[Command]:
        require(identity, Permission.COMMANDS_READ)
        async with self._storage.read() as work:
            return await work.of(Commands).page(query)

    async def get(self, identity: Identity, command_id: str) -> Command:
        require(identity, Permission.COMMANDS_READ)
        async with self._storage.read() as work:
            return found(await work.of(Commands).get(command_id), "command", command_id)

    async def remove(self, identity: Identity, command_id: str) -> None:
        """Delete a command. A command that was not fetched yet is cancelled."""
        require(identity, Permission.COMMANDS_WRITE)
        async with self._storage.write(identity.user) as work:
            found(await work.of(Commands).get(command_id), "command", command_id)
            await work.of(Commands).remove(command_id)


def runs_code(command: str) -> bool:
    """Return whether a command may start a program or code of the sender's choice."""
    return command not in _RUN_NOTHING


def _check_targets(body: NewCommand, sessions: dict[str, Session]) -> None:
    problems: list[Problem] = []
    for number, session_id in enumerate(body.targets()):
        path = "session" if body.session else f"sessions[{number}]"
        session = sessions.get(session_id)
        if session is None:
            problems.append(Problem(path=path, message=f"there is no session {session_id!r}"))
        elif session.ended is not None:
            problems.append(Problem(path=path, message=f"the session {session_id!r} has ended"))
        else:
            supported = supported_commands(session)
            if body.command not in supported:
                listed = ", ".join(sorted(supported))
                message = f"the session {session_id!r} does not support {body.command!r}; it supports {listed}"
                problems.append(Problem(path="command", message=message))
    if problems:
        raise Invalid("the command cannot be sent", problems[:100])


def supported_commands(session: Session) -> frozenset[str]:
    """Return the names of the commands that the desktop of a session supports."""
    reported = [_name(item) for item in json_text.parse(session.commands)]
    return frozenset(name for name in reported if name) or frozenset(KNOWN_COMMANDS)


def _name(item: Any) -> str:
    name = (item.get("type") or item.get("name")) if isinstance(item, dict) else item
    return name if isinstance(name, str) else ""
