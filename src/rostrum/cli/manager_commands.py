"""rostrum manager commands: one command for many desktops, in waves, with a preview and live progress."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, show_table, working
from rostrum.cli.settings_file import ConfigOption, ManagerSettings

if TYPE_CHECKING:
    from rostrum.contracts.command_runs import NewCommandRun
    from rostrum.manager.command_runs.model import Desktop
    from rostrum.manager.command_runs.service import CommandRunService, RunProgress

app = typer.Typer(
    help="Send a command to many desktops in waves. A running manager sends the waves.", no_args_is_help=True
)

Answer = TypeVar("Answer")

_SPAN = re.compile(r"([0-9]{1,6})(s|m|h|d)")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_LOOK_SECONDS = 1.0
_STATES = ("done", "failed", "unanswered", "offline", "unsupported", "refused", "sent", "pending", "cancelled")
_WORDS = {"unanswered": "without an answer", "sent": "not answered yet"}
_ENDED = ("done", "cancelled", "stopped", "paused")
_FAILURES = ("failed", "unanswered", "refused")

RunArgument = Annotated[str, typer.Argument(help="The ID of the command run.", metavar="RUN", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
WatchOption = Annotated[
    bool, typer.Option("--watch", "-w", help="Show the progress until the run ends, stops or is paused.")
]


@app.command()
def send(
    command: Annotated[str, typer.Argument(help="The command, for example Restart.", show_default=False)],
    *,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", "-g", help="Effective members of this group. Can be repeated.", show_default=False),
    ] = None,
    user: Annotated[
        list[str] | None, typer.Option("--user", "-u", help="This user. Can be repeated.", show_default=False)
    ] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            help="Desktops by a filter of the list of sessions: version=10.1, region=EMEA, env=PROD. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    query: Annotated[str, typer.Option("--query", "-q", help="Desktops whose session has this text.")] = "",
    everyone: Annotated[bool, typer.Option("--all", help="All desktops.")] = False,
    params: Annotated[str, typer.Option(help="The parameters of the command, a JSON object.")] = "{}",
    waves: Annotated[
        str,
        typer.Option(help="The total number or percentage of desktops after each wave, such as 5,50,100%."),
    ] = "100%",
    pause: Annotated[str, typer.Option(help="The time between waves, for example 90s, 10m, 2h.")] = "0s",
    answer_timeout: Annotated[str, typer.Option(help="A desktop that does not answer in this time has failed.")] = "5m",
    max_failures: Annotated[
        str, typer.Option(help="Stop when more desktops fail: a number or a percentage.", show_default=False)
    ] = "",
    max_crashes: Annotated[
        str, typer.Option(help="Stop when more desktops crash: a number or a percentage.", show_default=False)
    ] = "",
    at: Annotated[
        str, typer.Option(help="Start at this time, for example 2026-11-17T20:00:00Z.", show_default=False)
    ] = "",
    expires: Annotated[
        str,
        typer.Option(
            help="Send the command to offline desktops that connect until this time, or for a time such as 12h.",
            show_default=False,
        ),
    ] = "",
    comment: CommentOption = "",
    ticket: TicketOption = "",
    key: Annotated[
        str,
        typer.Option(
            help="A text of your choice. Repeating the command with the same key sends nothing.", show_default=False
        ),
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show which desktops are selected. Nothing is sent.")
    ] = False,
    watch: WatchOption = False,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Send a command to many desktops in waves. With `--watch`, exits with 1 if a desktop failed."""
    from rostrum.manager.access.identity import SYSTEM

    values = {
        "key": key or _new_key(),
        "command": command,
        "params": _object(params),
        "target": _target(group, user, filters, query, everyone=everyone),
        "waves": [part.strip() for part in waves.split(",")],
        "pause": seconds_of("--pause", pause),
        "answerTimeout": seconds_of("--answer-timeout", answer_timeout),
        "maxFailures": max_failures or None,
        "maxCrashes": max_crashes or None,
        "startAt": at or None,
        "expires": _end(expires),
        "comment": comment,
        "ticket": ticket,
    }
    body = _body(values)

    async def preview(service: "CommandRunService") -> dict[str, Any]:
        found: dict[str, Any] = json_values(await service.preview(SYSTEM, body))
        return found

    async def start(service: "CommandRunService") -> dict[str, Any]:
        progress, _ = await service.create(SYSTEM, body)
        return await _reported(service, await service.advance(progress.run.id), watch=watch)

    settings = require_database(config, quiet=json)
    if dry_run:
        _show_preview(_run(settings, "commands send", preview), json=json)
    else:
        _show(_run(settings, "commands send", start), json=json, fails=watch)


