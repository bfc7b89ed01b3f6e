"""rostrum up: starts a demo with invented users and apps."""

import asyncio
import json
import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rostrum.base.command_line import CommandLine, command, path_argument
from rostrum.cli.demo_desktop import DEMO_USER, DemoDesktop, running_manager, write_desk
from rostrum.cli.demo_gateway import DemoGateway
from rostrum.cli.find_config import FILE_NAME
from rostrum.cli.manager import starter_text
from rostrum.cli.output import fail, say, warn
from rostrum.cli.settings_file import load, write_private
from rostrum.cli.window_requirements import check_windows

if TYPE_CHECKING:
    from rostrum.demo_apps.server import AppServer
    from rostrum.manager.config import LoadedConfig, ManagerConfig, OptionOrigin
    from rostrum.simulation.simulation import Simulation


app = typer.Typer(add_completion=False)

_ADMIN = "admin"
_DATABASE = "rostrum.db"
_DESK = "desk"
_UNFINISHED = ".unfinished"
_PORT = 4356


@app.command()
def up(
    port: Annotated[
        int | None,
        typer.Option(
            help="Port of the server. Default: 4356, or the port of the existing demo.",
            min=0,
            max=65535,
            show_default=False,
        ),
    ] = None,
    folder: Annotated[Path, typer.Option("--dir", help="Directory for the demo data.", file_okay=False)] = Path(
        "rostrum-demo"
    ),
    *,
    simulation: Annotated[
        bool,
        typer.Option(
            help="Run simulated desktops next to the manager, and keep the dates of the demo's activity recent."
        ),
    ] = True,
    desk: Annotated[
        bool,
        typer.Option(
            "--desk", help=f"Also start a desktop with windows for {DEMO_USER}. Uses the running demo, if any."
        ),
    ] = False,
    headless: Annotated[bool, typer.Option("--headless", help="With --desk: run the desktop without windows.")] = False,
) -> None:
    """Start a manager with demo data. The data is created at the first start and kept."""
    from rostrum.manager.server import serve

    path = folder / FILE_NAME
    if desk:
        _use_running(folder, headless=headless)
    starter = None if path.exists() else starter_text(f"{_ADMIN}:{secrets.token_urlsafe(9)}", port or _PORT)
    apps = _serve_apps(load(path).config if starter is None else _read(starter), port)
    made = None if starter is None else _make(folder, port, starter, apps)
    loaded = load(path)
    config = made.model_copy(update={"store": loaded.config.store}) if made else _to_serve(loaded.config, port)
    for note in loaded.notes:
        warn(note)
    if not made:
        asyncio.run(_set_addresses(config, apps))
    desktops = asyncio.run(_simulation(config)) if simulation else None
    has_gateway = bool(config.gateway_url or config.gateway_nodes)
    gateway = DemoGateway(config.port, _host_of_parts(config), is_wanted=not has_gateway)
    config = config.model_copy(update={"gateway_url": config.gateway_url or gateway.address})
    desktop = DemoDesktop(folder / _DESK, _password(config), headless=headless) if desk else None

    def on_ready(address: str) -> None:
        _greet(config, address, path, apps)
        gateway.start(address)
        if desktops is not None and desktops.desktops:
            say(f"{len(desktops.desktops)} simulated desktops are signing in; --no-simulation leaves them out")
            desktops.start(address)
        if desktop is not None:
            say(f"starting the desktop of {DEMO_USER}")
            desktop.start()

    def on_stop() -> None:
        for part in (desktop, desktops, gateway, apps):
            if part is not None:
                part.stop()

    serve(
        config,
        on_ready,
        _origins(loaded, config, port),
        on_stop=on_stop,
        command=CommandLine(("--config", path_argument(path))),
    )


def _use_running(folder: Path, *, headless: bool) -> None:
    """Run only the desktop if the manager of this demo is already running; otherwise return."""
    if not headless:
        check_windows()
    if not (folder / FILE_NAME).exists():
        return
    password = _password(load(folder / FILE_NAME).config)
    address = running_manager(folder / _DESK, password)
    if address is not None:
        say(f"using the manager that is running at {address}")
        raise typer.Exit(DemoDesktop(folder / _DESK, password, headless=headless).run())


def _read(text: str) -> "ManagerConfig":
    """Read the settings of a new demo."""
    from rostrum.manager.config import read_config

    return read_config(json.loads(text), os.environ).config


def _host_of_parts(config: "ManagerConfig") -> str:
    """Return the host on which the demo's apps and gateway listen.

    They accept other machines only if the manager listens on all addresses, as in a container, whose ports are
    forwarded.
    """
    from rostrum.manager.config.values import is_unspecified

    return "0.0.0.0" if is_unspecified(config.host) else "127.0.0.1"  # noqa: S104 - as the manager does


def _serve_apps(config: "ManagerConfig", port: int | None) -> "AppServer | None":
    """Serve the pages of the demo's apps on the port after the manager's, or on a free one."""
    from rostrum.demo_apps.server import AppServer, CannotServe

    used = config.port if port is None else port
    try:
        apps = AppServer(used + 1 if 0 < used < 65535 else 0, _host_of_parts(config))
    except CannotServe as error:
        warn(f"{error}; the windows of the demo's apps stay empty")
        return None
    apps.start()
    return apps


