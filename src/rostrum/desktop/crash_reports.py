"""Crash reports: stored immediately, sent when the manager is available, and never sent twice."""

import asyncio
import heapq
import logging
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile
from rostrum.client.changes import ChangeFeed
from rostrum.client.errors import Refused, ServiceFailed, Unanswered
from rostrum.client.manager_client import ManagerClient
from rostrum.desktop.services.instances import Ended
from rostrum.stores.errors import StoreFailed
from rostrum.stores.outbox import set_aside
from rostrum.stores.poll import Poller

_log = logging.getLogger(__name__)
_MOST = 200
"""Reports that wait, that are sent in one run, and that are kept for inspection."""
_LONGEST = 64 * 1024
_LARGEST_FILE = 1024 * 1024
"""Bytes of a file. A stack of the greatest length needs less, also if JSON escapes each of its characters."""
_FILE = re.compile(r"[0-9]{8}T[0-9]{12}-[0-9A-Za-z_-]{1,64}\.crash\.json")
_MOST_FIELDS = 64
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_LONGEST_ID = 200
_WAITING, _SENDING, _KEPT = "*.crash.json", "*.sending", "*.damaged-*"
_INTERVAL = 60.0
_FAREWELL = 5.0


def reporter_id(folder: Path) -> str:
    """Return the ID of this crash reporter. As in Electron, it is the same in all reports of an installation."""
    file = JsonFile(folder / "reporter.json", private=True, most=_LARGEST_FILE)
    try:
        known = file.read()
    except (OSError, DamagedFile, NewerFile):
        known = None
    stored = known.get("guid") if isinstance(known, dict) else None
    if isinstance(stored, str) and 0 < len(stored) <= _LONGEST_ID:
        return stored
    guid = new_id()
    try:
        file.write({"guid": guid})
    except OSError as error:
        _log.warning("%s cannot be written: %s", file.path, error.strerror or error)
    return guid


