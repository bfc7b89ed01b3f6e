"""The apps that start with the platform: those of systemAppStores, those with autoStart, and the default layout."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence

from rostrum.base.errors import RostrumError
from rostrum.desktop.errors import Prevented
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.layouts import LayoutService
from rostrum.desktop.services.own_pages import OwnPages
from rostrum.desktop.steps import Progress
from rostrum.settings.settings import Settings
from rostrum.stores.apps.store import Definition

_log = logging.getLogger(__name__)
_HANDLER_TIMEOUT = 5.0
"""Seconds in which intercepting apps must register their handlers, unless runPriority.timeout is set."""


async def start_apps(step: Progress, apps: Apps, instances: Instances, interceptors: Interceptors) -> None:
    """Start the apps that start with the platform.

    Intercepting apps start first, and the others after these have registered their handlers, so that the starts of the
    others are intercepted as well.
    """
    system = [known.definition for known in apps.system.apps.values()]
    users = [known.definition for known in apps.users.apps.values() if known.definition.get("autoStart")]
    definitions = [*system, *sorted(users, key=_run_priority)]
    first = [one for one in definitions if interceptors.may_register(str(one["name"]))]
    started = await _start(step, instances, first)
    if started:
        await _wait_for_handlers(instances, interceptors, started, max(map(_handler_timeout, first)))
    others = await _start(step, instances, (one for one in definitions if one not in first))
    if started or others:
        step.note(f"{len(started) + len(others)} started")
    else:
        step.skip()


async def restore_default(step: Progress, settings: Settings, layouts: LayoutService) -> None:
    """Restore the default layout, if any."""
    key = layouts.default if settings.layouts.restore_default_global_on_startup else None
    if key is None:
        step.skip()
        return
    try:
        await layouts.restore(key)
    except Prevented as error:
        step.note(f"{key.name} is not restored: {error}")
    else:
        step.note(key.name)


async def _start(step: Progress, instances: Instances, definitions: Iterable[Definition]) -> list[str]:
    started: list[str] = []
    for definition in definitions:
        name = str(definition["name"])
        try:
            started.append((await instances.start(name, automatic=True)).id)
        except Prevented as error:
            # An intercepting app prevented this, which is not a problem.
            _log.info("%s is not started with the platform: %s", name, error)
        except RostrumError as error:
            reason = str(error).removeprefix(f"{name}: ")
            step.degrade(f"{name} does not start: {reason}")
    return started


async def _wait_for_handlers(
    instances: Instances, interceptors: Interceptors, started: Sequence[str], seconds: float
) -> None:
    """Wait, up to a time limit, until each app has registered a handler or has ended."""
    news = asyncio.Event()
    disconnect = [
        interceptors.registered.connect(lambda _: news.set()),
        instances.ended.connect(lambda _: news.set()),
    ]
    try:
        async with asyncio.timeout(seconds):
            while _without_handler(instances, interceptors, started):
                await news.wait()
                news.clear()
    except TimeoutError:
        missing = ", ".join(_without_handler(instances, interceptors, started))
        _log.warning("%s registered no interception within %g s; other apps start now", missing, seconds)
    finally:
        for each in disconnect:
            each()


def _without_handler(instances: Instances, interceptors: Interceptors, started: Sequence[str]) -> list[str]:
    running = [instances.get(one) for one in started]
    return [one.app for one in running if one is not None and one.app not in interceptors.apps]


def _handler_timeout(definition: Definition) -> float:
    priority = definition.get("runPriority")
    milliseconds = priority.get("timeout") if isinstance(priority, Mapping) else None
    return _HANDLER_TIMEOUT if milliseconds is None else float(milliseconds) / 1000


def _run_priority(definition: Definition) -> float:
    priority = definition.get("runPriority")
    return -priority if isinstance(priority, (int, float)) and not isinstance(priority, bool) else 0.0


async def show_launcher(instances: Instances, own_pages: OwnPages) -> None:
    """Show the launcher of the platform, unless an app replaces it (``shell`` in its definition)."""
    if any(one.definition.get("shell") is True for one in instances.all):
        return
    try:
        await own_pages.show("launcher")
    except RostrumError as error:
        # Not an error: the launcher can be opened from the tray, and the platform works without windows.
        _log.warning("the launcher is not shown: %s", error)
