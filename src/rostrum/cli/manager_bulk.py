"""rostrum manager bulk: one action for many documents, with a preview, progress and a report."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, json_values, require_database, run_or_fail
from rostrum.cli.output import counting, fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

if TYPE_CHECKING:
    from rostrum.contracts.batches import NewBatch
    from rostrum.manager.batches.model import Batch
    from rostrum.manager.batches.service import BatchService
    from rostrum.manager.kinds import Kind

app = typer.Typer(
    help="Change many documents at once. The history and the audit log record each change.", no_args_is_help=True
)

Answer = TypeVar("Answer")


class Documents(StrEnum):
    """The kinds that bulk changes concern, by their names in the admin UI."""

    USERS = "users"
    GROUPS = "groups"
    APPS = "apps"
    LAYOUTS = "layouts"
    PREFERENCES = "preferences"
    CONFIGS = "configs"
    SESSIONS = "sessions"
    MACHINES = "machines"
    COMMANDS = "commands"
    CRASHES = "crashes"
    CRASH_GROUPS = "crash-groups"
    FEEDBACK = "feedback"
    DIRECTORIES = "directories"
    TOKENS = "tokens"


KindArgument = Annotated[Documents, typer.Argument(help="The kind of documents.", metavar="KIND", show_default=False)]
BatchArgument = Annotated[str, typer.Argument(help="The ID of the batch.", metavar="BATCH", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("apply")
def apply_action(
    kind: KindArgument,
    action: Annotated[
        str,
        typer.Argument(
            help="Users: disable, enable, addToGroups, removeFromGroups, grantApps, revokeApps, delete. "
            "Apps and layouts: disable, enable, grant, revoke, delete. Sessions: end. Directories and tokens: revoke. "
            "Crash groups: investigate, resolve, ignore, reopen, assign, unassign. Feedback: the same, and delete. "
            "Other kinds: delete.",
            show_default=False,
        ),
    ],
    ids: Annotated[
        list[str] | None,
        typer.Argument(help="IDs or names of documents. `-` reads them from standard input, one on each line."),
    ] = None,
    *,
    query: Annotated[str, typer.Option("--query", "-q", help="Select the documents with this text.")] = "",
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", help="Select by a filter of the list: name=value. Can be repeated.", show_default=False
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option(help="Leave out this document. Can be repeated.", show_default=False)
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option("--group", "-g", help="A group of the action.", show_default=False)
    ] = None,
    app_name: Annotated[
        list[str] | None, typer.Option("--app", "-a", help="An app of the action.", show_default=False)
    ] = None,
    assignee: Annotated[str, typer.Option(help="The user for the action assign.", show_default=False)] = "",
    review_reports: Annotated[
        bool, typer.Option("--review-reports", help="With resolve: also mark the reports of crash groups as reviewed.")
    ] = False,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    key: Annotated[
        str,
        typer.Option(
            help="A text of your choice. Repeating the command with the same key changes nothing.", show_default=False
        ),
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the effect only. Nothing is changed.")] = False,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Apply an action to many documents. Exits with 1 if a document was refused."""
    from rostrum.manager.access.identity import SYSTEM

    body = _body(
        {
            "action": action,
            "arguments": {
                "groups": group or [],
                "apps": app_name or [],
                "assignee": [assignee] if assignee else [],
                **({"reviewReports": True} if review_reports else {}),
            },
            **_selection(ids, query, filters, exclude),
            "key": key or new_key(),
            "comment": comment,
            "ticket": ticket,
        }
    )

    async def run(parts: dict[str, Any]) -> Any:
        service: BatchService = parts["batches"]
        if dry_run:
            return await service.preview(SYSTEM, _kind(kind), body), None
        counted = body
        if body.filter is not None:
            total = (await service.preview(SYSTEM, _kind(kind), body)).total
            counted = body.model_copy(update={"count": total})
        batch, _ = await service.create(SYSTEM, _kind(kind), counted)
        return None, await finish_batch(service, batch)

    settings = require_database(config, quiet=json)
    preview, batch = run_or_fail(settings, "bulk apply", run)
    if preview is not None:
        _show_preview(kind, preview.as_json(), json=json)
    else:
        show_report(kind, batch, json=json)


@app.command("list")
def list_batches(kind: KindArgument, *, json: JsonOption = False, config: ConfigOption = None) -> None:
    """List bulk changes, newest first."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    async def run(parts: dict[str, Any]) -> list[dict[str, Any]]:
        service: BatchService = parts["batches"]
        page = await service.page(SYSTEM, _kind(kind), Query(limit=1000))
        return [json_values(service.view(batch)) for batch in page.items]

    settings = require_database(config, quiet=json)
    batches = run_or_fail(settings, "bulk list", run)
    if json:
        show_json(batches)
        return
    rows = [
        (each["id"], each["action"], each["status"], _progress(each), each["created"][:16], each["createdBy"])
        for each in batches
    ]
    show_table(("id", "action", "status", "processed", "started", "by"), rows)


@app.command()
def show(kind: KindArgument, batch_id: BatchArgument, *, json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show the progress of a bulk change, and the documents that were refused."""
    from rostrum.manager.access.identity import SYSTEM

    async def run(service: "BatchService") -> dict[str, Any]:
        return await _report(service, await service.get(SYSTEM, _kind(kind), batch_id))

    _show_result("bulk show", kind, config, run, json=json)