@app.command("list")
def list_runs(*, json: JsonOption = False, config: ConfigOption = None) -> None:
    """List command runs, newest first."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    async def run(service: "CommandRunService") -> list[dict[str, Any]]:
        return [json_values(each.summary()) for each in (await service.page(SYSTEM, Query(limit=1000))).items]

    runs = _run(require_database(config, quiet=json), "commands list", run)
    if json:
        show_json(runs)
        return
    rows = [
        (each["id"], each["command"], each["status"], _progress(each), each["created"][:16], each["createdBy"])
        for each in runs
    ]
    show_table(("id", "command", "status", "desktops", "created", "by"), rows)


@app.command()
def show(
    run_id: RunArgument, *, watch: WatchOption = False, json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Show the progress of a command run, its waves and the desktops that failed."""
    from rostrum.manager.access.identity import SYSTEM

    async def run(service: "CommandRunService") -> dict[str, Any]:
        return await _reported(service, await service.get(SYSTEM, run_id), watch=watch)

    _show(_run(require_database(config, quiet=json), "commands show", run), json=json, fails=watch)


@app.command()
def pause(
    run_id: RunArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Pause a command run: nothing more is sent until it is continued."""
    reason = (comment, ticket)
    _control("pause", run_id, config, lambda service, who: service.pause(who, run_id), reason, json=json)


@app.command("continue")
def continue_run(
    run_id: RunArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Continue a command run that was paused or has stopped. Earlier failures and crashes no longer count."""
    reason = (comment, ticket)
    _control("continue", run_id, config, lambda service, who: service.resume(who, run_id), reason, json=json)


@app.command()
def cancel(
    run_id: RunArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """End a command run. Commands that desktops have not fetched yet are withdrawn."""
    reason = (comment, ticket)
    _control("cancel", run_id, config, lambda service, who: service.cancel(who, run_id), reason, json=json)


def _control(
    word: str,
    run_id: str,
    config: Path | None,
    action: Callable[["CommandRunService", Any], Awaitable["RunProgress"]],
    reason: tuple[str, str],
    *,
    json: bool,
) -> None:
    from rostrum.manager.access.identity import SYSTEM

    async def run(service: "CommandRunService") -> dict[str, Any]:
        await action(service, SYSTEM)
        return await _reported(service, await service.get(SYSTEM, run_id), watch=False)

    _show(_run(require_database(config, quiet=json), f"commands {word}", run, *reason), json=json, fails=False)


def _run(
    settings: ManagerSettings,
    command: str,
    action: Callable[["CommandRunService"], Awaitable[Answer]],
    comment: str = "",
    ticket: str = "",
) -> Answer:
    return run_or_fail(settings, command, lambda parts: action(parts["command_runs"]), comment, ticket)


def _new_key() -> str:
    from rostrum.base.ids import new_id

    return new_id()


def _object(text: str) -> dict[str, Any]:
    from rostrum.base import json_text
    from rostrum.base.errors import RostrumError

    try:
        found = json_text.parse(text, max_elements=10_000)
    except RostrumError as error:
        fail(f"--params: {error}")
    if not isinstance(found, dict):
        fail("--params must be a JSON object.")
    return found


def _target(
    groups: list[str] | None, users: list[str] | None, filters: list[str] | None, query: str, *, everyone: bool
) -> dict[str, Any]:
    fields = {}
    for each in filters or []:
        name, sign, value = each.partition("=")
        if not sign:
            fail(f"the filter {each!r} must be written as name=value")
        fields[name] = value
    narrow = bool(groups or users or fields or query)
    if everyone and narrow:
        fail("use `--all` without `--group`, `--user`, `--filter` and `--query`")
    if not everyone and not narrow:
        fail("select desktops with `--group`, `--user`, `--filter` or `--query`, or all with `--all`")
    chosen = {"q": query, "fields": fields} if everyone or fields or query else None
    return {"groups": groups or [], "users": users or [], "filter": chosen}


def seconds_of(option: str, text: str) -> int:
    """Read a time span such as 90s, 10m, 2h or 1d."""
    found = _SPAN.fullmatch(text)
    if found is None:
        fail(f"{option}: {text!r} is not a time span. Write for example 90s, 10m, 2h or 1d.")
    return int(found[1]) * _SECONDS[found[2]]


def _end(text: str) -> str | None:
    """Return the time at which something expires; a span counts from now."""
    if _SPAN.fullmatch(text):
        return (datetime.now(UTC) + timedelta(seconds=seconds_of("--expires", text))).isoformat()
    return text or None


def _body(values: dict[str, Any]) -> "NewCommandRun":
    from pydantic import ValidationError

    from rostrum.contracts.command_runs import NewCommandRun
    from rostrum.contracts.validation_messages import problems_of

    try:
        return NewCommandRun.model_validate(values)
    except ValidationError as error:
        fail("; ".join(str(problem) for problem in problems_of(error)))


async def _reported(service: "CommandRunService", progress: "RunProgress", *, watch: bool) -> dict[str, Any]:
    """Return a run with the desktops that failed; with ``watch``, after it has ended or stopped."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    while watch and progress.run.status not in _ENDED:
        with working(_sentence(json_values(progress.summary()))):
            await asyncio.sleep(_LOOK_SECONDS)
        progress = await service.get(SYSTEM, progress.run.id)
    failed: list[Desktop] = []
    for state in _FAILURES:
        query = Query(limit=50_000, filters={"state": state})
        failed += (await service.desktops(SYSTEM, progress.run.id, query)).items
    found: dict[str, Any] = json_values({**progress.as_json(), "failures": [each.as_json() for each in failed]})
    return found


def _show_preview(preview: dict[str, Any], *, json: bool) -> None:
    if json:
        show_json(preview)
        return
    say(
        f"Dry run. Nothing was sent. {preview['total']:,} desktops: {preview['ready']:,} would receive the command, "
        f"{preview['offline']:,} offline, {preview['unsupported']:,} do not support the command, "
        f"{preview['refused']:,} refused."
    )
    say(f"Waves: {', '.join(f'{size:,}' for size in preview['waves']) or 'none'}")
    rows = [(each["user"], each["machine"], each["state"], each["message"] or "") for each in preview["items"]]
    show_table(("user", "machine", "state", "reason"), rows)
    if len(preview["items"]) < preview["total"]:
        say(f"and {preview['total'] - len(preview['items']):,} more")


def _show(run: dict[str, Any], *, json: bool, fails: bool) -> None:
    if json:
        show_json(run)
    else:
        say(f"Command run {run['id']} ({run['command']}): {run['status']}.")
        if run["reason"]:
            say(f"Stopped: {run['reason']}." if run["status"] == "stopped" else run["reason"])
        if run["status"] == "scheduled" and run["startAt"]:
            say(f"Starts at {run['startAt']}.")
        say(f"{_sentence(run)}.")
        if run["waves"]:
            rows = [
                (str(wave["number"]), _progress(wave), (wave["started"] or "")[:19], (wave["finished"] or "")[:19])
                for wave in run["waves"]
            ]
            show_table(("wave", "desktops", "started", "finished"), rows)
        if run["failures"]:
            rows = [(each["user"], each["machine"], each["state"], each["message"] or "") for each in run["failures"]]
            show_table(("user", "machine", "state", "reason"), rows)
    if fails and (run["failures"] or run["status"] == "stopped"):
        raise typer.Exit(1)


def _progress(counts: dict[str, Any]) -> str:
    return f"{counts['done']:,} of {counts['total']:,}"


def _sentence(counts: dict[str, Any]) -> str:
    parts = [f"{_progress(counts)} done"]
    parts += [f"{counts[state]:,} {_WORDS.get(state, state)}" for state in _STATES[1:] if counts[state]]
    if counts.get("crashed"):
        parts.append(f"{counts['crashed']:,} crashed")
    return ", ".join(parts)
