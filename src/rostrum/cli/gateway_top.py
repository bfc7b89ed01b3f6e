"""rostrum gateway top: shows the activity of a running gateway."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum.base.command_line import command
from rostrum.cli.gateway_settings import run_folder
from rostrum.cli.output import fail, show_json

if TYPE_CHECKING:
    import httpx
    from rich.console import RenderableType
    from rich.table import Table

    from rostrum.gateway.status_file import Found


_ROWS = 15


def top(
    port: Annotated[
        int | None, typer.Option(help="The port of the gateway; not needed when only one runs.", show_default=False)
    ] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the status once, as JSON.")] = False,
    interval: Annotated[float, typer.Option(help="Refresh interval in seconds.", min=0.2)] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Print the status once, and exit.")] = False,
) -> None:
    """Show peers, methods, contexts, rates and slow readers of a running gateway. Stop with Ctrl+C."""
    import httpx

    found = _running(port)
    with httpx.Client(timeout=10, trust_env=False) as client:
        first = _status(client, found)
        if json:
            show_json(first)
        elif once:
            _print(first)
        else:
            _live(client, found, first, interval)


def _running(port: int | None) -> "Found":
    from rostrum.gateway.status_file import find_running

    running = find_running(run_folder(), port)
    if not running:
        where = "" if port is None else f" on port {port}"
        fail(f"No gateway of this user is running{where}. Start one with `{command('gateway')}`.")
    if len(running) > 1:
        ports = ", ".join(found.address.rpartition(":")[2] for found in running)
        fail(f"several gateways are running; select one with --port: {ports}", 2)
    return running[0]


def _status(client: "httpx.Client", found: "Found") -> dict[str, Any]:
    import httpx

    address = found.address.replace("ws://", "http://", 1) + "/status"
    try:
        answer = client.get(address, headers={"Authorization": f"Bearer {found.token}"})
        answer.raise_for_status()
    except httpx.HTTPStatusError as error:
        fail(f"the gateway at {found.address} answered {error.response.status_code}; another one may have its port now")
    except httpx.HTTPError:
        fail(f"the gateway at {found.address} (process {found.pid}) does not answer; {found.path} may be left over")
    status: dict[str, Any] = answer.json()
    return status


def _print(status: dict[str, Any]) -> None:
    from rich.console import Console

    Console(highlight=False).print(_view(status, status, 1.0))


def _live(client: "httpx.Client", found: "Found", first: dict[str, Any], interval: float) -> None:
    from rich.console import Console
    from rich.live import Live

    before, at = first, time.monotonic()
    with Live(_view(first, first, 1.0), console=Console(highlight=False), screen=True, auto_refresh=False) as live:
        while True:
            time.sleep(interval)
            now = _status(client, found)
            took, at = time.monotonic() - at, time.monotonic()
            live.update(_view(now, before, took), refresh=True)
            before = now


def _view(now: dict[str, Any], before: dict[str, Any], seconds: float) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    counts = now["counts"]
    rates = {name: (counts[name] - before["counts"][name]) / seconds for name in counts}
    head = Text.assemble(
        (now["address"], "bold"),
        f"  up {now['uptime']:.0f} s  {counts['peers']} peers  {counts['contexts']} contexts  "
        f"in {rates['received']:.0f}/s  {rates['received_bytes'] / 1024:.0f} KiB/s  out {rates['frames']:.0f}/s",
    )
    peers = _with_rates(now["peers"], before["peers"], "id", ("received", "sent"), seconds)
    methods = _with_rates(now["methods"], before["methods"], ("server", "name"), ("uses",), seconds)
    contexts = _with_rates(now["contexts"], before["contexts"], "id", ("changes",), seconds)
    return Group(
        head,
        _table(
            "peers",
            ("application", "user", "in/s", "out/s", "unread", "waits", "answers", ""),
            [
                (
                    each["application"],
                    each["user"],
                    f"{each['received/s']:.0f}",
                    f"{each['sent/s']:.0f}",
                    f"{each['unread'] // 1024} KiB" if each["unread"] else "",
                    str(each["calls_waiting"] or ""),
                    str(each["calls_to_answer"] or ""),
                    "slow" if each["is_slow"] else "",
                )
                for each in sorted(peers, key=lambda each: (-each["unread"], -each["received/s"] - each["sent/s"]))
            ],
        ),
        _table(
            "methods",
            ("name", "application", "uses/s", "uses", "subscribers"),
            [
                (
                    each["name"],
                    each["application"],
                    f"{each['uses/s']:.0f}",
                    str(each["uses"]),
                    str(each["subscribers"] or ""),
                )
                for each in sorted(methods, key=lambda each: -each["uses/s"])
            ],
        ),
        _table(
            "contexts",
            ("name", "user", "members", "changes/s", "changes"),
            [
                (each["name"], each["user"], str(each["members"]), f"{each['changes/s']:.0f}", str(each["changes"]))
                for each in sorted(contexts, key=lambda each: -each["changes/s"])
            ],
        ),
    )


def _with_rates(
    now: list[dict[str, Any]],
    before: list[dict[str, Any]],
    key: str | tuple[str, ...],
    counted: tuple[str, ...],
    seconds: float,
) -> list[dict[str, Any]]:
    names = (key,) if isinstance(key, str) else key
    known = {tuple(each[name] for name in names): each for each in before}
    return [
        {**each, **{f"{count}/s": (each[count] - earlier[count]) / seconds for count in counted}}
        for each in now
        for earlier in [known.get(tuple(each[name] for name in names), each)]
    ]


def _table(title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{title} ({len(rows)})", title_justify="left", box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < 2 else "right", no_wrap=True)
    for row in rows[:_ROWS]:
        # Names are untrusted: no markup, no control characters.
        table.add_row(*(Text("".join(c if c.isprintable() else "·" for c in cell)) for cell in row))
    return table