class CrashReports:
    """A folder of reports that have not been sent.

    A report is renamed before it is sent and removed after the response. A report without a response may have arrived;
    it is kept for inspection and not sent again.

    Attributes:
        enabled: Whether crashes are recorded.
    """

    def __init__(self, folder: Path, about: Mapping[str, str], clock: Clock) -> None:
        self.enabled = True
        self._folder = folder
        self._about = dict(about)
        self._clock = clock
        self._client: ManagerClient | None = None
        self._one_at_a_time = asyncio.Lock()
        self._poller = Poller("crash reports", self.send, _INTERVAL, needed=lambda: self._has_reports(1))

    @property
    def waiting(self) -> tuple[Path, ...]:
        """Return the oldest reports that have not been sent, oldest first."""
        return tuple(heapq.nsmallest(_MOST, self._reports()))

    def _has_reports(self, number: int) -> bool:
        """Return whether at least this many reports wait."""
        return next(islice(self._reports(), number - 1, None), None) is not None

    def _reports(self) -> Iterator[Path]:
        """List the reports that wait; other files are not those of the platform."""
        return (path for path in self._folder.glob(_WAITING) if _FILE.fullmatch(path.name))

    def describe(self, *, company: str | None, product: str | None) -> None:
        """Add the names of the company and the product to later reports, as Electron does."""
        names = {"_companyName": company, "_productName": product}
        self._about |= {name: value for name, value in names.items() if value}

    def start(self, client: ManagerClient, feed: ChangeFeed | None = None) -> None:
        """Send reports now, and when the manager is available again."""
        self._client = client
        self._poller.listen(feed)
        for path in heapq.nsmallest(_MOST, self._folder.glob(_SENDING)):
            self._keep(path, "it was being sent when the platform ended, and may have arrived")
        self._poller.start()
        if self._has_reports(1):
            self._poller.wake()

    async def stop(self) -> None:
        """Finish the current request, and stop; the remaining reports are sent at the next start."""
        with suppress(TimeoutError):
            # Not cancelled: the report could have arrived without a response.
            async with asyncio.timeout(_FAREWELL), self._one_at_a_time:
                pass
        await self._poller.stop()

    def error(self, error: BaseException, process: str = "platform") -> None:
        """Report an uncaught exception."""
        text = "".join(traceback.format_exception(error))
        self._write({"process_type": process, "reason": type(error).__name__, "stack": text[-_LONGEST:]})

    def ended(self, ended: Ended) -> None:
        """Report an app that crashed."""
        if ended.crashed:
            app = ended.instance.app
            self._write({"process_type": ended.instance.type, "app": app, "reason": f"{app} ended with {ended.code}"})

    async def send(self) -> None:
        """Send the stored reports; stop at the first failure."""
        if self._client is not None:
            # Two senders would interfere with each other.
            async with self._one_at_a_time:
                await self._send_to(self._client)

    async def _send_to(self, client: ManagerClient) -> None:
        for path in await asyncio.to_thread(lambda: self.waiting):
            texts = await asyncio.to_thread(self._read, path)
            if texts is None:
                continue
            try:
                sending = path.rename(path.with_suffix(".sending"))
            except OSError as error:
                # A report that cannot be renamed would be sent repeatedly.
                raise StoreFailed(f"{path} cannot be renamed: {error.strerror or error}") from error
            try:
                await client.send_crash(texts)
            except Refused as error:
                self._keep(sending, str(error))
                continue
            except Unanswered as error:
                self._keep(sending, f"it may have arrived: {error}")
                continue
            except ServiceFailed as error:
                sending.rename(path)
                raise StoreFailed(str(error)) from error
            sending.unlink(missing_ok=True)

    def _read(self, path: Path) -> dict[str, str] | None:
        """Return the fields of a report; keep a file that the platform has not written, and return None."""
        try:
            return _fields(_report(path).read())
        except (DamagedFile, NewerFile) as error:
            self._keep(path, str(error))
        except OSError as error:
            # Later reports do not wait for a file that cannot be read.
            self._keep(path, f"it cannot be read: {error.strerror or error}")
        except ValueError as error:
            self._keep(path, str(error))
        return None

    def _keep(self, path: Path, reason: str) -> None:
        """Keep a report for inspection, and remove the oldest of those that are kept."""
        set_aside(path, reason)
        # Names of reports begin with their time.
        for old in heapq.nlargest(_MOST + _MOST, self._folder.glob(_KEPT))[_MOST:]:
            with suppress(OSError):
                old.unlink()

    def install(self, loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
        """Report uncaught exceptions; call the returned function to stop."""
        before = loop.get_exception_handler()

        def handle(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
            error = context.get("exception")
            if isinstance(error, Exception):
                self.error(error)
            loop.default_exception_handler(context)

        loop.set_exception_handler(handle)
        return lambda: loop.set_exception_handler(before)

    def _write(self, fields: Mapping[str, str]) -> None:
        if not self.enabled:
            return
        if self._has_reports(_MOST):
            _log.error("%d crash reports are already stored; this one is discarded", _MOST)
            return
        now = self._clock.now()
        report = {**self._about, **fields, "time": now.isoformat(timespec="milliseconds")}
        try:
            _report(self._folder / f"{now:%Y%m%dT%H%M%S%f}-{new_id()}.crash.json").write(report)
        except OSError as error:
            _log.exception("a crash report cannot be written: %s", error.strerror or error)
            return
        self._poller.wake()


def _report(path: Path) -> JsonFile:
    # A link could send another file of the user, and a pipe would stop the reports for ever.
    return JsonFile(path, private=True, most=_LARGEST_FILE)


def _fields(report: Any) -> dict[str, str]:
    """Return the fields of a report; raise ValueError if the platform cannot have written it."""
    if not isinstance(report, dict) or len(report) > _MOST_FIELDS:
        raise ValueError(f"it must be an object with at most {_MOST_FIELDS} members")
    if not all(_NAME.fullmatch(name) and isinstance(value, str) for name, value in report.items()):
        raise ValueError("its members must be texts with names of letters, digits and _")
    return report
