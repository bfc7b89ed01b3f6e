"""rostrum manager crashes: groups of crash reports, their status, assignee and notes."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import (
    CommentOption,
    TicketOption,
    json_values,
    require_database,
    run_or_fail,
)
from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

app = typer.Typer(help="List crash groups, and change their status, assignee and notes.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
GroupArgument = Annotated[
    str, typer.Argument(help="The ID of the crash group, or its beginning.", metavar="GROUP", show_default=False)
]
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LEAST_PREFIX = 6


@app.command("groups")
def list_groups(
    *,
    since: Annotated[
        str,
        typer.Option(
            help="Count reports since this day: 2026-11-16, today, yesterday, or a day such as monday.",
            show_default=False,
        ),
    ] = "",
    status: Annotated[
        str,
        typer.Option(
            help="open (new, investigating and returned), new, investigating, returned, resolved or ignored.",
            show_default=False,
        ),
    ] = "",
    assignee: Annotated[str, typer.Option(help="Groups of this assignee only.", show_default=False)] = "",
    app_name: Annotated[str, typer.Option("--app", "-a", help="Groups of this app only.", show_default=False)] = "",
    version: Annotated[str, typer.Option(help="Groups of this version only.", show_default=False)] = "",
    sort: Annotated[
        str, typer.Option(help="count, lastSeen or firstSeen; a minus sign reverses the order.")
    ] = "-count",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of groups.")] = 50,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List crash groups, those with the most reports first."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    settings = require_database(config, quiet=json)
    filters = {"status": status, "assignee": assignee, "app": app_name, "version": version}
    filters["received"] = f"{_day(since)}.." if since else ""
    query = Query(limit=limit, sort=(sort,), filters={name: value for name, value in filters.items() if value})

    async def run(parts: dict[str, Any]) -> dict[str, Any]:
        page = await parts["crash_groups"].page(SYSTEM, query)
        return {"items": [json_values(group.as_json()) for group in page.items], "total": page.total}

    found = run_or_fail(settings, "crashes groups", run)
    if json:
        show_json(found)
    elif not found["items"]:
        say("no crashes")
    else:
        heads = ("GROUP", "REPORTS", "USERS", "STATUS", "ASSIGNEE", "APP", "VERSION", "LAST SEEN", "SIGNATURE")
        show_table(heads, [_row(group) for group in found["items"]])


@app.command("show")
def show_group(group: GroupArgument, *, json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show a crash group: affected users, changes before the first crash, and notes."""
    from rostrum.manager.access.identity import SYSTEM

    async def run(parts: dict[str, Any]) -> dict[str, Any]:
        service = parts["crash_groups"]
        group_id = await _complete(service, group)
        found = await service.get(SYSTEM, group_id)
        preceding = await service.preceding(SYSTEM, group_id)
        notes = await service.notes(SYSTEM, group_id)
        return {
            **json_values(found.as_json()),
            "preceding": json_values(preceding.as_json()),
            "notes": [json_values(note.as_json()) for note in notes.items],
        }

    settings = require_database(config, quiet=json)
    found = run_or_fail(settings, "crashes show", run)
    if json:
        show_json(found)
    else:
        _show(found)


