"""rostrum up: a first taste, with a firm of made-up people to look at."""

import asyncio
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rostrum.base.command_line import CommandLine, command, path_argument
from rostrum.cli.demo_desk import write_desk
from rostrum.cli.manager import starter_text
from rostrum.cli.output import fail, say, warn
from rostrum.cli.settings_file import FILE_NAME, load, write_private

if TYPE_CHECKING:
    from rostrum.manager.config import LoadedConfig, ManagerConfig, Origin
    from rostrum.simulation.simulation import Simulation

__all__ = ["app"]

app = typer.Typer(add_completion=False)

_ADMIN = "admin"
_DATABASE = "rostrum.db"
_DESK = "desk"
_UNFINISHED = ".unfinished"
_DEMO_USER = "ada.birch"


@app.command()
def up(
    port: Annotated[
        int | None,
        typer.Option(help="Port of the server; 4356 when the folder is new.", min=0, max=65535, show_default=False),
    ] = None,
    folder: Annotated[Path, typer.Option("--dir", help="The folder of this taste.", file_okay=False)] = Path(
        "rostrum-demo"
    ),
    *,
    simulation: Annotated[
        bool,
        typer.Option(
            help="Run simulated desktops next to the manager, and keep the dates of the demo's activity recent."
        ),
    ] = True,
) -> None:
    """Start a manager with demo content in a folder of its own; made at the first start, kept for the next."""
    from rostrum.manager.server import serve

    path = folder / FILE_NAME
    made = None if path.exists() else _make(folder, port)
    loaded = load(path)
    config = made.model_copy(update={"store": loaded.config.store}) if made else _to_serve(loaded.config, port)
    for note in loaded.notes:
        warn(note)
    desktops = asyncio.run(_simulation(config)) if simulation else None

    def on_ready(address: str) -> None:
        _greet(config, address, path)
        if desktops is not None and desktops.desktops:
            say(f"{len(desktops.desktops)} simulated desktops are signing in; --no-simulation leaves them out")
            desktops.start(address)

    serve(
        config,
        on_ready,
        _origins(loaded, port),
        on_stop=desktops.stop if desktops is not None else lambda: None,
        command=CommandLine(("--config", path_argument(path))),
    )


def _to_serve(config: "ManagerConfig", port: int | None) -> "ManagerConfig":
    """Find the port, and set up logging."""
    from rostrum.base.log import set_up_logging

    config = config if port is None else config.model_copy(update={"port": port})
    config = _with_own_origin(_with_some_port(config, port))
    set_up_logging("warning" if config.log_level == "info" else config.log_level, config.log_format)
    return config


def _make(folder: Path, port: int | None) -> "ManagerConfig | None":
    """Make the settings and the demo in a folder inside the given one, and move both when they are complete.

    Whatever ends this start, the next one finds all of the demo or begins again. Returns the configuration to serve
    with; None if an earlier start only had to move the settings.
    """
    unfinished = folder / _UNFINISHED
    if (folder / _DATABASE).exists():
        if not (unfinished / FILE_NAME).exists() or (unfinished / _DATABASE).exists():
            fail(f"{folder / _DATABASE} is there without {FILE_NAME}; use another --dir, or move it away")
        _finish(folder)
        return None
    made_folder = not folder.exists()
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        write_private(unfinished / FILE_NAME, starter_text(f"{_ADMIN}:{secrets.token_urlsafe(9)}", port or 4356))
        config = _to_serve(load(unfinished / FILE_NAME).config, port)
        asyncio.run(_fill(config))
        _finish(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        if made_folder:
            with suppress(OSError):
                folder.rmdir()
        raise
    return config


def _finish(folder: Path) -> None:
    """Move the database, then the settings: only with its settings is a demo complete."""
    for name in (_DATABASE, FILE_NAME):
        made = folder / _UNFINISHED / name
        if made.exists():
            made.replace(folder / name)
    shutil.rmtree(folder / _UNFINISHED, ignore_errors=True)


async def _fill(config: "ManagerConfig") -> None:
    from rostrum.manager.demo.load import load_demo
    from rostrum.manager.manager import Manager
    from rostrum.manager.server import base_url

    say("making a demo firm:")
    manager = Manager.of(config)
    try:
        await manager.open()
        await load_demo(manager, _password(config), base_url(config), lambda step: say(f"  {step}"))
    finally:
        await manager.close()


async def _simulation(config: "ManagerConfig") -> "Simulation":
    from rostrum.simulation.simulation import prepare_simulation

    return await prepare_simulation(config.store, _password(config))


def _with_some_port(config: "ManagerConfig", wanted: int | None) -> "ManagerConfig":
    """Take the usual port, or a free one when somebody else has it and nobody asked for this very one."""
    from rostrum.manager.server import CannotListen, with_free_port

    try:
        return with_free_port(config)
    except CannotListen as taken:
        if wanted is not None:
            raise
        warn(f"{taken}; taking a free port")
        return with_free_port(config.model_copy(update={"port": 0}))


def _with_own_origin(config: "ManagerConfig") -> "ManagerConfig":
    """Let the page of this very server write with its cookie, whatever port it got."""
    from rostrum.manager.config import CorsOptions

    own = [f"http://127.0.0.1:{config.port}", f"http://localhost:{config.port}"]
    given = config.cors.model_dump(by_alias=True, exclude_unset=True) if config.cors else {}
    origins = [*own, *(config.cors.origin if config.cors else ())]
    cors = CorsOptions.model_validate({**given, "credentials": True, "origin": origins})
    return config.model_copy(update={"cors": cors})


def _origins(loaded: "LoadedConfig", port: int | None) -> "dict[str, Origin]":
    from rostrum.manager.config import Origin, OriginKind

    given = {} if port is None else {"port": Origin(kind=OriginKind.ARGUMENT, name="--port")}
    return {**loaded.origins, **given}


def _password(config: "ManagerConfig") -> str:
    first = config.predefined_users[0] if config.predefined_users else ""
    return first.partition(":")[2]


def _greet(config: "ManagerConfig", address: str, path: Path) -> None:
    from rostrum.manager.server import origin

    typer.echo(f"listening on {address}")
    typer.echo(f"log in at    {origin(config)}/admin/")
    typer.echo(f"       user  {_ADMIN}")
    password = _password(config) or "(not in the settings any more)"
    typer.echo(f"   password  {password}  (the demo's users, such as {_DEMO_USER}, have the same unless changed)")
    typer.echo(f"API pages    {address}/docs")
    try:
        write_desk(path.parent / _DESK, address)
    except (OSError, ValueError) as error:
        warn(f"there is no configuration for a desktop: {error}")
    else:
        desktop = command("desktop", "--headless", "--config", path_argument(path.parent / _DESK / "config"))
        typer.echo(f"a desktop    {desktop}")
        typer.echo(f"       user  {_DEMO_USER}")
    say(f"settings and data are in {path.parent}; stop with Ctrl+C")
