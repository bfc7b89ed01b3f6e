"""rostrum config: checks configuration files, prints their schemas and the merged values of their sources."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rostrum import PLATFORM_VERSION
from rostrum.base.command_line import command, path_argument
from rostrum.base.memory import load_without_collecting
from rostrum.cli import config_load
from rostrum.cli.find_config import VARIABLE, find_desktop
from rostrum.cli.output import fail, finding_line, say, show_json
from rostrum.cli.schemas import Document, schema_of
from rostrum.cli.start import desktop_folder


class CheckedAs(StrEnum):
    """The documents of a configuration folder, by their names."""

    SYSTEM = "system.json"
    GILDING = "gilding.json"
    ENV = "env.json"


app = typer.Typer(help="Configuration of the desktop platform.", no_args_is_help=True, add_completion=False)


@app.command()
def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help=f"Files, or folders of files. Default: {VARIABLE}, or the folder in the current folder.",
            show_default=False,
        ),
    ] = None,
    *,
    version: Annotated[
        str, typer.Option(help="The platform's version. Settings of newer versions are ignored.")
    ] = PLATFORM_VERSION,
    taken_for: Annotated[
        CheckedAs | None,
        typer.Option("--as", help="The document type of files with other names.", show_default=False),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Unknown keys are errors, not warnings.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check configuration files, and report all problems with their file and line."""
    load_without_collecting()
    from rostrum.settings.kinds import SettingsFile
    from rostrum.sources.check import check_paths

    wanted = paths or [desktop_folder(None, quiet=json)]
    missing = [str(path) for path in wanted if not path.exists()]
    if missing:
        fail(f"{', '.join(missing)} does not exist.{_found_instead()}", 2)
    kind = None if taken_for is None else SettingsFile(taken_for.value)
    findings = check_paths(wanted, version=version, strict=strict, taken_for=kind)
    ok = all(finding.severity != "error" for finding in findings)
    if json:
        members = ("path", "file", "line", "column", "severity", "message", "suggestion")
        problems = [{name: getattr(finding, name) for name in members} for finding in findings]
        show_json({"ok": ok, "problems": problems})
    else:
        for finding in findings:
            typer.echo(finding_line(finding))
        say(_summary([finding.severity for finding in findings]))
    raise typer.Exit(0 if ok else 1)


def _found_instead() -> str:
    """Mention the configuration in the current folder if the named one does not exist."""
    found = find_desktop(None)
    if found is None or found.path is None:
        return ""
    path = path_argument(found.path)
    return f" There is a configuration in {path}; to check it, run: {command('config', 'check', path)}"


def _summary(severities: list[str]) -> str:
    counts = {name: severities.count(name) for name in ("error", "warning", "note")}
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name, n in counts.items() if n) or "fine"


@app.command()
def schema(
    document: Annotated[Document, typer.Argument(help="The document.")] = Document.SYSTEM,
    *,
    json: Annotated[
        bool, typer.Option("--json", help="Accepted for consistency with other commands; a schema is always JSON.")
    ] = False,
) -> None:
    """Print the JSON Schema of a document, for editors and other programs."""
    del json
    show_json(schema_of(document))


app.command()(config_load.explain)
app.command()(config_load.fetch)
app.command()(config_load.diff)