async def _set_addresses(config: "ManagerConfig", apps: "AppServer | None") -> None:
    """Update the addresses in the documents of an existing demo to the current ports."""
    from rostrum.manager.demo.addresses import set_app_origin, set_manager_address
    from rostrum.manager.demo.read import read_demo
    from rostrum.manager.server import base_url
    from rostrum.manager.topics import manager_storage

    storage = manager_storage(config.store)
    try:
        await storage.open()
        await set_manager_address(storage, base_url(config))
        if apps is not None:
            await set_app_origin(storage, read_demo(), apps.origin)
    finally:
        await storage.close()


def _to_serve(config: "ManagerConfig", port: int | None) -> "ManagerConfig":
    """Find the port, and set up logging."""
    from rostrum.base.log import set_up_logging

    config = config if port is None else config.model_copy(update={"port": port})
    config = _with_own_origin(_with_some_port(config, port))
    set_up_logging("warning" if config.log_level == "info" else config.log_level, config.log_format)
    return config


def _make(folder: Path, port: int | None, starter: str, apps: "AppServer | None") -> "ManagerConfig | None":
    """Create the settings and the demo in a temporary folder inside the given one, and move both when complete.

    If a start is interrupted, the next one finds the complete demo or starts again. Returns the configuration to serve;
    None if an earlier start only had to move the settings.
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
        write_private(unfinished / FILE_NAME, starter)
        config = _to_serve(load(unfinished / FILE_NAME).config, port)
        asyncio.run(_fill(config, apps))
        _finish(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        if made_folder:
            with suppress(OSError):
                folder.rmdir()
        raise
    return config


def _finish(folder: Path) -> None:
    """Move the database, then the settings: a demo with settings is complete."""
    for name in (_DATABASE, FILE_NAME):
        made = folder / _UNFINISHED / name
        if made.exists():
            made.replace(folder / name)
    shutil.rmtree(folder / _UNFINISHED, ignore_errors=True)


async def _fill(config: "ManagerConfig", apps: "AppServer | None") -> None:
    from rostrum.manager.demo.addresses import EXAMPLE_ORIGIN
    from rostrum.manager.demo.load import load_demo
    from rostrum.manager.manager import Manager
    from rostrum.manager.server import base_url

    say("creating the demo data:")
    manager = Manager.of(config)
    try:
        await manager.open()
        origin = EXAMPLE_ORIGIN if apps is None else apps.origin
        await load_demo(manager, _password(config), base_url(config), lambda step: say(f"  {step}"), app_origin=origin)
    finally:
        await manager.close()


async def _simulation(config: "ManagerConfig") -> "Simulation":
    from rostrum.simulation.simulation import prepare_simulation

    return await prepare_simulation(config.store, _password(config))


def _with_some_port(config: "ManagerConfig", wanted: int | None) -> "ManagerConfig":
    """Use the configured port. If another program uses it and the user did not select a port, use a free one."""
    from rostrum.manager.server import CannotListen, with_free_port

    try:
        return with_free_port(config)
    except CannotListen as taken:
        if wanted is not None:
            raise
        warn(f"{taken}; using a free port")
        return with_free_port(config.model_copy(update={"port": 0}))


def _with_own_origin(config: "ManagerConfig") -> "ManagerConfig":
    """Allow the page of this server to write with its cookie, on any port."""
    from rostrum.manager.config import CorsOptions

    own = [f"http://127.0.0.1:{config.port}", f"http://localhost:{config.port}"]
    given = config.cors.model_dump(by_alias=True, exclude_unset=True) if config.cors else {}
    origins = [*own, *(config.cors.origin if config.cors else ())]
    cors = CorsOptions.model_validate({**given, "credentials": True, "origin": origins})
    return config.model_copy(update={"cors": cors})


def _origins(loaded: "LoadedConfig", config: "ManagerConfig", port: int | None) -> "dict[str, OptionOrigin]":
    from rostrum.manager.config import OptionOrigin, OriginKind

    given = {} if port is None else {"port": OptionOrigin(kind=OriginKind.ARGUMENT, name="--port")}
    if config.gateway_url != loaded.config.gateway_url:
        # This program starts the gateway of the demo and selects its port.
        given["gateway_url"] = OptionOrigin(kind=OriginKind.OBJECT)
    return {**loaded.origins, **given}


def _password(config: "ManagerConfig") -> str:
    first = config.predefined_users[0] if config.predefined_users else ""
    return first.partition(":")[2]


def _greet(config: "ManagerConfig", address: str, path: Path, apps: "AppServer | None") -> None:
    from rostrum.manager.server import announcement, origin

    typer.echo(announcement(config, address))
    typer.echo(f"sign in at   {origin(config)}/admin/")
    typer.echo(f"       user  {_ADMIN}")
    password = _password(config) or "(no longer in the settings)"
    typer.echo(f"   password  {password}  (also the password of the demo's users, such as {DEMO_USER})")
    typer.echo(f"in a browser {origin(config)}/{config.platform_base}/  (sign in as {DEMO_USER})")
    typer.echo(f"API pages    {address}/docs")
    if apps is not None:
        typer.echo(f"demo apps    {apps.origin}/watch/")
    try:
        write_desk(path.parent / _DESK, address)
    except (OSError, ValueError) as error:
        warn(f"there is no configuration for a desktop: {error}")
    else:
        desktop = command("desktop", "--headless", "--config", path_argument(path.parent / _DESK / "config"))
        typer.echo(f"a desktop    {desktop}")
        typer.echo(f"       user  {DEMO_USER}")
    say(f"settings and data are in {path.parent}; stop with Ctrl+C")