@app.command("status")
def set_status(
    group: GroupArgument,
    status: Annotated[str, typer.Argument(help="new, investigating, resolved or ignored.", show_default=False)],
    *,
    review_reports: Annotated[
        bool, typer.Option("--review-reports", help="With resolved: also mark the reports as reviewed.")
    ] = False,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Set the status of a crash group."""
    members: dict[str, Any] = {"status": status, **({"reviewReports": True} if review_reports else {})}
    _change("crashes status", group, members, comment, ticket, json=json, config=config)


@app.command("assign")
def assign(
    group: GroupArgument,
    user: Annotated[
        str | None,
        typer.Argument(
            help="The assignee. Without a user, the assignee is removed.", metavar="USER", show_default=False
        ),
    ] = None,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Set the assignee of a crash group."""
    _change("crashes assign", group, {"assignee": user}, comment, ticket, json=json, config=config)


@app.command("note")
def add_note(
    group: GroupArgument,
    text: Annotated[str, typer.Argument(help="The text of the note.", show_default=False)],
    *,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Add a note to a crash group."""
    from rostrum.contracts.reports import NewNote
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config, quiet=json)
    body = _parsed(NewNote, {"text": text})

    async def run(parts: dict[str, Any]) -> Any:
        service = parts["crash_groups"]
        note = await service.add_note(SYSTEM, await _complete(service, group), body)
        return json_values(note.as_json())

    note = run_or_fail(settings, "crashes note", run)
    if json:
        show_json(note)
    else:
        say("note added")


def _change(
    command: str, group: str, members: dict[str, Any], comment: str, ticket: str, *, json: bool, config: Any
) -> None:
    from rostrum.contracts.reports import Triage
    from rostrum.manager.access.identity import SYSTEM

    settings = require_database(config, quiet=json)
    body = _parsed(Triage, members)

    async def run(parts: dict[str, Any]) -> Any:
        service = parts["crash_groups"]
        changed = await service.change(SYSTEM, await _complete(service, group), body)
        return json_values(changed.as_json())

    changed = run_or_fail(settings, command, run, comment, ticket)
    if json:
        show_json(changed)
    else:
        say(f"Status: {changed['status']}. Assignee: {changed['assignee'] or 'none'}.")


async def _complete(service: Any, beginning: str) -> str:
    """Return the ID that begins with a text, as tables print it; other texts are used unchanged."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    if len(beginning) < _LEAST_PREFIX or "*" in beginning:
        return beginning
    page = await service.page(SYSTEM, Query(limit=2, filters={"id": f"{beginning}*"}))
    return str(page.items[0].id) if page.total == 1 else beginning


def _parsed(model: Any, members: dict[str, Any]) -> Any:
    from pydantic import ValidationError

    from rostrum.contracts.validation_messages import problems_of

    try:
        return model.model_validate(members)
    except ValidationError as error:
        fail("; ".join(str(problem) for problem in problems_of(error)), 2)


def _day(text: str) -> str:
    """Return the day that a text names; a weekday is the last one, or today."""
    today = datetime.now(UTC).date()
    word = text.lower()
    if word in _DAYS:
        return str(today - timedelta(days=(today.weekday() - _DAYS.index(word)) % 7))
    if word in ("today", "yesterday"):
        return str(today - timedelta(days=word == "yesterday"))
    try:
        return str(date.fromisoformat(text))
    except ValueError:
        fail(f"{text!r} is not a day. Use a day such as 2026-11-16, today, yesterday or monday.", 2)


def _row(group: dict[str, Any]) -> tuple[str, ...]:
    return (
        group["id"][:12],
        f"{group['count']:,}",
        f"{group['users']:,}",
        group["status"],
        group["assignee"] or "",
        group["app"] or group["product"],
        group["version"],
        group["lastSeen"],
        group["signature"],
    )


def _show(found: dict[str, Any]) -> None:
    facts = [
        ("Signature", found["signature"]),
        ("App and version", f"{found['app'] or found['product']} {found['version']}"),
        ("Status", found["status"]),
        ("Assignee", found["assignee"] or "none"),
        ("Reports", f"{found['count']:,} of {found['users']:,} users on {found['machines']:,} machines"),
        ("Last 14 days", " ".join(map(str, found["days"]))),
        ("First seen", found["firstSeen"]),
        ("Last seen", found["lastSeen"]),
        *(("Note", f"{note['createdBy']}, {note['created']}: {note['text']}") for note in found["notes"]),
    ]
    show_table(("FACT", "VALUE"), facts)
    rows = [(each["user"] or "unknown", f"{each['count']:,}", each["lastSeen"]) for each in found["affected"]]
    show_table(("USER", "REPORTS", "LAST SEEN"), rows)
    preceding = found["preceding"]
    if preceding["versionFirstUsed"]:
        say(f"Version {found['version']} was first used at {preceding['versionFirstUsed']}.")
    if preceding["items"]:
        say("Changes in the 24 hours before the first crash:")
        changes = [
            (each["at"], each["kind"], each["name"], each["actor"], each["comment"] or "")
            for each in preceding["items"]
        ]
        show_table(("CHANGED", "KIND", "DOCUMENT", "BY", "COMMENT"), changes)
    else:
        say("In the 24 hours before the first crash, nothing changed for this app or its affected users.")