@app.command()
def resume(
    kind: KindArgument,
    batch_id: BatchArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Continue a bulk change that was interrupted, with the first document that was not processed."""
    from rostrum.manager.access.identity import SYSTEM

    async def run(service: "BatchService") -> dict[str, Any]:
        return await finish_batch(service, await service.reopen(SYSTEM, _kind(kind), batch_id))

    _show_result("bulk resume", kind, config, run, (comment, ticket), json=json)


@app.command()
def cancel(
    kind: KindArgument,
    batch_id: BatchArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """End a bulk change. Documents that were changed stay changed."""
    from rostrum.manager.access.identity import SYSTEM

    async def run(service: "BatchService") -> dict[str, Any]:
        return await _report(service, await service.cancel(SYSTEM, _kind(kind), batch_id))

    _show_result("bulk cancel", kind, config, run, (comment, ticket), json=json)


def _show_result(
    command: str,
    kind: Documents,
    config: Path | None,
    action: Callable[["BatchService"], Awaitable[dict[str, Any]]],
    reason: tuple[str, str] = ("", ""),
    *,
    json: bool,
) -> None:
    """Run a command that concerns one batch, and show the batch afterwards."""
    settings = require_database(config, quiet=json)
    found = run_or_fail(settings, command, lambda parts: action(parts["batches"]), *reason)
    show_report(kind, found, json=json)


def _kind(kind: Documents) -> "Kind":
    from rostrum.manager.kinds import Kind

    irregular = {
        Documents.CRASHES: Kind.CRASH,
        Documents.CRASH_GROUPS: Kind.CRASH_GROUP,
        Documents.DIRECTORIES: Kind.DIRECTORY,
        Documents.TOKENS: Kind.API_TOKEN,
    }
    return irregular.get(kind) or Kind(kind.removesuffix("s"))


def new_key() -> str:
    """Return a random key for a request."""
    from rostrum.base.ids import new_id

    return new_id()


def _selection(
    ids: list[str] | None, query: str, filters: list[str] | None, exclude: list[str] | None
) -> dict[str, Any]:
    if ids:
        if query or filters or exclude:
            fail("name documents, or select them with `--query` and `--filter`, but not both")
        names = sys.stdin.read().splitlines() if ids == ["-"] else ids
        return {"ids": [name.strip() for name in names if name.strip()]}
    if not query and not filters:
        fail("name documents, or select them with `--query` or `--filter`")
    fields = {}
    for each in filters or []:
        name, sign, value = each.partition("=")
        if not sign:
            fail(f"the filter {each!r} must be written as name=value")
        fields[name] = value
    return {"filter": {"q": query, "fields": fields, "exclude": exclude or []}}


def _body(values: dict[str, Any]) -> "NewBatch":
    from pydantic import ValidationError

    from rostrum.contracts.batches import NewBatch
    from rostrum.contracts.validation_messages import problems_of

    try:
        return NewBatch.model_validate(values)
    except ValidationError as error:
        fail("; ".join(str(problem) for problem in problems_of(error)))


async def finish_batch(service: "BatchService", batch: "Batch") -> dict[str, Any]:
    """Run the remaining parts, each in one transaction, and show the progress."""
    from rostrum.manager.access.identity import SYSTEM

    with counting("Documents processed:") as step:
        processed = 0
        async for each in _with_itself(batch, service.run(SYSTEM, batch)):
            now = each.done + each.unchanged + each.refused
            step(now - processed)
            batch, processed = each, now
    return await _report(service, batch)


async def _with_itself(batch: "Batch", later: AsyncIterator["Batch"]) -> AsyncIterator["Batch"]:
    yield batch
    async for each in later:
        yield each


async def _report(service: "BatchService", batch: "Batch") -> dict[str, Any]:
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    query = Query(limit=100_000, filters={"result": "refused"})
    refused = await service.targets(SYSTEM, batch.kind, batch.id, query)
    return {
        **json_values(service.view(batch)),
        "refusals": [{"id": target.id, "message": target.message} for target in refused.items],
    }


def _show_preview(kind: Documents, preview: dict[str, Any], *, json: bool) -> None:
    if json:
        show_json(preview)
        return
    say(f"Dry run. Nothing was changed. {_counts(kind, preview, 'would change', 'would be refused')}")
    for refusal in preview["refusals"]:
        say(f"  refused ({refusal['count']}): {refusal['message']}")
    show_table(("document", "result"), [(item["id"], _would(item["result"])) for item in preview["items"]])
    if len(preview["items"]) < preview["total"]:
        say(f"and {preview['total'] - len(preview['items']):,} more")


def _would(result: str) -> str:
    return {"done": "would change", "unchanged": "already in this state", "refused": "would be refused"}[result]


def show_report(kind: Documents, batch: dict[str, Any], *, json: bool) -> None:
    """Show a batch; end with 1 if a document was refused."""
    if json:
        show_json(batch)
    else:
        say(f"Batch {batch['id']} ({batch['action']}): {batch['status']}, {_progress(batch)} processed.")
        say(_counts(kind, batch, "changed", "refused"))
        if batch["problem"]:
            say(f"Interrupted: {batch['problem']}")
        if batch["refusals"]:
            show_table(("refused", "reason"), [(each["id"], each["message"] or "") for each in batch["refusals"]])
    if batch["refused"]:
        raise typer.Exit(1)


def _progress(batch: dict[str, Any]) -> str:
    return f"{batch['done'] + batch['unchanged'] + batch['refused']:,} of {batch['total']:,}"


def _counts(kind: Documents, counts: dict[str, Any], changed: str, refused: str) -> str:
    return (
        f"{kind.value.capitalize()}: {counts['done']:,} {changed}, {counts['unchanged']:,} already in this state, "
        f"{counts['refused']:,} {refused}."
    )
