"""Commands: sent by administrators, fetched and answered by clients."""

from typing import Annotated, Any

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from rostrum.base.json_text import raw
from rostrum.contracts.sessions import CommandList, CommandResult, CommandView, NewCommand, NewCommands, PendingCommands
from rostrum.manager.access.permissions import Permission
from rostrum.manager.commands.model import Command
from rostrum.manager.commands.service import CommandService
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import COMMANDS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, nothing
from rostrum.manager.topic import Routes

SessionKey = Annotated[str, PathParameter(description="The session's id.", max_length=64)]
CommandKey = Annotated[str, PathParameter(description="The command's id.", max_length=64)]


@get(
    "/sessions/{session_id:str}/commands",
    operation_id="fetchCommands",
    tags=["sessions"],
    **answers(200, PendingCommands, 304, 404, 409),
)
async def fetch_commands(
    request: ManagerRequest, commands: Part[CommandService], session_id: SessionKey
) -> Response[Any]:
    """Return the pending commands of the session, oldest first. The request also marks the session as active."""
    waiting = await commands.fetch(request.user, session_id)
    return answer(request, {"commands": [_pending(command) for command in waiting]})


@post(
    "/sessions/{session_id:str}/commands/{command_id:str}/result",
    operation_id="answerCommand",
    tags=["sessions"],
    **answers(204, None, 403, 404, 409, 413),
)
async def answer_command(
    request: ManagerRequest,
    commands: Part[CommandService],
    session_id: SessionKey,
    command_id: CommandKey,
    data: JSONBody[CommandResult],
) -> Response[None]:
    """Save the result of a command."""
    await commands.answer(request.user, session_id, command_id, data)
    return nothing()


@get(
    "/admin/commands",
    operation_id="listCommands",
    tags=["commands"],
    **answers(200, CommandList, 304, 403, right=Permission.COMMANDS_READ),
)
async def list_commands(request: ManagerRequest, commands: Part[CommandService], wanted: Wanted) -> Response[Any]:
    """List commands; filters: session, user, command, status."""
    page = await commands.page(request.user, wanted)
    return answer(request, page_view(page, Command.as_json))


@post(
    "/admin/commands",
    operation_id="sendCommand",
    tags=["commands"],
    **answers(201, NewCommands, 403, 413, right=Permission.COMMANDS_WRITE, confirmed=COMMANDS),
)
async def send_command(
    request: ManagerRequest, commands: Part[CommandService], data: JSONBody[NewCommand]
) -> Response[Any]:
    """Send a command to one or more sessions. If one session does not support the command, it is sent to none."""
    sent = await commands.send(request.user, data)
    body = {"items": [command.as_json() for command in sent], "total": len(sent)}
    return created(body, None, f"{request.url.path}/{sent[0].id}" if len(sent) == 1 else request.url.path)


@get(
    "/admin/commands/{command_id:str}",
    operation_id="readCommand",
    tags=["commands"],
    **answers(200, CommandView, 304, 403, 404, right=Permission.COMMANDS_READ),
)
async def read_command(
    request: ManagerRequest, commands: Part[CommandService], command_id: CommandKey
) -> Response[Any]:
    """Read a command with its result."""
    return answer(request, (await commands.get(request.user, command_id)).as_json())


@delete(
    "/admin/commands/{command_id:str}",
    operation_id="deleteCommand",
    tags=["commands"],
    **answers(204, None, 403, 404, right=Permission.COMMANDS_WRITE),
)
async def delete_command(
    request: ManagerRequest, commands: Part[CommandService], command_id: CommandKey
) -> Response[None]:
    """Delete a command. A command that was not fetched yet is cancelled."""
    await commands.remove(request.user, command_id)
    return nothing()


def _pending(command: Command) -> dict[str, Any]:
    return {"id": command.id, "command": command.command, "params": raw(command.params), "created": command.created}


ROUTES = Routes((fetch_commands, answer_command, list_commands, send_command, read_command, delete_command))
