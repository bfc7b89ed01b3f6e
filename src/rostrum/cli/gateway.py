"""rostrum gateway: runs a gateway without a desktop, shows the status of a running one, and edits its users file."""

import asyncio
import os
import signal
import threading
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rostrum.base.distribution import this_installation
from rostrum.base.memory import freeze_loaded_objects, load_without_collecting
from rostrum.cli import gateway_top, gateway_users
from rostrum.cli.gateway_settings import gateway_options, read_settings, run_folder
from rostrum.cli.output import fail, say

if TYPE_CHECKING:
    from rostrum.agents import AgentService
    from rostrum.gateway import Gateway, GatewayOptions
    from rostrum.gateway.authentication import AnyLocalUser
    from rostrum.gateway.manager_check import ManagerCheck
    from rostrum.gateway.users_file import UsersFile


_OWN_METHODS = "Rostrum."
"""Prefix of the gateway's own methods, which clients may not register."""
_SECRET_VARIABLE = "API_GATEWAY_SECRET"  # noqa: S105 - the name of a variable

app = typer.Typer(help="The gateway that apps connect to.", invoke_without_command=True, add_completion=False)
app.command("top")(gateway_top.top)
app.command("add-user")(gateway_users.add_user)


@dataclass(frozen=True, slots=True)
class _LogIns:
    """How sign-ins are checked: against a file, by a manager, or not at all.

    Attributes:
        secret: Secret shared with the manager, to forward the addresses of clients.
        node: Address of this gateway in the manager's list of gateways.
    """

    users: Path | None
    manager: str | None
    secret: str | None = field(default=None, repr=False)
    node: str = ""


@app.callback()
def run(
    context: typer.Context,
    *,
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on; 0 selects a free port. Default: 8385.", min=0, max=65535),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on. Default: this machine only.")] = "127.0.0.1",
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="A system.json file; only gw.configuration is used.", show_default=False),
    ] = None,
    users: Annotated[
        Path | None,
        typer.Option(help="A file of users to check sign-ins with (see add-user).", show_default=False),
    ] = None,
    manager: Annotated[
        str | None,
        typer.Option(
            help="A manager to check sign-ins with: its API address, including the prefix.", show_default=False
        ),
    ] = None,
    manager_secret_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with the manager's `gateway.secret`, to forward the addresses of clients; "
            "or set API_GATEWAY_SECRET.",
            show_default=False,
        ),
    ] = None,
    node: Annotated[
        str,
        typer.Option(
            help="With --manager: address of this gateway in the manager's `gateway.nodes`. "
            "Users of other gateways are refused.",
            show_default=False,
        ),
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Also allow pages of this origin to connect. Can be repeated; * allows all origins.",
            show_default=False,
        ),
    ] = None,
    passwords: Annotated[
        bool,
        typer.Option(help="With --manager: accept passwords in addition to sessions and tokens."),
    ] = True,
    until_end_of_input: Annotated[
        bool, typer.Option("--until-end-of-input", help="Stop when the standard input ends.", hidden=True)
    ] = False,
    record_payloads: Annotated[
        bool, typer.Option("--record-payloads", help="Also record the contents of the last messages, for `top`.")
    ] = False,
    log_level: Annotated[str, typer.Option(help="Log level: debug, info, warning or error.")] = "info",
    log_format: Annotated[str, typer.Option(help="Log format: text or json.")] = "text",
) -> None:
    """Run the gateway."""
    if context.invoked_subcommand is not None:
        return
    load_without_collecting()
    try:
        import_module("rostrum.gateway")
    except ModuleNotFoundError as error:
        advice = this_installation().with_extra("desktop")
        fail(f"{error.name}, which the gateway needs, is not installed; to install the extra desktop, {advice}")
    from rostrum.base.log import set_up_logging
    from rostrum.settings.settings import Settings

    if log_level not in ("debug", "info", "warning", "error") or log_format not in ("text", "json"):
        fail("--log-level is debug, info, warning or error; --log-format is text or json", 2)
    set_up_logging(log_level, log_format)
    settings = Settings() if config is None else read_settings(config)
    options = gateway_options(settings, None if config is None else _root(config))
    options = replace(
        options,
        host=host,
        port=options.port if port is None else port,
        origins=tuple(origin or ()),
        record_payloads=record_payloads,
        status_folder=run_folder(),
    )
    log_ins = _checked(_LogIns(users, manager, _shared_secret(manager_secret_file), node), options)
    if manager is not None:
        # The manager's user IDs are compared letter by letter, as the manager does.
        options = replace(options, case_sensitive_users=True, passwords=passwords, reserved_methods=_OWN_METHODS)
    elif node:
        fail("--node needs --manager: the manager assigns users to gateways", 2)
    elif not passwords:
        fail("--no-passwords requires --manager, which issues sessions and tokens", 2)
    _run(_serve(options, log_ins, until_end_of_input=until_end_of_input))


