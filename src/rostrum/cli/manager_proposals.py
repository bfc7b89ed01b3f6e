"""rostrum manager proposals: changes that wait for the approval of a second administrator."""

from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, json_values, require_database, run_or_fail
from rostrum.cli.output import say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

app = typer.Typer(help="List, approve and reject changes that require approval.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ProposalArgument = Annotated[str, typer.Argument(help="The ID of the proposal.", metavar="ID", show_default=False)]


@app.command("list")
def list_proposals(
    *,
    status: Annotated[str, typer.Option(help="Only proposals with this status; empty for all.")] = "pending",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List proposals, newest first."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.database.paging import Query

    query = Query(limit=1000, filters={"status": status} if status else {})

    async def run(parts: dict[str, Any]) -> list[dict[str, Any]]:
        page = await parts["proposals"].page(SYSTEM, query)
        return [json_values(proposal.as_json()) for proposal in page.items]

    found = run_or_fail(require_database(config, quiet=json), "proposals list", run)
    if json:
        show_json(found)
        return
    rows = [
        (
            each["id"],
            each["status"],
            each["created"][:16],
            each["createdBy"],
            each["operation"],
            str(each["changed"]),
            each["ticket"],
            each["comment"],
        )
        for each in found
    ]
    show_table(("id", "status", "created", "author", "operation", "documents", "ticket", "comment"), rows)


@app.command()
def show(proposal_id: ProposalArgument, *, json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show a proposal and its differences."""
    from rostrum.base import json_text
    from rostrum.manager.access.identity import SYSTEM

    async def run(parts: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = json_values((await parts["proposals"].get(SYSTEM, proposal_id)).as_json())
        return found

    found = run_or_fail(require_database(config, quiet=json), "proposals show", run)
    if json:
        show_json(found)
        return
    _show_status(found)
    for change in found["changes"]:
        say(f"{change['kind']} {change['id']} ({change['action']}){' has changed since' if change['outdated'] else ''}")
        rows = [
            (edit["path"], *(json_text.dump(edit[side]).decode() if side in edit else "" for side in _SIDES))
            for edit in change["diff"]
        ]
        show_table(("path", *_SIDES), rows)
    if found["effect"] is not None:
        _show_effect(found["effect"])


@app.command()
def approve(
    proposal_id: ProposalArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Approve a proposal: its documents are changed in one transaction."""
    _decide("approve", proposal_id, config, (comment, ticket), json=json)


@app.command()
def reject(
    proposal_id: ProposalArgument,
    *,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Reject a proposal. Nothing is changed."""
    _decide("reject", proposal_id, config, (comment, ticket), json=json)


_SIDES = ("before", "after")


def _decide(word: str, proposal_id: str, config: Any, reason: tuple[str, str], *, json: bool) -> None:
    from rostrum.manager.access.identity import SYSTEM

    async def run(parts: dict[str, Any]) -> dict[str, Any]:
        decided = await getattr(parts["proposals"], word)(SYSTEM, proposal_id)
        found: dict[str, Any] = json_values(decided.as_json())
        return found

    found = run_or_fail(require_database(config, quiet=json), f"proposals {word}", run, *reason)
    if json:
        show_json(found)
    else:
        _show_status(found)


def _show_effect(effect: dict[str, Any]) -> None:
    """Print the users that a proposal reaches, and what they would receive."""
    from rostrum.base import json_text

    say(f"Affected users: {effect['users']}")
    for item in effect["items"]:
        more = item["count"] - len(item["users"])
        say(f"{', '.join(item['users'])}{f' and {more} more' if more else ''}")
        rows = [
            (f"{part} {word}", ", ".join(each if isinstance(each, str) else each["name"] for each in names))
            for part in ("groups", "apps", "layouts")
            for word, names in item[part].items()
            if names
        ]
        values = [
            (f"{value['file']} {value['path']}", *(json_text.dump(value[side]).decode() for side in _SIDES))
            for value in item["configs"]
        ]
        show_table(("change", "names"), rows)
        show_table(("value", *_SIDES), values)
    for document in effect["documents"]:
        say(f"Users receive: {document['kind']} {document['name']} {json_text.dump(document['content']).decode()}")
        if document["rollout"] is not None:
            candidate = json_text.dump(document["rollout"]["candidate"]).decode()
            say(f"New version of the roll-out {document['rollout']['id']}: {candidate}")


def _show_status(proposal: dict[str, Any]) -> None:
    by = f" by {proposal['decidedBy']}" if proposal["decidedBy"] else ""
    say(f"Proposal {proposal['id']} of {proposal['createdBy']}: {proposal['status']}{by}.")
