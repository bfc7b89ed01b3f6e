"""Reads the configuration again while the platform runs, and applies the settings that do not need a restart."""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

from rostrum.base.addresses import url_origin
from rostrum.base.clock import Clock
from rostrum.base.errors import RostrumError
from rostrum.base.retry import Sleep
from rostrum.base.signal import Signal
from rostrum.client.changes import ChangedContent, Connection
from rostrum.settings.problems import Severity
from rostrum.sources.access import SourceAccess
from rostrum.sources.check import FileProblem
from rostrum.sources.live import LiveSettings, needs_restart
from rostrum.sources.load import Loaded, load_all, load_early
from rostrum.sources.rest_source import Answers

_log = logging.getLogger(__name__)
_RESTART = "The configuration has changed. Restart the desktop to apply all of the changes."


class Reloading:
    """Reads all sources again: when the manager reports a change, at intervals, or on request.

    Attributes:
        changed: Emitted when the problems have changed after the sources were read again.
    """

    def __init__(
        self,
        loaded: Loaded,
        *,
        live: LiveSettings,
        access: SourceAccess,
        answers: Answers,
        clock: Clock,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.changed: Signal[None] = Signal()
        self._loaded = loaded
        self._live = live
        self._access = access
        self._answers = answers
        self._clock = clock
        self._manager: Connection | None = None
        self._sleep = sleep
        self._jitter = jitter
        self._latest: Loaded | None = None
        self._failure: str | None = None
        self._reading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Read plain REST sources at intervals; the manager reports changes itself."""
        interval = self._loaded.settings.system_configurations.rest_fetch_interval
        if interval and self._loaded.early.has_plain_rest_sources:
            self._begin(self._poll(interval))

    def follow(self, manager: Connection) -> None:
        """Read the sources again when the manager reports a change of the configuration."""
        self._manager = manager
        manager.changes.changed.connect(self._on_change)

    def _on_change(self, kind: ChangedContent) -> None:
        if kind == "systemConfig":
            self._begin(self.reload())

    async def stop(self) -> None:
        """Stop reading changed configuration."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def problems(self) -> tuple[str, ...]:
        """List the problems of the configuration that was read last."""
        loaded = self._latest or self._loaded
        found = [_sentence(finding) for finding in loaded.problems if finding.severity != Severity.NOTE]
        if self._failure is not None:
            found.append(f"The configuration could not be read again, so it is unchanged: {self._failure}")
        elif self._latest is not None and needs_restart(self._loaded.settings, self._latest.settings):
            found.append(_RESTART)
        return tuple(found)

    def sources(self) -> list[dict[str, Any]]:
        """List the results of all sources when they were last read."""
        return [
            {
                "source": outcome.source.name,
                "type": outcome.source.type,
                "required": outcome.source.required,
                "status": outcome.fetched.status,
                "error": outcome.fetched.error,
                "age": outcome.fetched.age,
            }
            for outcome in (self._latest or self._loaded).combined.sources
        ]

    async def reload(self) -> None:
        """Read all sources again, and apply the settings that may change while the platform runs."""
        before = (self.problems(), self.sources())
        async with self._reading:
            await self._reload()
        if (self.problems(), self.sources()) != before:
            self.changed.emit(None)

    async def _reload(self) -> None:
        manager = self._manager
        heard = manager.changes.revision if manager else 0
        try:
            early = await asyncio.to_thread(load_early, self._loaded.early.start)
            loaded = await load_all(early, clock=self._clock, access=self._access, answers=self._answers)
        except RostrumError as error:
            _log.warning("the configuration was not changed: %s", error)
            self._failure = str(error)
            return
        self._latest, self._failure = loaded, None
        self._live.apply(loaded.settings)
        if manager is not None and self._is_in_use(loaded, manager):
            manager.changes.note("systemConfig", heard)

    async def _poll(self, interval: float) -> None:
        while True:
            # Random delays: desktops that started together must not send requests together.
            await self._sleep(interval * (0.5 + self._jitter()))
            try:
                await self.reload()
            except Exception:  # noqa: BLE001 - the outermost loop
                # A failed run must not prevent the next one.
                _log.exception("the configuration could not be read again")

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="configuration read again")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_in_use(self, loaded: Loaded, manager: Connection) -> bool:
        """Return whether the manager's current configuration is in use: it was fetched, and no restart is required."""
        asked = any(
            one.source.type == "rest" and _is_below(one.source.source, manager.client.service.address)
            for one in loaded.combined.sources
            if one.fetched.status == "ok"
        )
        return asked and not needs_restart(self._loaded.settings, loaded.settings)


def _sentence(finding: FileProblem) -> str:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    if not finding.path and not finding.line:
        return f"configuration source {place}: {finding.message}"
    return ": ".join(part for part in ("configuration", place, finding.path, finding.message) if part)


def _is_below(address: str, base: str) -> bool:
    # The address of a source may contain credentials.
    one, other = urlsplit(address), urlsplit(base)
    return url_origin(address) == url_origin(base) is not None and one.path.startswith(other.path)
