"""rostrum doctor: checks an installation, and suggests corrections without changing anything."""

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum import __version__
from rostrum.base.name_check import metadata_paths
from rostrum.base.name_conflict import find_conflict
from rostrum.cli.find_config import VARIABLE, Found, find_desktop, find_manager, nothing_found
from rostrum.cli.output import counting, fail, printable, say, show_json
from rostrum.cli.settings_file import ConfigOption, load
from rostrum.installation.build import BuildKind, running_build
from rostrum.installation.versions import no_updates_reason

if TYPE_CHECKING:
    from rostrum.manager.doctor import CheckResult


app = typer.Typer(add_completion=False)

JsonOption = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]

_INDENT = " " * 9
_COLOURS = {"ok": "green", "warning": "yellow", "error": "red", "skipped": "bright_black"}


def of_manager(*, json: JsonOption = False, config: ConfigOption = None) -> None:
    """Check the manager's settings, database, folders, certificate and port, and suggest corrections.

    Nothing is changed. The exit code is 1 if there are errors; warnings do not count.
    """
    found = find_manager(config) or nothing_found("manager")
    if not json:
        found.announce()
    _report([*_installation(), ("manager", _manager(found))], json=json)


@app.command()
def doctor(
    *,
    json: JsonOption = False,
    config: ConfigOption = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--desktop-config",
            help="The configuration folder of the Rostrum desktop. Default: the folder in the environment variable "
            f"{VARIABLE}, or the one found in the current folder.",
            file_okay=False,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check the manager (the server), the configuration of the Rostrum desktop, and its browser engine.

    Without --config and --desktop-config, the command uses the default locations listed below.
    """
    manager, desktop = find_manager(config), find_desktop(folder)
    if manager is None and desktop is None:
        nothing_found("manager", "desktop")
    parts = _installation()
    for owner, found in (("manager", manager), ("desktop", desktop)):
        if found is not None and not json:
            found.announce(owner)
    if manager is not None:
        parts.append(("manager", _manager(manager)))
    if desktop is not None and desktop.path is not None:
        parts.append(("desktop configuration", _configuration(desktop.path)))
        parts.append(("browser engine", _windows()))
    _report(parts, json=json)


def _report(parts: list[tuple[str, Iterator[dict[str, str]]]], *, json: bool) -> None:
    found: list[dict[str, str]] = []
    if not json:
        typer.echo(str(running_build()))
    for name, findings in parts:
        if not json and len(parts) > 1:
            typer.echo(f"{name}:")
        advice = ""
        for finding in findings:
            found.append({"part": name, **finding})
            if not json:
                # Several problems can have the same solution; it is printed once, after the last of them.
                if finding["advice"] != advice:
                    _show_advice(advice)
                advice = finding["advice"]
                _show(finding)
        _show_advice(advice)
    counts = {verdict: sum(finding["verdict"] == verdict for finding in found) for verdict in ("error", "warning")}
    if json:
        show_json({"ok": not counts["error"], "version": __version__, "checks": found})
    else:
        said = ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name, n in counts.items() if n) or "no problems found"
        left_out = [finding["check"] for finding in found if finding["verdict"] == "skipped"]
        say(f"{said}; skipped: {', '.join(left_out)}" if left_out else said)
    raise typer.Exit(1 if counts["error"] else 0)


def _show(finding: dict[str, str]) -> None:
    verdict = finding["verdict"]
    colour = None if os.environ.get("NO_COLOR") or not sys.stdout.isatty() else _COLOURS[verdict]
    message = indent(printable(finding["message"]), _INDENT).lstrip()
    typer.echo(f"{typer.style(f'{verdict:8}', fg=colour)} {finding['check']}: {message}")


def _show_advice(advice: str) -> None:
    if advice:
        typer.echo(f"{_INDENT}→ {printable(advice)}")


def _installation() -> list[tuple[str, Iterator[dict[str, str]]]]:
    """Report another distribution with the name of this package; an installation without one has no part."""
    conflict = find_conflict() if metadata_paths() else None
    if conflict is None:
        return []
    return [("installation", iter([_plain("name", "warning", conflict.problem, conflict.advice)]))]


def _manager(found: Found) -> Iterator[dict[str, str]]:
    from rostrum.base.clock import SystemClock
    from rostrum.manager.doctor import examine

    with counting("verifying the audit log, entry") as step, asyncio.Runner() as runner:
        findings = examine(lambda: load(found.path), found.path, SystemClock(), step, found.command_line)
        try:
            while True:
                finding: CheckResult | None = runner.run(anext(findings, None))
                if finding is None:
                    return
                yield _plain(finding.check, finding.verdict, finding.message, finding.advice)
        finally:
            # The output can end early, for example if it is read by `head`.
            runner.run(findings.aclose())


def _configuration(folder: Path) -> Iterator[dict[str, str]]:
    from rostrum.sources.check import check_paths

    if not folder.exists():
        fail(f"The folder {folder} does not exist. Set --desktop-config to the configuration folder of the desktop.", 2)
    verdicts = {"error": "error", "warning": "warning", "note": "ok"}
    findings: list[Any] = check_paths([folder], version="10.1", strict=False)
    for finding in findings:
        place = f"{finding.file}:{finding.line}" if finding.line else finding.file
        message = ": ".join(part for part in (place, finding.path, finding.message) if part)
        hint = f"did you mean {finding.suggestion}?" if finding.suggestion else ""
        advice = "" if hint in finding.message else hint
        yield _plain("configuration", verdicts[finding.severity], message, advice)
    if not findings:
        yield _plain("configuration", "ok", f"all files in {folder} are valid", "")
    if running_build().kind is not BuildKind.PACKAGE:
        reason = no_updates_reason()
        yield _plain("updates", "ok", reason or "this installer build can update itself (autoUpdater)", "")


def _windows() -> Iterator[dict[str, str]]:
    from rostrum.base.clock import SystemClock
    from rostrum.desktop.hosts.engine_report import examine_engine

    for finding in examine_engine(SystemClock().now().date()):
        yield _plain(finding.check, finding.verdict, finding.message, finding.advice)


def _plain(check: str, verdict: str, message: str, advice: str) -> dict[str, str]:
    return {"check": check, "verdict": str(verdict), "message": message, "advice": advice}
