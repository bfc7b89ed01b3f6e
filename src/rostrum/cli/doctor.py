"""rostrum doctor: checks a set-up from end to end, says what to do, and changes nothing."""

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum import __version__
from rostrum.cli.output import counting, fail, printable, say, show_json
from rostrum.cli.settings_file import FILE_NAME, ConfigOption, load

if TYPE_CHECKING:
    from rostrum.manager.doctor import Finding

__all__ = ["app", "of_manager"]

app = typer.Typer(add_completion=False)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_COLOURS = {"ok": "green", "warning": "yellow", "error": "red", "skipped": "bright_black"}
_MARK = "API_AUTH_METHOD"
"""The one variable without which no manager starts."""


def of_manager(*, json: JsonOption = False, config: ConfigOption = None) -> None:
    """Check the manager's settings, database, folders, certificate and port, and say what to do.

    Nothing is changed. Exit 1 when something is wrong; warnings alone are no reason.
    """
    _report([("manager", _manager(config))], json=json)


@app.command()
def doctor(
    *,
    json: JsonOption = False,
    config: ConfigOption = None,
    folder: Annotated[
        Path, typer.Option("--desktop-config", help="The desktop's configuration folder.", file_okay=False)
    ] = Path("config"),
) -> None:
    """Run every examination there is: the manager's, and the desktop's configuration.

    Without --config the manager is examined if there is a rostrum.json here, or if the variables API_… name one.
    """
    parts: list[tuple[str, Iterator[dict[str, str]]]] = []
    own = config or (Path(FILE_NAME) if Path(FILE_NAME).exists() else None)
    if own is not None or _MARK in os.environ:
        parts.append(("manager", _manager(own)))
    if folder.exists():
        parts.append(("desktop configuration", _configuration(folder)))
    if not parts:
        fail(f"nothing to examine: there is no {FILE_NAME} and no {folder} here, and {_MARK} is not set", 2)
    _report(parts, json=json)


def _report(parts: list[tuple[str, Iterator[dict[str, str]]]], *, json: bool) -> None:
    found: list[dict[str, str]] = []
    if not json:
        typer.echo(f"rostrum {__version__}")
    for name, findings in parts:
        if not json and len(parts) > 1:
            typer.echo(f"{name}:")
        for finding in findings:
            found.append({"part": name, **finding})
            if not json:
                _show(finding)
    counts = {verdict: sum(finding["verdict"] == verdict for finding in found) for verdict in ("error", "warning")}
    if json:
        show_json({"ok": not counts["error"], "version": __version__, "checks": found})
    else:
        said = [f"{n} {name}{'' if n == 1 else 's'}" for name, n in counts.items() if n]
        say(", ".join(said) or "all is well")
    raise typer.Exit(1 if counts["error"] else 0)


def _show(finding: dict[str, str]) -> None:
    verdict = finding["verdict"]
    colour = None if os.environ.get("NO_COLOR") or not sys.stdout.isatty() else _COLOURS[verdict]
    typer.echo(f"{typer.style(f'{verdict:8}', fg=colour)} {finding['check']}: {printable(finding['message'])}")
    if finding["advice"]:
        typer.echo(f"         → {printable(finding['advice'])}")


def _manager(config: Path | None) -> Iterator[dict[str, str]]:
    from rostrum.base.clock import SystemClock
    from rostrum.manager.doctor import examine

    with counting("following the audit, entry") as step, asyncio.Runner() as runner:
        findings = examine(lambda: load(config), config, SystemClock(), step)
        while True:
            finding: Finding | None = runner.run(anext(findings, None))
            if finding is None:
                return
            yield _plain(finding.check, finding.verdict, finding.message, finding.advice)


def _configuration(folder: Path) -> Iterator[dict[str, str]]:
    from rostrum.sources.check import check_paths

    verdicts = {"error": "error", "warning": "warning", "note": "ok"}
    findings: list[Any] = check_paths([folder], version="10.1", strict=False)
    for finding in findings:
        place = f"{finding.file}:{finding.line}" if finding.line else finding.file
        message = f"{place}: {finding.path}: {finding.message}"
        advice = f"did you mean {finding.suggestion}?" if finding.suggestion else ""
        yield _plain("settings", verdicts[finding.severity], message, advice)
    if not findings:
        yield _plain("settings", "ok", f"every file of {folder} is in order", "")


def _plain(check: str, verdict: str, message: str, advice: str) -> dict[str, str]:
    return {"check": check, "verdict": str(verdict), "message": message, "advice": advice}
