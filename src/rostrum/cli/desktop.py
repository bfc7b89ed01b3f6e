"""rostrum desktop: starts the platform, or shows the status of a running one."""

import asyncio
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from rostrum import PLATFORM_VERSION, __version__
from rostrum.base.distribution import this_installation
from rostrum.base.errors import RostrumError
from rostrum.cli import desktop_apps, desktop_layouts, desktop_methods
from rostrum.cli.find_config import VARIABLE, find_desktop
from rostrum.cli.output import fail, say, show_table, warn
from rostrum.cli.platform_client import PlatformClient, asks_platform
from rostrum.cli.prompt import ask_in_terminal
from rostrum.cli.source_credentials import ask_for_source
from rostrum.cli.start import start_from
from rostrum.cli.window_requirements import check_windows
from rostrum.installation.trial import TrialChannel
from rostrum.installation.versions import Installation, no_updates_reason, running_installation

if TYPE_CHECKING:
    from rostrum.desktop.hosts.port import WindowHost
    from rostrum.desktop.login import Ask, Login
    from rostrum.desktop.platform import Platform
    from rostrum.desktop.steps import Step
    from rostrum.sources.load import Start


_FACTS = (
    "process",
    "since",
    "version",
    "productVersion",
    "build",
    "uiVersion",
    "user",
    "environment",
    "mode",
    "logs",
    "gateway",
    "manager",
    "offline",
    "connected",
    "session",
    "apps",
    "updates",
)
_WITH_VALUE = (
    "--config",
    "--credentials",
    "--env",
    "--region",
    "--version",
    "--gildingConfigFile",
    "--log-level",
    "--address",
)