def _shared_secret(file: Path | None) -> str | None:
    from rostrum.base.addresses import LEAST_SECRET_BYTES

    secret = os.environ.get(_SECRET_VARIABLE)
    if file is not None:
        try:
            secret = file.read_text(encoding="utf-8").strip()
        except OSError as error:
            fail(f"{file} cannot be read: {error.strerror}", 2)
        except UnicodeDecodeError:
            fail(f"{file} is not text in UTF-8", 2)
    if secret is not None and len(secret.encode()) < LEAST_SECRET_BYTES:
        fail(f"{file or _SECRET_VARIABLE}: the secret must have at least {LEAST_SECRET_BYTES} bytes", 2)
    return secret


def _root(config: Path) -> Path:
    folder = config.resolve().parent
    return folder.parent if folder.name == "config" else folder


def _checked(log_ins: _LogIns, options: "GatewayOptions") -> _LogIns:
    from rostrum.gateway.origins import is_loopback

    if log_ins.users is not None and log_ins.manager is not None:
        fail("--users and --manager cannot be used together", 2)
    is_open = log_ins.users is None and log_ins.manager is None
    if is_open and not is_loopback(options.host):
        fail(f"on {options.host} sign-ins must be checked if other machines can connect: add --users or --manager", 2)
    if log_ins.manager is not None and not log_ins.manager.startswith(("http://", "https://")):
        fail("--manager must be an address such as https://manager.example.com/api", 2)
    return log_ins


def _manager_check(log_ins: _LogIns) -> "ManagerCheck | None":
    if log_ins.manager is None:
        return None
    # Its HTTP client takes a seventh of the start of a gateway.
    from rostrum.gateway.manager_check import ManagerCheck

    return ManagerCheck(log_ins.manager, address_secret=log_ins.secret, node=log_ins.node)


def _local_check(log_ins: _LogIns, options: "GatewayOptions") -> "AnyLocalUser | UsersFile":
    if log_ins.users is not None:
        from rostrum.gateway.users_file import UsersFile

        return UsersFile(log_ins.users, case_sensitive=options.case_sensitive_users)
    from rostrum.gateway.authentication import AnyLocalUser

    return AnyLocalUser()


def _run(work: Coroutine[None, None, None]) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


async def _serve(options: "GatewayOptions", log_ins: _LogIns, *, until_end_of_input: bool) -> None:
    from rostrum.gateway import Gateway

    manager = _manager_check(log_ins)
    check = _local_check(log_ins, options) if manager is None else manager
    gateway = Gateway(options, check)
    await gateway.start()
    # Without a manager, the apps of a user are unknown.
    agents = None if manager is None else await _start_agents(gateway, manager)
    freeze_loaded_objects()
    typer.echo(f"listening on {gateway.address}")
    if log_ins.users is None and log_ins.manager is None:
        say(
            "sign-ins are not checked: every program on this machine can sign in as any user "
            "(to check them: --users, --manager)"
        )
    if log_ins.manager is not None and log_ins.secret is None and options.passwords:
        say(
            "the manager counts wrong passwords of all clients as those of this gateway; "
            f"set {_SECRET_VARIABLE} here and in the manager to count them for each client"
        )
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    # Windows does not support these handlers: there, Ctrl+C cancels this wait.
    with suppress(NotImplementedError):
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopped.set)
    if until_end_of_input:
        threading.Thread(target=_await_end_of_input, args=(loop, stopped), name="input", daemon=True).start()
    try:
        await stopped.wait()
    finally:
        if agents is not None:
            await agents.stop()
        await gateway.stop()
        await check.close()


def _await_end_of_input(loop: asyncio.AbstractEventLoop, stopped: asyncio.Event) -> None:
    # Without the buffer of sys.stdin, whose lock would delay the end of the process.
    while os.read(0, 4096):
        pass
    # The loop may have ended in the meantime.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(stopped.set)


async def _start_agents(gateway: "Gateway", manager: "ManagerCheck") -> "AgentService":
    """Run the FDC3 agents of the manager's users."""
    from rostrum import __version__
    from rostrum.agents import AgentService, peer_of_platforms
    from rostrum.agents.manager_profiles import ManagerProfiles

    agents = AgentService(gateway, ManagerProfiles(manager), peer_of_platforms(gateway), version=__version__)
    # No user has this name: user IDs of the manager do not start with a slash.
    await agents.start(await gateway.local_peer("Rostrum", "/gateway", is_service=True))
    return agents
