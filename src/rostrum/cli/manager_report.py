"""rostrum manager report: the figures of the dashboard."""

from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import json_values, require_database, run_or_fail
from rostrum.cli.output import show_json, show_table
from rostrum.cli.settings_file import ConfigOption


def report(
    *,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    config: ConfigOption = None,
) -> None:
    """Print points that need attention, the newest changes, and sessions and crashes by day."""
    from rostrum.manager.access.identity import SYSTEM

    async def run(parts: dict[str, Any]) -> Any:
        return json_values((await parts["dashboard"].read(SYSTEM)).as_json())

    found = run_or_fail(require_database(config, quiet=json), "report", run)
    if json:
        show_json(found)
        return
    show_table(("needs attention", "number"), _attention(found["attention"]))
    typer.echo()
    show_table(("revision", "time", "user", "change", "ticket", "comment"), list(map(_change, found["changes"])))
    typer.echo()
    names = found["versions"]["names"]
    show_table(("day (UTC)", *names, "other versions", "crashes", "changes"), _days(found))


def _attention(found: Any) -> list[tuple[str, str]]:
    numbers = [
        (f"failed commands since {_day(found['failedCommands']['since'])}", found["failedCommands"]["count"]),
        ("stopped command runs", found["stoppedRuns"]),
        *((f"halted roll-outs ({kind})", number) for kind, number in found["haltedRollouts"].items()),
        ("proposals that wait for approval", found["proposals"]),
        *((f"connected desktops with outdated {kind}", each["pending"]) for kind, each in found["outdated"].items()),
        (f"API tokens that expire before {_day(found['expiringTokens']['until'])}", found["expiringTokens"]["count"]),
    ]
    if found["crashes"] is not None:
        since = found["crashes"]["since"]
        numbers.insert(0, (f"crashes since the last change ({since[:16]})", found["crashes"]["count"]))
    return [(text, str(number)) for text, number in numbers]


def _change(change: Any) -> tuple[str, ...]:
    document = change["document"]
    more = f" and {change['changed'] - 1} more" if change["changed"] > 1 else ""
    text = f"{document['kind']} {document['name']} {document['action']}{more}"
    return str(change["revision"]), change["at"][:16], change["actor"], text, change["ticket"], change["comment"]


def _days(found: Any) -> list[tuple[str, ...]]:
    versions, crashes = found["versions"], found["crashes"]
    columns = (versions["counts"], versions["others"], crashes["counts"], crashes["changes"])
    return [
        (_day(day), *map(str, counts), *map(str, rest))
        for day, counts, *rest in zip(found["days"], *columns, strict=True)
    ]


def _day(moment: str) -> str:
    return moment[:10]
