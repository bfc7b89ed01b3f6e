"""Command runs for administrators: one command for many desktops, in waves."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.command_runs import (
    CommandRunList,
    CommandRunPreview,
    CommandRunRequest,
    CommandRunView,
    NewCommandRun,
    RunTargetList,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.command_runs.model import Desktop
from rostrum.manager.command_runs.service import CommandRunService, RunProgress
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import COMMANDS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created
from rostrum.manager.topic import Routes

RunId = Annotated[str, PathParameter(description="The ID of the command run.", max_length=64)]

_ALL = "/admin/commands/runs"
_ONE = "/admin/commands/runs/{run_id:str}"


@get(
    _ALL,
    operation_id="listCommandRuns",
    tags=["commands"],
    **answers(200, CommandRunList, 304, 403, right=Permission.COMMANDS_READ),
)
async def list_runs(request: ManagerRequest, command_runs: Part[CommandRunService], wanted: Wanted) -> Response[Any]:
    """List command runs, newest first; filters: command, status, createdBy, ticket, comment."""
    page = await command_runs.page(request.user, wanted)
    return answer(request, page_view(page, RunProgress.summary))


@post(
    f"{_ALL}/preview",
    operation_id="previewCommandRun",
    tags=["commands"],
    **answers(200, CommandRunPreview, 403, 413, right=Permission.COMMANDS_WRITE),
)
async def preview_run(
    request: ManagerRequest, command_runs: Part[CommandRunService], data: JSONBody[CommandRunRequest]
) -> Response[Any]:
    """Preview a command run: how many desktops it selects now, and which cannot receive the command."""
    return answer(request, await command_runs.preview(request.user, data))


@post(
    _ALL,
    operation_id="startCommandRun",
    tags=["commands"],
    **answers(201, CommandRunView, 403, 409, 413, right=Permission.COMMANDS_WRITE, confirmed=COMMANDS),
)
async def start_run(
    request: ManagerRequest, command_runs: Part[CommandRunService], data: JSONBody[NewCommandRun]
) -> Response[Any]:
    """Send a command to many desktops in waves, at once or at a later time.

    The desktops are selected when the run starts, and the waves are sent in the background. A repeated request with the
    same key starts nothing.
    """
    progress, _ = await command_runs.create(request.user, data)
    return created(progress.as_json(), None, f"{request.url.path}/{progress.run.id}")


@get(
    _ONE,
    operation_id="readCommandRun",
    tags=["commands"],
    **answers(200, CommandRunView, 304, 403, 404, right=Permission.COMMANDS_READ),
)
async def read_run(request: ManagerRequest, command_runs: Part[CommandRunService], run_id: RunId) -> Response[Any]:
    """Read a command run with the progress of its waves."""
    return answer(request, (await command_runs.get(request.user, run_id)).as_json())


@get(
    f"{_ONE}/targets",
    operation_id="listCommandRunTargets",
    tags=["commands"],
    **answers(200, RunTargetList, 304, 403, 404, right=Permission.COMMANDS_READ),
)
async def list_targets(
    request: ManagerRequest, command_runs: Part[CommandRunService], run_id: RunId, wanted: Wanted
) -> Response[Any]:
    """List the desktops of a command run; filters: state, wave, user, machine, session."""
    page = await command_runs.desktops(request.user, run_id, wanted)
    return answer(request, page_view(page, Desktop.as_json))


@post(
    f"{_ONE}/pause",
    operation_id="pauseCommandRun",
    tags=["commands"],
    **answers(200, CommandRunView, 403, 404, 409, right=Permission.COMMANDS_WRITE),
)
async def pause_run(request: ManagerRequest, command_runs: Part[CommandRunService], run_id: RunId) -> Response[Any]:
    """Pause a command run: nothing more is sent until it is continued."""
    return answer(request, (await command_runs.pause(request.user, run_id)).as_json())


@post(
    f"{_ONE}/continue",
    operation_id="continueCommandRun",
    tags=["commands"],
    **answers(200, CommandRunView, 403, 404, 409, right=Permission.COMMANDS_WRITE, confirmed=COMMANDS),
)
async def continue_run(request: ManagerRequest, command_runs: Part[CommandRunService], run_id: RunId) -> Response[Any]:
    """Continue a command run that was paused or has stopped. Earlier failures and crashes no longer count."""
    return answer(request, (await command_runs.resume(request.user, run_id)).as_json())


@post(
    f"{_ONE}/cancel",
    operation_id="cancelCommandRun",
    tags=["commands"],
    **answers(200, CommandRunView, 403, 404, 409, right=Permission.COMMANDS_WRITE),
)
async def cancel_run(request: ManagerRequest, command_runs: Part[CommandRunService], run_id: RunId) -> Response[Any]:
    """End a command run. Commands that desktops have not fetched yet are withdrawn."""
    return answer(request, (await command_runs.cancel(request.user, run_id)).as_json())


ROUTES = Routes((list_runs, preview_run, start_run, read_run, list_targets, pause_run, continue_run, cancel_run))
