"""Configuration: local files, run lock with logs and crash reports, the splash, and remote sources."""

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from rostrum import __version__
from rostrum.base.clock import Clock
from rostrum.client.credentials import Basic
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.crash_reports import CrashReports, reporter_id
from rostrum.desktop.errors import AlreadyRunning
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.hosts.reports import Reports
from rostrum.desktop.log_files import LogFiles
from rostrum.desktop.login import Ask
from rostrum.desktop.modes import check_system
from rostrum.desktop.phases.sign_in import SignedIn
from rostrum.desktop.run_lock import RunLock, notify_running_platform
from rostrum.desktop.sign_in import SignIn
from rostrum.desktop.splash import SplashScreen
from rostrum.desktop.status_file import StatusFile
from rostrum.desktop.steps import Progress
from rostrum.desktop.windows.engine import engine_of
from rostrum.desktop.windows.requests import PageRequests, page_requests
from rostrum.settings.log_configuration import read_logging
from rostrum.settings.scope import Mode
from rostrum.settings.settings import Settings
from rostrum.settings.standard_files import LOGGER
from rostrum.sources.access import SourceAccess
from rostrum.sources.live import LiveSettings
from rostrum.sources.load import Early, Loaded, Start, load_all, load_early, require_complete
from rostrum.sources.rest_source import Answers

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalConfiguration:
    """The configuration of local files.

    Attributes:
        early: The result of the local files.
        live: The settings that change while the platform runs.
    """

    early: Early
    live: LiveSettings

    @property
    def mode(self) -> Mode:
        """Return the effective mode."""
        return self.early.mode

    def page_requests(self) -> PageRequests:
        """Return the current rules for requests of pages."""
        rules, problems = page_requests(self.live.value.url_filter, self.live.value.response_headers)
        for problem in problems:
            _log.warning("%s", problem)
        return rules


@dataclass(frozen=True, slots=True, kw_only=True)
class RunControl:
    """Files that only the platform with the lock of its environment may write."""

    log_files: LogFiles
    status_file: StatusFile
    crashes: CrashReports


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteConfiguration:
    """The configuration of all sources.

    Attributes:
        loaded: The sources, as read at the start.
        access: The credentials for sources.
        answers: The last response of each REST source, for conditional requests.
    """

    loaded: Loaded
    access: SourceAccess
    answers: Answers = field(repr=False)

    @property
    def settings(self) -> Settings:
        """Return the effective settings."""
        return self.loaded.settings


async def read_local(step: Progress, start: Start, *, headless: bool) -> LocalConfiguration:
    """Read the local files; reject incomplete ones, and a mode that this system does not support."""
    early = await asyncio.to_thread(load_early, start)
    require_complete(early)
    local = LocalConfiguration(early=early, live=LiveSettings(early.reapplied))
    check_system(local.mode, variables=start.variables, headless=headless)
    step.note(f"{early.pair.name or 'no environment'}, {local.mode} mode")
    return local


async def take_control(step: Progress, local: LocalConfiguration, clock: Clock, parts: AsyncExitStack) -> RunControl:
    """Acquire the lock of the environment and region; then set up logs, crash reports and the status."""
    early, start = local.early, local.early.start
    folders, pair, allow = early.folders, early.pair.name, early.settings.allow_multiple_instances
    lock = RunLock(start.root / "UserData", pair, never=allow == "never")
    try:
        await asyncio.to_thread(lock.acquire, folders.user_data, clock.now())
    except AlreadyRunning as error:
        running = error.user_data or folders.user_data
        await notify_running_platform(early.settings.already_running_action, running)
        raise
    parts.callback(lock.release)
    # Only with the lock: another instance may write the same files.
    log_files = LogFiles(folders.user_data / "logs", early.variables)
    parts.callback(log_files.close)
    _write_logs(step, log_files, early, early.contents(LOGGER), clock)
    # As in Electron: the version of the app, in addition to that of the runtime.
    about = {"prod": "rostrum-desktop", "ver": __version__, "_version": start.version, "env": pair}
    folder = folders.user_data / "crashes"
    about["guid"] = await asyncio.to_thread(reporter_id, folder)
    crashes = CrashReports(folder, about, clock)
    parts.callback(crashes.install(asyncio.get_running_loop()))
    step.note(allow)
    return RunControl(log_files=log_files, status_file=StatusFile(folders.user_data), crashes=crashes)


async def show_splash(
    step: Progress,
    local: LocalConfiguration,
    host: WindowHost,
    reports: Reports,
    *,
    background: BackgroundTasks,
    parts: AsyncExitStack,
) -> SplashScreen:
    """Prepare the windowing system, and show the splash."""
    engine = replace(engine_of(local.early.settings), folder=str(local.early.folders.user_data / "engine"))
    await host.prepare(engine, reports)
    parts.push_async_callback(host.close)
    parts.push_async_callback(background.close)
    # The start does not wait for a windowing system that shows nothing yet.
    background.begin(host.set_requests(local.page_requests()))
    splash = SplashScreen(local.early, host)
    parts.push_async_callback(splash.hide)
    if not await splash.show_at_start():
        step.skip()
    return splash


async def fetch_remote(
    step: Progress,
    local: LocalConfiguration,
    control: RunControl,
    signed_in: SignedIn | None,
    *,
    host: WindowHost,
    background: BackgroundTasks,
    ask_source: Ask | None,
    clock: Clock,
) -> RemoteConfiguration:
    """Fetch all sources; ``signed_in`` is the user of the manager that provides configuration, if any."""
    access = _access(None if signed_in is None else signed_in.sign_in, ask_source)
    answers: Answers = {}
    loaded = await load_all(local.early, clock=clock, access=access, answers=answers)
    for finding in loaded.problems:
        _log.warning("%s", ": ".join(part for part in (finding.file, finding.path, finding.message) if part))
    _write_logs(step, control.log_files, local.early, loaded.contents(LOGGER), clock)
    if local.live.apply(loaded.settings):
        background.begin(host.set_requests(local.page_requests()))
    for remark in loaded.combined.untrusted:
        step.degrade(str(remark))
    for outcome in loaded.combined.sources:
        if outcome.fetched.error is not None:
            copy = "; its last answer is used" if outcome.fetched.cached else ""
            step.degrade(f"{outcome.source.name}: {outcome.fetched.error}{copy}")
    others = len(loaded.combined.sources) - 1
    if others:
        step.note(f"{others} more sources")
    else:
        step.skip()
    return RemoteConfiguration(loaded=loaded, access=access, answers=answers)


def _write_logs(step: Progress, log_files: LogFiles, early: Early, logger: Any, clock: Clock) -> None:
    configuration, _ = read_logging(early.settings.logging, logger)
    for trouble in log_files.open(configuration, clock.now()):
        step.degrade(trouble)


def _access(sign_in: SignIn | None, ask_source: Ask | None) -> SourceAccess:
    async def enter(origin: str) -> httpx.Auth | None:
        login = None if ask_source is None else await ask_source(origin)
        return None if login is None else Basic(login.user, login.password, origin).auth()

    if sign_in is None:
        return SourceAccess(ask=enter)
    return SourceAccess(
        sign_in.service.origin,
        sign_in.user,
        # The credentials change with each sign-in attempt.
        lambda: sign_in.service.credentials.auth(),  # noqa: PLW0108
        offline_reason=lambda: sign_in.offline_reason,
        ask=enter,
    )
