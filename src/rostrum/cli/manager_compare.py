"""rostrum manager compare: two users, two groups, or two revisions of a document."""

from typing import Annotated, Any

import typer

from rostrum.cli.manager_parts import json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, show_table
from rostrum.cli.settings_file import ConfigOption

app = typer.Typer(help="Compare users, groups or revisions, with the reason for each difference.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AtOption = Annotated[
    str | None, typer.Option(help="Revision or time of the left side. Default: now.", show_default=False)
]
WithAtOption = Annotated[
    str | None, typer.Option(help="Revision or time of the right side. Default: now.", show_default=False)
]
VersionOption = Annotated[str, typer.Option("--version", help="Version of the platform, for configuration.")]


@app.command()
def users(
    left: Annotated[str, typer.Argument(help="The user on the left side.", metavar="LEFT", show_default=False)],
    right: Annotated[
        str | None,
        typer.Argument(help="The user on the right side. Default: the same user.", metavar="RIGHT", show_default=False),
    ] = None,
    *,
    at: AtOption = None,
    with_at: WithAtOption = None,
    version: VersionOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Compare the groups, apps, layouts and effective configuration of two users."""
    _compare("users", (left, right or left), (at, with_at), version, json=json, config=config)


@app.command()
def groups(
    left: Annotated[str, typer.Argument(help="The group on the left side.", metavar="LEFT", show_default=False)],
    right: Annotated[
        str | None,
        typer.Argument(
            help="The group on the right side. Default: the same group.", metavar="RIGHT", show_default=False
        ),
    ] = None,
    *,
    at: AtOption = None,
    with_at: WithAtOption = None,
    version: VersionOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Compare the apps, layouts and effective configuration of members of two groups."""
    _compare("groups", (left, right or left), (at, with_at), version, json=json, config=config)


@app.command()
def revisions(
    kind: Annotated[str, typer.Argument(help="users, groups, apps, layouts, configs or prefs.", metavar="KIND")],
    key: Annotated[str, typer.Argument(help="The ID or name of the document.", metavar="ID", show_default=False)],
    *,
    before: Annotated[
        str | None, typer.Option("--from", help="Older revision or time. Default: before the newest change.")
    ] = None,
    after: Annotated[str | None, typer.Option("--to", help="Newer revision or time. Default: the newest.")] = None,
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Compare two revisions of a document."""
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.kinds import DOCUMENT_KINDS

    kinds = {facts.path.rpartition("/")[2]: name for name, facts in DOCUMENT_KINDS.items()}
    settings = require_database(config, quiet=json)
    if kind not in kinds:
        fail(f"Unknown kind {kind}. Use one of {', '.join(sorted(kinds))}.", 2)

    async def action(parts: dict[str, Any]) -> Any:
        return await parts["history"].compare(SYSTEM, kinds[kind], key, before=before, after=after)

    found = json_values(run_or_fail(settings, "compare revisions", action).as_json())
    if json:
        show_json(found)
        return
    rows = [(edit["op"], edit["path"], _text(edit.get("before")), _text(edit.get("after"))) for edit in found["diff"]]
    show_table(("change", "member", "before", "after"), rows)


def _compare(
    kind: str,
    names: tuple[str, str],
    points: tuple[str | None, str | None],
    version: str,
    *,
    json: bool,
    config: Any,
) -> None:
    from rostrum.manager.access.identity import SYSTEM
    from rostrum.manager.comparisons.service import Compared

    settings = require_database(config, quiet=json)
    wanted = Compared(left=names[0], right=names[1], left_at=points[0], right_at=points[1], version=version)

    async def action(parts: dict[str, Any]) -> Any:
        return await getattr(parts["comparisons"], kind)(SYSTEM, wanted)

    found = json_values(run_or_fail(settings, f"compare {kind}", action))
    if json:
        show_json(found)
        return
    rows = [
        (part, item["name"], *(_state(item[side]) for side in ("left", "right")))
        for part in ("groups", "apps", "layouts")
        for item in found[part]["items"]
    ]
    rows += [
        (item["file"], item["path"], *(_value(item[side]) for side in ("left", "right")))
        for item in found["configs"]["items"]
    ]
    if not rows:
        say("no differences")
        return
    show_table(("part", "name", f"{names[0]} (left)", f"{names[1]} (right)"), rows)


def _state(state: dict[str, Any]) -> str:
    return f"{'yes' if state['given'] else 'no'}: {state['text']}"


def _value(state: dict[str, Any]) -> str:
    return f"{_text(state['value'])}: {state['text']}" if state["given"] else state["text"]


def _text(value: Any) -> str:
    from rostrum.base import json_text

    text = json_text.dump(value).decode()
    return text if len(text) <= 60 else f"{text[:59]}…"
