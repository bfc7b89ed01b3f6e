"""rostrum manager rollouts: a new version of an app, layout or configuration file, in stages."""

import sys
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from rostrum.cli.manager_commands import seconds_of
from rostrum.cli.manager_parts import json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption, ManagerSettings

if TYPE_CHECKING:
    from rostrum.contracts.rollouts import NewRollout
    from rostrum.manager.kinds import Kind
    from rostrum.manager.rollouts.service import RolloutProgress, RolloutService

app = typer.Typer(
    help="Roll a change out in stages. A running manager starts the stages and watches the limits.",
    no_args_is_help=True,
)

Answer = TypeVar("Answer")


class StagedKind(StrEnum):
    """A kind of document that can be rolled out in stages."""

    APPS = "apps"
    LAYOUTS = "layouts"
    CONFIGS = "configs"


_KINDS = {StagedKind.APPS: "app", StagedKind.LAYOUTS: "layout", StagedKind.CONFIGS: "config"}

KindArgument = Annotated[
    StagedKind, typer.Argument(help="The kind of the document.", metavar="{apps|layouts|configs}", show_default=False)
]
RolloutArgument = Annotated[str, typer.Argument(help="The ID of the roll-out.", metavar="ROLLOUT", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def start(
    staged: KindArgument,
    document: Annotated[
        str, typer.Argument(help="The name of the app, or the ID of the layout or file.", show_default=False)
    ],
    file: Annotated[
        str, typer.Argument(help="A JSON file with the new definition or contents; - reads from standard input.")
    ],
    *,
    stage: Annotated[
        list[str] | None,
        typer.Option(
            "--stage",
            "-s",
            help="The users of a stage, and how long it lasts: 10%:2h, Pilots:1d, or 5%,Pilots:1d. Without a time, "
            "an administrator starts the next stage. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    max_failures: Annotated[
        str,
        typer.Option(
            help="Halt when more desktops do not apply the new version: a number or a percentage.", show_default=False
        ),
    ] = "",
    max_crashes: Annotated[
        str, typer.Option(help="Halt when more users crash: a number or a percentage.", show_default=False)
    ] = "",
    apply_timeout: Annotated[
        str, typer.Option(help="A desktop that does not apply the new version in this time has failed.")
    ] = "5m",
    comment: Annotated[str, typer.Option(help="The reason for the change, for the audit log.")] = "",
    ticket: Annotated[str, typer.Option(help="The number of a ticket, for the audit log.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show how many users each stage reaches. Nothing is written.")
    ] = False,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Roll a new version of a document out in stages."""
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config, quiet=json)
    body = _body(
        {
            "key": document,
            "content": _content(file),
            "stages": [_stage(each) for each in stage or ["10%:1h", "50%:1h"]],
            "maxFailures": max_failures or None,
            "maxCrashes": max_crashes or None,
            "applyTimeout": seconds_of("--apply-timeout", apply_timeout),
            "comment": comment,
            "ticket": ticket,
        }
    )

    async def preview(service: "RolloutService") -> dict[str, Any]:
        found: dict[str, Any] = json_values(await service.preview(SYSTEM, _kind(staged), body))
        return found

    if dry_run:
        _show_preview(_run(settings, "rollouts start", preview), json=json)
        return
    _control("start", config, lambda service, who: service.create(who, _kind(staged), body), json=json)


@app.command("list")
def list_rollouts(staged: KindArgument, *, json: JsonOption = False, config: ConfigOption = None) -> None:
    """List roll-outs of one kind of documents, newest first."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    async def run(service: "RolloutService") -> list[dict[str, Any]]:
        page = await service.page(SYSTEM, _kind(staged), Query(limit=1000))
        return [json_values(each.summary()) for each in page.items]

    rollouts = _run(require_database(config, quiet=json), "rollouts list", run)
    if json:
        show_json(rollouts)
        return
    rows = [
        (
            each["id"],
            each["name"],
            each["status"],
            f"{each['stage']} of {len(each['stages'])}",
            each["created"][:16],
            each["createdBy"],
        )
        for each in rollouts
    ]
    show_table(("id", "document", "status", "stage", "created", "by"), rows)


@app.command()
def show(
    staged: KindArgument, rollout_id: RolloutArgument, *, json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Show a roll-out, its stages and its progress."""
    _control("show", config, lambda service, who: service.get(who, _kind(staged), rollout_id), json=json)


@app.command()
def advance(
    staged: KindArgument, rollout_id: RolloutArgument, *, json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Start the next stage now. A halted roll-out continues."""
    _control("advance", config, lambda service, who: service.advance(who, _kind(staged), rollout_id), json=json)


@app.command()
def halt(
    staged: KindArgument, rollout_id: RolloutArgument, *, json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Halt a roll-out: no further stage starts. Users who have the new version keep it."""
    _control("halt", config, lambda service, who: service.halt(who, _kind(staged), rollout_id), json=json)


@app.command()
def resume(
    staged: KindArgument, rollout_id: RolloutArgument, *, json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Resume a halted roll-out. Earlier crashes and failures no longer count."""
    _control("resume", config, lambda service, who: service.resume(who, _kind(staged), rollout_id), json=json)


@app.command()
def finish(
    staged: KindArgument, rollout_id: RolloutArgument, *, json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Save the new version for all users, and end the roll-out."""
    _control("finish", config, lambda service, who: service.finish(who, _kind(staged), rollout_id), json=json)


@app.command()
def withdraw(
    staged: KindArgument, rollout_id: RolloutArgument, *, json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Discard the new version. All users receive the saved one."""
    _control("withdraw", config, lambda service, who: service.withdraw(who, _kind(staged), rollout_id), json=json)


def _control(
    word: str,
    config: Path | None,
    action: Callable[["RolloutService", Any], Awaitable["RolloutProgress"]],
    *,
    json: bool,
) -> None:
    from rostrum.manager.access.identity import SYSTEM

    async def run(service: "RolloutService") -> dict[str, Any]:
        found: dict[str, Any] = json_values((await action(service, SYSTEM)).as_json())
        return found

    _show(_run(require_database(config, quiet=json), f"rollouts {word}", run), json=json)


def _run(settings: ManagerSettings, command: str, action: Callable[["RolloutService"], Awaitable[Answer]]) -> Answer:
    return run_or_fail(settings, command, lambda parts: action(parts["rollouts"]))


def _kind(kind: StagedKind) -> "Kind":
    from rostrum.manager.kinds import Kind

    return Kind(_KINDS[kind])


def _content(file: str) -> Any:
    from rostrum.base import json_text
    from rostrum.base.errors import RostrumError

    try:
        return json_text.parse(sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        fail(f"{file}: {error.strerror}", 2)
    except UnicodeDecodeError:
        fail(f"{file} is not a text file with UTF-8.", 2)
    except RostrumError as error:
        fail(f"{file} does not contain valid JSON ({str(error).rpartition(': ')[2]}).", 2)


def _stage(text: str) -> dict[str, Any]:
    """Read a stage such as ``5%,Pilots:1d``."""
    users, _, duration = text.partition(":")
    parts = [part.strip() for part in users.split(",") if part.strip()]
    percents = [part[:-1] for part in parts if part.endswith("%") and part[:-1].isdigit()]
    return {
        "percent": int(percents[-1]) if percents else 0,
        "groups": [part for part in parts if part[:-1] not in percents or not part.endswith("%")],
        "duration": seconds_of("--stage", duration) if duration else None,
    }


def _body(values: dict[str, Any]) -> "NewRollout":
    from pydantic import ValidationError

    from rostrum.contracts.rollouts import NewRollout
    from rostrum.contracts.validation_messages import problems_of

    try:
        return NewRollout.model_validate(values)
    except ValidationError as error:
        fail("; ".join(str(problem) for problem in problems_of(error)))


def _show_preview(preview: dict[str, Any], *, json: bool) -> None:
    if json:
        show_json(preview)
        return
    say(f"Dry run. Nothing was written. {preview['users']:,} users receive the document.")
    rows = [(str(each["number"]), f"{each['users']:,}", f"{each['new']:,}") for each in preview["stages"]]
    show_table(("stage", "users", "new in this stage"), rows)


def _show(rollout: dict[str, Any], *, json: bool) -> None:
    if json:
        show_json(rollout)
        return
    say(f"Roll-out {rollout['id']} of {rollout['name']}: {rollout['status']}.")
    if rollout["reason"]:
        say(f"Reason: {rollout['reason']}.")
    rows = [
        (str(each["number"]), _users(each), _span(each["duration"]), (each["started"] or "")[:19])
        for each in rollout["stages"]
    ]
    show_table(("stage", "users", "duration", "started"), rows)
    if rollout["status"] in ("running", "halted"):
        seen = rollout["progress"]
        say(
            f"{seen['users']:,} users receive the new version. {seen['applied']:,} of {seen['desktops']:,} connected "
            f"desktops have applied it, {seen['failed']:,} failed. {seen['crashed']:,} users crashed."
        )
    if rollout["nextAt"]:
        is_last = rollout["stage"] == len(rollout["stages"])
        say(f"{'Finishes' if is_last else 'The next stage starts'} at {rollout['nextAt'][:19]}.")


def _users(stage: dict[str, Any]) -> str:
    return ", ".join([*([f"{stage['percent']}%"] if stage["percent"] else []), *stage["groups"]])


def _span(seconds: int | None) -> str:
    if seconds is None:
        return "until an administrator continues"
    for unit, size in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