class _Commands(TyperGroup):
    """The commands; without a command, the arguments are those of the platform."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        word = self._first_word(args)
        if word is not None and word != "configOverrides" and "=" not in word:
            return super().parse_args(ctx, args)
        ctx.allow_interspersed_args = True
        # Parsed like a command without subcommands: the rest is `config=<file> configOverrides …`.
        return TyperCommand.parse_args(self, ctx, args)

    def _first_word(self, args: list[str]) -> str | None:
        """Return the first argument that is neither an option nor its value."""
        words = iter(args)
        for word in words:
            if word == "--":
                return None
            if word in _WITH_VALUE:
                next(words, None)
            elif not word.startswith("-"):
                return word
        return None


app = typer.Typer(
    cls=_Commands,
    invoke_without_command=True,
    add_completion=False,
    subcommand_metavar="[COMMAND [ARGS]... | -- config=<file> configOverrides config0=<file> …]",
)


@app.callback()
def desktop(
    context: typer.Context,
    *,
    headless: Annotated[bool, typer.Option("--headless", help="Run without windows.")] = False,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            help=f"The configuration folder. Default: {VARIABLE}, or the one in the current folder.",
            show_default=False,
        ),
    ] = None,
    credentials: Annotated[
        Path | None, typer.Option(help="A file with user:password, instead of a prompt.", show_default=False)
    ] = None,
    env: Annotated[str | None, typer.Option("--env", help="Environment. Overrides the configuration files.")] = None,
    region: Annotated[str | None, typer.Option("--region", help="Region. Overrides the configuration files.")] = None,
    version: Annotated[
        str | None,
        typer.Option(help=f"The platform version to run as, {PLATFORM_VERSION} by default; 9.x reads gilding.json."),
    ] = None,
    gilding_file: Annotated[
        str | None,
        typer.Option(
            "--gildingConfigFile",
            help="The file in the configuration folder that a platform version 9.x reads in place of gilding.json.",
            show_default=False,
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            help="An address with a scheme of protocolHandler: bring the running platform to the front, or start it, "
            "and start the app that the address names.",
            show_default=False,
        ),
    ] = None,
    log_level: Annotated[str, typer.Option(help="Log level: debug, info, warning or error.")] = "warning",
    json: Annotated[bool, typer.Option("--json", help="Print JSON (commands).")] = False,
) -> None:
    """Start the platform, or run a command on a running platform.

    Commands apply to the platform of the configuration in the current folder, or of --config, --env and --region.
    """
    from rostrum.base.log import set_up_logging

    channel = TrialChannel.from_environment()
    if context.invoked_subcommand is not None:
        channel.inconclusive()
    for needed in ("filelock", "picows", "watchfiles"):
        if find_spec(needed) is None:
            advice = this_installation().with_extra("desktop")
            fail(f"{needed}, which the desktop needs, is not installed; to install the extra desktop, {advice}")
    if log_level not in ("debug", "info", "warning", "error"):
        fail("--log-level is debug, info, warning or error", 2)
    context.obj = PlatformClient(config=config, env=env, region=region, json=json)
    if context.invoked_subcommand is not None:
        return
    opened = None if address is None else _app_of(address, context.obj)
    if address is not None and _open_in_running(opened, context.obj):
        return
    start = start_from(config, context.args, env=env, region=region, version=version, gilding_file=gilding_file)
    if not headless:
        check_windows()
    set_up_logging(log_level, "text")
    try:
        # The credentials in a file are for the manager only.
        ask_source = None if credentials is not None else _reported(ask_for_source, channel)
        ask = _reported(_ask(credentials), channel)
        client = _client_of(start, env, region)
        while asyncio.run(_run(start, ask, ask_source, client, channel, headless=headless, opened=opened)):
            opened = None
            say("restarting")
            _start_other_version(channel)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _client_of(start: "Start", env: str | None, region: str | None) -> PlatformClient:
    """Return the client whose commands are printed; they name the configuration unless it is found without."""
    base = Path(start.arguments.base or "")
    found = find_desktop(None)
    is_found = found is not None and found.path is not None and found.path.absolute() == base
    return PlatformClient(config=None if is_found else base, env=env, region=region)


def _app_of(address: str, client: PlatformClient) -> str | None:
    """Return the app that an address starts, if it names one; end the command if it is not allowed."""
    from rostrum.desktop.address_handler import BadAddress, address_schemes, app_of_address

    early, _ = client.look()
    try:
        return app_of_address(address, address_schemes(early.settings.protocol_handler))
    except BadAddress as error:
        fail(str(error), 2)


def _open_in_running(opened: str | None, client: PlatformClient) -> bool:
    """Bring the platform to the front and start an app, if the platform is running; return whether it is."""
    if client.look()[1] is None:
        return False
    client.call("Rostrum.Platform.Focus")
    if opened is not None:
        client.call("Rostrum.Apps.Start", {"name": opened})
    return True


def _start_other_version(channel: TrialChannel) -> None:
    """Start the current version instead of this one, if an update has changed it."""
    installation = running_installation()
    if installation is None or installation.state().version == __version__:
        return
    if channel.is_supervised:
        channel.restart()
        raise typer.Exit
    sys.stdout.flush()
    os.execv(installation.command, [str(installation.command), *sys.argv[1:]])  # noqa: S606 - our own command


def _host(*, headless: bool) -> "WindowHost":
    # Without windows, the window process is not imported.
    if headless:
        from rostrum.desktop.hosts.recording import RecordingHost

        return RecordingHost()
    from rostrum.desktop.hosts.start import window_process

    return window_process()


async def _run(
    start: "Start",
    ask: "Ask",
    ask_source: "Ask | None",
    client: PlatformClient,
    channel: TrialChannel,
    *,
    headless: bool = True,
    opened: str | None = None,
) -> bool:
    from rostrum.desktop.errors import AlreadyRunning, StartFailed
    from rostrum.desktop.platform import Platform
    from rostrum.desktop.updates.checker import applier

    installation = running_installation() if no_updates_reason() is None else None
    platform = Platform(
        start,
        _host(headless=headless),
        ask,
        ask_source=ask_source,
        # Credentials from a file replace the prompt.
        ask_on_page=None if headless or ask_source is None else lambda page: _reported(page, channel),
        headless=headless,
        apply_update=None
        if installation is None
        else applier(
            installation,
            lambda: platform.services.control.leave(restart=True),
            lambda: not platform.services.instances.all,
        ),
    )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, platform.shutdown.request)
    platform.steps.changed.connect(_report)
    try:
        await _started_or_stopped(platform)
    except StartFailed as error:
        if isinstance(error.__cause__, AlreadyRunning):
            channel.inconclusive()
        raise
    if not platform.shutdown.requested.is_set():
        channel.ready()
        await _remove_unused(installation)
        if not headless:
            await asyncio.to_thread(_register_addresses, platform)
        if opened is not None:
            await _open(platform, opened)
        typer.echo(f"ready: {len(platform.stores.apps.apps)} apps, gateway {platform.gateway.address}")
        if platform.offline_reason is not None:
            say(platform.offline_reason)
        say(f"To list the apps, run in another terminal: {client.command('apps')}")
        say("Other commands: start APP, layout save NAME, status, … (see --help). Stop the platform with Ctrl+C.")
        await platform.shutdown.requested.wait()
    say("stopping")
    await platform.stop()
    if platform.shutdown.failure is not None:
        fail(platform.shutdown.failure)
    return platform.shutdown.restart


def _register_addresses(platform: "Platform") -> None:
    """Register the schemes of protocolHandler for the user; a failure must not stop a running platform."""
    from rostrum.desktop.address_handler import address_schemes, applications_folder, register_schemes

    early = platform.local.early
    schemes = address_schemes(early.settings.protocol_handler)
    folder = applications_folder(os.environ) if sys.platform == "linux" else None
    if folder is None:
        if schemes:
            warn("protocolHandler: addresses can be registered on Linux only")
        return
    start = early.start
    options = {"--config": start.arguments.base, "--env": start.env, "--region": start.region}
    chosen = [word for name, value in options.items() if value for word in (name, value)]
    installation = running_installation()
    program = [str(installation.command)] if installation is not None else [sys.executable, "-m", "rostrum"]
    try:
        register_schemes(folder, str(early.folders.user_data), schemes, [*program, "desktop", *chosen])
    except (OSError, RostrumError) as error:
        warn(f"protocolHandler: the schemes cannot be registered in {folder}: {error}")


async def _open(platform: "Platform", app: str) -> None:
    """Start the app that an address names; a failure must not stop a running platform."""
    try:
        await platform.services.instances.start(app)
    except RostrumError as error:
        warn(f"the app of the address cannot be started: {error}")


async def _remove_unused(installation: Installation | None) -> None:
    """Remove versions that are no longer needed; a failure must not stop a running platform."""
    if installation is None:
        return
    try:
        await asyncio.to_thread(installation.remove_unused)
    except (OSError, RostrumError) as error:
        warn(f"old versions in {installation.root} cannot be removed: {error}")


async def _started_or_stopped(platform: "Platform") -> None:
    """Wait for the start, or until the platform is stopped."""
    starting = asyncio.create_task(platform.start())
    stopping = asyncio.create_task(platform.shutdown.requested.wait())
    await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not starting.done():
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return
    await starting


def _report(step: "Step") -> None:
    if step.state in ("done", "degraded", "failed"):
        say(f"{step.name}: {step.state}{f' ({step.note})' if step.note else ''}")


def _reported(ask: "Ask", channel: TrialChannel) -> "Ask":
    """Report the time during which a prompt is shown: it does not count as a slow start."""

    async def reported(message: str) -> "Login | None":
        channel.waiting()
        try:
            return await ask(message)
        finally:
            channel.starting()

    return reported


def _ask(credentials: Path | None) -> "Ask":
    from rostrum.desktop.login import Login, from_file

    if credentials is not None:
        return from_file(credentials)

    async def prompt(message: str) -> "Login | None":
        if not sys.stdin.isatty():
            say("no terminal to ask for user name and password; provide a file with --credentials")
            return None
        say(message)
        user = await ask_in_terminal("user")
        password = await ask_in_terminal("password", hide_input=True)
        return Login(user, password)

    return prompt


@app.command()
@asks_platform
def status(client: PlatformClient) -> None:
    """Show the status of the running platform. Exit code 1 if it does not run."""
    from rostrum.desktop.status_file import StatusFile

    early, running = client.look()
    told: dict[str, Any] = {"running": running is not None}
    if running is not None:
        told |= {"process": running.get("pid"), "since": running.get("since")}
        told |= StatusFile(early.folders.user_data).read() or {}
    client.show(told, lambda: say("the platform is not running") if running is None else _print(told))
    raise typer.Exit(0 if running is not None else 1)


def _print(status: dict[str, Any]) -> None:
    show_table(["step", "state", ""], [[one["name"], one["state"], one["note"]] for one in status.get("steps", [])])
    for name in _FACTS:
        if status.get(name) is not None:
            typer.echo(f"{name}: {status[name]}")
    for one in status.get("instances", []):
        typer.echo(f"running: {one['title']} ({one['app']})")
    for problem in status.get("problems", []):
        typer.echo(f"problem: {problem}")


for _page in (desktop_apps, desktop_layouts, desktop_methods):
    _page.add_commands(app)
