"""Crash reports: stored immediately, sent when the manager is available, and never sent twice."""

import asyncio
import logging
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

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
_LONGEST = 64 * 1024
_INTERVAL = 60.0
_FAREWELL = 5.0


def reporter_id(folder: Path) -> str:
    """Return the ID of this crash reporter. As in Electron, it is the same in all reports of an installation."""
    file = JsonFile(folder / "reporter.json")
    try:
        known = file.read()
    except (OSError, DamagedFile, NewerFile):
        known = None
    stored = known.get("guid") if isinstance(known, dict) else None
    if isinstance(stored, str) and stored:
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
        self._poller = Poller("crash reports", self.send, _INTERVAL, needed=lambda: bool(self.waiting))

    @property
    def waiting(self) -> tuple[Path, ...]:
        """Return the reports that have not been sent, oldest first."""
        return tuple(sorted(self._folder.glob("*.crash.json")))

    def describe(self, *, company: str | None, product: str | None) -> None:
        """Add the names of the company and the product to later reports, as Electron does."""
        names = {"_companyName": company, "_productName": product}
        self._about |= {name: value for name, value in names.items() if value}

    def start(self, client: ManagerClient, feed: ChangeFeed | None = None) -> None:
        """Send reports now, and when the manager is available again."""
        self._client = client
        self._poller.listen(feed)
        for path in sorted(self._folder.glob("*.sending")):
            set_aside(path, "it was being sent when the platform ended, and may have arrived")
        self._poller.start()
        if self.waiting:
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
        for path in self.waiting:
            try:
                fields = await asyncio.to_thread(JsonFile(path).read)
                texts = {str(name): str(value) for name, value in fields.items()}
                sending = path.rename(path.with_suffix(".sending"))
            except (DamagedFile, NewerFile, AttributeError) as error:
                set_aside(path, str(error))
                continue
            except OSError as error:
                # A report that cannot be renamed would be sent repeatedly.
                raise StoreFailed(f"{path} cannot be read or renamed: {error.strerror or error}") from error
            try:
                await client.send_crash(texts)
            except Refused as error:
                set_aside(sending, str(error))
                continue
            except Unanswered as error:
                set_aside(sending, f"it may have arrived: {error}")
                continue
            except ServiceFailed as error:
                sending.rename(path)
                raise StoreFailed(str(error)) from error
            sending.unlink(missing_ok=True)

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
        if len(self.waiting) >= _MOST:
            _log.error("%d crash reports are already stored; this one is discarded", _MOST)
            return
        now = self._clock.now()
        report = {**self._about, **fields, "time": now.isoformat(timespec="milliseconds")}
        try:
            JsonFile(self._folder / f"{now:%Y%m%dT%H%M%S%f}-{new_id()}.crash.json").write(report)
        except OSError as error:
            _log.exception("a crash report cannot be written: %s", error.strerror or error)
            return
        self._poller.wake()
