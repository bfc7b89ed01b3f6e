"""The session with the manager: opened now, or when the manager is available again."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from rostrum.base.clock import Clock
from rostrum.base.signal import Signal
from rostrum.client.changes import ChangeFeed, Connection, ManagerChanges
from rostrum.client.credentials import NotSignedIn
from rostrum.client.errors import Unreachable
from rostrum.client.manager_client import ManagerClient
from rostrum.client.service import Service
from rostrum.desktop.crash_reports import CrashReports
from rostrum.desktop.manager_session import ManagerSession, machine
from rostrum.desktop.phases.configuration import LocalConfiguration, RemoteConfiguration
from rostrum.desktop.phases.sign_in import SignedIn
from rostrum.desktop.reconnection import Reconnection
from rostrum.desktop.reload import Reloading
from rostrum.desktop.services.commands import supported_commands, takes_commands
from rostrum.desktop.shutdown import Shutdown
from rostrum.desktop.sign_in import SignIn
from rostrum.desktop.steps import Progress
from rostrum.settings.settings import Settings
from rostrum.sources.load import Early

_log = logging.getLogger(__name__)
_REQUEST_TIMEOUT = 60.0

Connect = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagerLink:
    """The connection of this desktop to the manager.

    Attributes:
        connection: The manager and its change notifications; None without a manager.
        session: The session there.
        reloading: Reads the configuration again when it changes.
        connectivity_changed: Emitted when the manager is available again after an offline start.
    """

    connection: Connection | None
    session: ManagerSession | None
    reloading: Reloading
    connectivity_changed: Signal[None]


async def open_session(
    step: Progress,
    local: LocalConfiguration,
    configuration: RemoteConfiguration,
    signed_in: SignedIn,
    *,
    crashes: CrashReports,
    shutdown: Shutdown,
    clock: Clock,
    parts: AsyncExitStack,
) -> ManagerLink:
    """Open the session; without a manager, or offline, changed configuration is still read again."""
    settings, sign_in = configuration.settings, signed_in.sign_in
    changed: Signal[None] = Signal()
    reloading = Reloading(
        configuration.loaded,
        live=local.live,
        access=configuration.access,
        answers=configuration.answers,
        clock=clock,
    )
    parts.push_async_callback(reloading.stop)

    def reconnect(signed_out: SignIn, connect: Connect) -> None:
        _reconnect(signed_out, connect, changed, shutdown, parts)

    if sign_in is None or not settings.server.enabled:
        if sign_in is not None and sign_in.offline_reason is not None:
            reconnect(sign_in, reloading.reload)
        _send_crashes(step, settings, crashes, None, parts)
        step.skip()
        return ManagerLink(connection=None, session=None, reloading=reloading, connectivity_changed=changed)
    timeout = settings.server.requests.timeout / 1000 or _REQUEST_TIMEOUT
    work = Service(sign_in.service.address, sign_in.service.credentials, timeout=timeout)
    parts.push_async_callback(work.close)
    session = _session(local, settings, sign_in, work)
    parts.push_async_callback(session.close)
    client = ManagerClient(work)
    connection = Connection(client, ManagerChanges(client))
    session.report(connection.changes)
    reloading.follow(connection)
    parts.push_async_callback(connection.changes.stop)

    async def connect() -> None:
        await session.open()
        connection.changes.start()

    if not await _is_connected(sign_in, connect, local.early):
        # Nothing is sent before the manager has accepted the account.
        work.credentials = NotSignedIn(sign_in.offline_reason or "")
        reconnect(sign_in, connect)
    _send_crashes(step, settings, crashes, connection, parts)
    if session.id:
        step.note(session.id)
    else:
        step.skip()
    return ManagerLink(connection=connection, session=session, reloading=reloading, connectivity_changed=changed)


def _session(local: LocalConfiguration, settings: Settings, sign_in: SignIn, work: Service) -> ManagerSession:
    pair = local.early.pair
    return ManagerSession(
        sign_in.service,
        work,
        {"machine": machine(), "version": local.early.start.version, "env": pair.env, "region": pair.region},
        supported_commands(local.mode) if takes_commands(settings) else (),
        confirm=sign_in.confirm,
        refuse=sign_in.refuse,
        refresh_interval=settings.server.token_refresh_interval,
    )


async def _is_connected(sign_in: SignIn, connect: Connect, early: Early) -> bool:
    if sign_in.offline_reason is not None:
        return False
    try:
        await connect()
    except Unreachable as error:
        if not early.settings.offline_max_age_days:
            raise
        sign_in.lose(str(error))
        return False
    return True


def _reconnect(
    sign_in: SignIn, connect: Connect, changed: Signal[None], shutdown: Shutdown, parts: AsyncExitStack
) -> None:
    async def connect_and_report() -> None:
        await connect()
        _log.warning("The manager can be reached again; %s is signed in.", sign_in.user)
        changed.emit(None)

    reconnection = Reconnection(sign_in, connect_and_report, shutdown.fail)
    parts.push_async_callback(reconnection.stop)
    reconnection.start()


def _send_crashes(
    step: Progress, settings: Settings, crashes: CrashReports, manager: Connection | None, parts: AsyncExitStack
) -> None:
    reporter = settings.crash_reporter
    crashes.describe(company=reporter.company_name, product=reporter.product_name)
    crashes.enabled = reporter.enabled
    output = reporter.output
    if output.type != "server" or not reporter.enabled:
        return
    address = (output.server_url or "").rstrip("/")
    if manager is not None and address in ("", f"{manager.client.service.address}/crashes"):
        crashes.start(manager.client, ChangeFeed(manager.changes))
    elif address:
        # Another address gets the reports, but not the user's credentials.
        elsewhere = Service(address)
        parts.push_async_callback(elsewhere.close)
        crashes.start(ManagerClient(elsewhere))
    else:
        step.degrade("crashReporter.output.serverUrl is not set, so crash reports are not sent")
        return
    parts.push_async_callback(crashes.stop)
