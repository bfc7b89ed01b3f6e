"""The apps that start with the platform: those of systemAppStores, then those with autoStart."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rostrum.base.errors import RostrumError
from rostrum.desktop.errors import Prevented
from rostrum.stores.apps.store import Definition

if TYPE_CHECKING:
    from rostrum.desktop.platform import Platform

__all__ = ["start_apps"]

_log = logging.getLogger(__name__)
_HANDLER_TIMEOUT = 5.0
"""Seconds in which apps that may intercept operations register their handlers, unless runPriority.timeout says more."""


async def start_apps(platform: "Platform") -> int:
    """Start the apps that start with the platform; return how many were started.

    Apps that may intercept operations start first, and the others once they have registered their handlers, so that
    the starts of the others are intercepted, too.
    """
    system = [known.definition for known in platform.stores.system_apps.apps.values()]
    users = [known.definition for known in platform.apps.apps.values() if known.definition.get("autoStart")]
    definitions = [*system, *sorted(users, key=_run_priority)]
    interceptors = [one for one in definitions if platform.interceptors.may_register(str(one["name"]))]
    started = await _start(platform, interceptors)
    if started:
        await _wait_for_handlers(platform, started, max(map(_handler_timeout, interceptors)))
    others = await _start(platform, (one for one in definitions if one not in interceptors))
    return len(started) + len(others)


async def _start(platform: "Platform", definitions: Iterable[Definition]) -> list[str]:
    started: list[str] = []
    for definition in definitions:
        name = str(definition["name"])
        try:
            started.append((await platform.instances.start(name, automatic=True)).id)
        except Prevented as error:
            # The firm's own app has decided so: nothing is wrong.
            _log.info("%s is not started with the platform: %s", name, error)
        except RostrumError as error:
            reason = str(error).removeprefix(f"{name}: ")
            platform.steps.degrade("apps", f"{name} does not start: {reason}")
    return started


async def _wait_for_handlers(platform: "Platform", instances: Sequence[str], seconds: float) -> None:
    """Wait until each app has registered a handler, or has ended; an app that does neither delays the start briefly."""
    news = asyncio.Event()
    disconnect = [
        platform.interceptors.registered.connect(lambda _: news.set()),
        platform.instances.ended.connect(lambda _: news.set()),
    ]
    try:
        async with asyncio.timeout(seconds):
            while _without_handler(platform, instances):
                await news.wait()
                news.clear()
    except TimeoutError:
        missing = ", ".join(_without_handler(platform, instances))
        _log.warning("%s registered no interception within %g s; other apps start now", missing, seconds)
    finally:
        for each in disconnect:
            each()


def _without_handler(platform: "Platform", instances: Sequence[str]) -> list[str]:
    running = [platform.instances.get(one) for one in instances]
    return [one.app for one in running if one is not None and one.app not in platform.interceptors.apps]


def _handler_timeout(definition: Definition) -> float:
    priority = definition.get("runPriority")
    milliseconds = priority.get("timeout") if isinstance(priority, Mapping) else None
    return _HANDLER_TIMEOUT if milliseconds is None else float(milliseconds) / 1000


def _run_priority(definition: Definition) -> float:
    priority = definition.get("runPriority")
    return -priority if isinstance(priority, (int, float)) and not isinstance(priority, bool) else 0.0
