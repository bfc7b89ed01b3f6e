"""rostrum config explain, fetch, diff: the effective configuration of all sources, with the origin of each value."""

from dataclasses import asdict
from json import dumps as json_dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum import PLATFORM_VERSION
from rostrum.cli.find_config import VARIABLE
from rostrum.cli.output import fail, finding_line, say, show_json, show_table, working
from rostrum.cli.source_credentials import CredentialsOption, source_access
from rostrum.cli.start import start_from

if TYPE_CHECKING:
    from rostrum.sources.access import SourceAccess
    from rostrum.sources.combine import Outcome
    from rostrum.sources.errors import RequiredSourceFailed
    from rostrum.sources.explain import SettingExplanation, Where
    from rostrum.sources.load import Early, Loaded, Start


Folder = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help=f"The configuration folder, or its base file. Default: {VARIABLE}, or the one in the current folder.",
        show_default=False,
    ),
]
Environment = Annotated[str | None, typer.Option("--env", help="Environment. Overrides the configuration files.")]
Region = Annotated[str | None, typer.Option("--region", help="Region. Overrides the configuration files.")]
User = Annotated[str | None, typer.Option("--user", help="Request the configuration of this user from remote sources.")]
Group = Annotated[
    str | None, typer.Option("--group", help="Request the configuration of this group from remote sources.")
]
Version = Annotated[str | None, typer.Option("--version", help=f"The platform version, {PLATFORM_VERSION} by default.")]
GildingFile = Annotated[
    str | None,
    typer.Option("--gildingConfigFile", help="The gilding file of a platform version 9.x.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Rest = Annotated[
    list[str] | None,
    typer.Argument(help="After --: config=<file> configOverrides config0=<file> …, as for the desktop."),
]


def explain(
    key: Annotated[str, typer.Argument(help="Path of a setting, such as gw.configuration.port.")],
    arguments: Rest = None,
    *,
    config: Folder = None,
    env: Environment = None,
    region: Region = None,
    user: User = None,
    group: Group = None,
    version: Version = None,
    credentials: CredentialsOption = None,
    gilding_file: GildingFile = None,
    json: Json = False,
) -> None:
    """Explain one setting: its effective value, where it was set, and which other values were overridden and why."""
    from rostrum.sources.explain import explain as explain_setting

    start = start_from(
        config,
        arguments,
        quiet=json,
        env=env,
        region=region,
        user=user,
        group=group,
        version=version,
        gilding_file=gilding_file,
    )
    found = explain_setting(_loaded(start, credentials), key)
    if json:
        show_json(_explanation(found))
    else:
        _print_explanation(found)
    raise typer.Exit(0 if found.known else 1)


def fetch(
    arguments: Rest = None,
    *,
    config: Folder = None,
    env: Environment = None,
    region: Region = None,
    user: User = None,
    group: Group = None,
    version: Version = None,
    credentials: CredentialsOption = None,
    gilding_file: GildingFile = None,
    json: Json = False,
) -> None:
    """Fetch all sources, merge them, and store remote files, as the desktop does at its start."""
    import asyncio

    from rostrum.sources.errors import RequiredSourceFailed
    from rostrum.sources.explain import in_force
    from rostrum.sources.load import load_early, require_complete
    from rostrum.sources.source import masked

    start = start_from(
        config,
        arguments,
        quiet=json,
        env=env,
        region=region,
        user=user,
        group=group,
        version=version,
        gilding_file=gilding_file,
    )
    try:
        early = load_early(start)
        require_complete(early)
    except RequiredSourceFailed as error:
        if json:
            show_json({"settings": {}, "files": {}, "sources": _unread(error), "problems": []})
        fail(str(error))
    access = source_access(early, credentials)
    with working("fetching the sources"):
        loaded, failure = asyncio.run(_fetched(early, access, save=start.impersonation is None))
    if json:
        files = {name: masked(merged.document) for name, merged in loaded.combined.files.items()}
        show_json(
            {
                "settings": masked(in_force(loaded.settings)),
                "files": files,
                "sources": [_source(outcome) for outcome in loaded.combined.sources],
                "problems": [asdict(finding) for finding in loaded.problems],
            }
        )
    else:
        _print_sources(loaded)
    if failure:
        fail(failure)


def diff(
    left: Annotated[Path, typer.Argument(help="A file, or a configuration folder with all its sources.")],
    right: Annotated[Path, typer.Argument(help="The file or folder to compare with.")],
    *,
    env: Environment = None,
    region: Region = None,
    user: User = None,
    group: Group = None,
    version: Version = None,
    credentials: CredentialsOption = None,
    json: Json = False,
) -> None:
    """Compare two effective configurations: all different settings with their origins. Exit code 1 if they differ."""
    from rostrum.sources.diff import compare

    sides = [
        _loaded(start_from(path, None, env=env, region=region, user=user, group=group, version=version), credentials)
        for path in (left, right)
    ]
    differences = compare(*sides)
    if json:
        show_json({"same": not differences, "differences": [asdict(one) for one in differences]})
    else:
        for one in differences:
            name = one.path if one.file == "system.json" else f"{one.file}: {one.path}"
            typer.echo(name)
            typer.echo(f"  - {_text(one.left)}{_from(one.left_origin)}")
            typer.echo(f"  + {_text(one.right)}{_from(one.right_origin)}")
        say("no effective differences" if not differences else f"{len(differences)} differ")
    raise typer.Exit(1 if differences else 0)


def _loaded(start: "Start", credentials: Path | None) -> "Loaded":
    """Load without storing anything: an inspection must not change the cache of the next start."""
    import asyncio

    from rostrum.sources.load import fetch_sources, finalize, load_early

    early = load_early(start)
    access = source_access(early, credentials)
    with working("fetching the sources"):
        return finalize(early, asyncio.run(fetch_sources(early, save=False, access=access)))


async def _fetched(early: "Early", access: "SourceAccess", *, save: bool) -> tuple["Loaded", str | None]:
    from rostrum.sources.errors import RequiredSourceFailed
    from rostrum.sources.load import fetch_sources, finalize, require_all, save_copies

    outcomes = await fetch_sources(early, save=save, access=access)
    loaded = finalize(early, outcomes)
    try:
        require_all(early, outcomes)
    except RequiredSourceFailed as error:
        return loaded, str(error)
    return await save_copies(loaded) if save else loaded, None


def _unread(error: "RequiredSourceFailed") -> list[dict[str, Any]]:
    members = {"type": "path", "priority": 1, "required": True, "status": "failed"}
    return [{"source": name, **members, "error": reason} for name, reason in error.failures]


def _source(outcome: "Outcome") -> dict[str, Any]:
    source, fetched = outcome.source, outcome.fetched
    return {
        "source": source.name,
        "type": source.type,
        "priority": source.priority,
        "required": source.required,
        "status": fetched.status,
        "error": fetched.error,
        "age": fetched.age,
    }


def _explanation(found: "SettingExplanation") -> dict[str, Any]:
    return {
        "path": found.path,
        "value": found.value,
        "default": found.default,
        "origin": None if found.origin is None else asdict(found.origin),
        "overridden": [{**asdict(one.where), "value": one.value, "reason": one.reason} for one in found.overridden],
        "members": [{"path": one.path, "origin": asdict(one.where)} for one in found.members],
        "notes": list(found.notes),
        "description": found.text,
        "counts": list(found.counts),
    }


def _print_explanation(found: "SettingExplanation") -> None:
    typer.echo(f"{found.path} = {_text(found.value)}")
    if found.text:
        typer.echo(f"  {found.text}")
    if found.counts:
        typer.echo(f"  counts: {'; '.join(found.counts)}")
    if found.origin is not None:
        typer.echo(f"  set{_from(found.origin)}")
    elif not found.members:
        typer.echo("  default value, not configured")
    if found.origin is not None:
        typer.echo(f"  default {_text(found.default)}")
    for member in found.members:
        typer.echo(f"  {member.path}{_from(member.where)}")
    for loser in found.overridden:
        typer.echo(f"  not {_text(loser.value)}{_from(loser.where)}: {loser.reason}")
    for note in found.notes:
        typer.echo(f"  note: {note}")


def _print_sources(loaded: "Loaded") -> None:
    sources = [_source(outcome) for outcome in loaded.combined.sources]
    rows = [["" if value is None else str(value) for value in source.values()] for source in sources]
    show_table(["source", "type", "priority", "required", "status", "error", "age in s"], rows)
    for finding in loaded.problems:
        say(finding_line(finding))
    say(f"effective files: {', '.join(sorted(loaded.combined.files))}")


def _text(value: Any) -> str:
    return "nothing" if value is None else json_dumps(value, ensure_ascii=False)


def _from(where: "Where | None") -> str:
    if where is None:
        return ""
    line = f":{where.line}" if where.line else ""
    age = f", from the cache, {where.age or 0:.0f} s old" if where.cached else ""
    return f" in {where.file}{line} (priority {where.priority:g}{age})"
