"""rostrum gateway: run the gateway alone."""

import asyncio
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rostrum.base.memory import keep_what_was_loaded, load_without_collecting
from rostrum.cli.output import fail, say, warn

if TYPE_CHECKING:
    from rostrum.gateway import GatewayOptions
    from rostrum.settings.sections.gateway import GatewayConfiguration

__all__ = ["app"]

app = typer.Typer(help="The gateway that apps connect to.", invoke_without_command=True)


@app.callback()
def run(
    context: typer.Context,
    *,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535, show_default=False)
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="A system.json, of which gw.configuration counts.", show_default=False),
    ] = None,
) -> None:
    """Run the gateway until it is told to stop."""
    if context.invoked_subcommand is not None:
        return
    load_without_collecting()
    from dataclasses import replace

    from rostrum.base.log import set_up_logging

    set_up_logging("info", "text")
    options = replace(_options(_configuration(config)), host=host)
    if port is not None:
        options = replace(options, port=port)
    _run(_serve(options))


def _configuration(path: Path | None) -> "GatewayConfiguration":
    from rostrum.base.errors import Invalid
    from rostrum.base.json5_text import parse
    from rostrum.settings.parse import parse_system
    from rostrum.settings.problems import Severity
    from rostrum.settings.sections.gateway import GatewayConfiguration

    if path is None:
        return GatewayConfiguration()
    try:
        document = parse(path.read_bytes()).value
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}", 2)
    except Invalid as error:
        fail(f"{path}: {error}", 2)
    parsed = parse_system({"gw": document.get("gw", {})} if isinstance(document, dict) else document)
    for problem in parsed.problems:
        (warn if problem.severity is not Severity.ERROR else say)(f"{path}: {problem.path}: {problem.message}")
    if parsed.errors:
        raise typer.Exit(2)
    return parsed.settings.gw.configuration


def _options(configuration: "GatewayConfiguration") -> "GatewayOptions":
    from rostrum.gateway import GatewayOptions, Limits, MemoryWatch

    memory, limits = configuration.memory, configuration.limits
    return GatewayOptions(
        port=int(configuration.port),
        case_sensitive_users=configuration.authentication.basic.username_case_sensitive,
        memory=MemoryWatch(
            folder=Path(memory.snapshots or "heapsnapshots"),
            prefix=memory.dump_prefix,
            most_snapshots=int(memory.max_backups),
            limit=int(memory.memory_limit),
            interval=memory.report_interval / 1000,
        ),
        limits=Limits(
            large_message=int(limits.large_msg_threshold),
            connections=None if limits.max_connections is None else int(limits.max_connections),
        ),
    )


def _run(work: Coroutine[None, None, None]) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


async def _serve(options: "GatewayOptions") -> None:
    from rostrum.gateway import Gateway

    gateway = Gateway(options)
    await gateway.start()
    keep_what_was_loaded()
    typer.echo(f"listening on {gateway.address}")
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await stopped.wait()
    await gateway.stop()
