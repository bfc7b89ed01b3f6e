"""Monitoring of the process: its memory, and large messages."""

import asyncio
import gc
import logging
import sys
import tracemalloc
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from heapq import nlargest
from pathlib import Path
from typing import Any

import msgspec

from rostrum.base.json_file import write_whole
from rostrum.gateway.options import MemoryWatch
from rostrum.gateway.sessions import user_of_owner
from rostrum.gateway.state import State

_log = logging.getLogger("rostrum.gateway")

_SLICE = 5000
_MOST_LISTED = 50
_WHAT = (
    "Memory of a Rostrum gateway when it went above memory_limit. 'types' counts the Python objects by type with the "
    "bytes they take themselves; 'contexts' and 'unread' are what the gateway keeps for its peers, the largest first; "
    "'allocations' are the lines of code that allocated most, present only when the process runs with "
    "PYTHONTRACEMALLOC=1. Contents of messages and contexts are not in this file."
)


def heap_bytes() -> int:
    """Return the memory that the process uses, in bytes; where this is unknown, the most that it has used."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return _peak_bytes()
    import resource

    return pages * resource.getpagesize()


def _peak_bytes() -> int:
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class MemoryWatcher:
    """Checks the memory regularly, logs it, and writes a snapshot above a limit."""

    def __init__(
        self,
        options: MemoryWatch,
        state: State,
        now: Callable[[], datetime],
        measure: Callable[[], int] = heap_bytes,
        count: Callable[[], Awaitable[list[dict[str, Any]]]] | None = None,
    ) -> None:
        self._options = options
        self._state = state
        self._now = now
        self._measure = measure
        self._census = count or census

    async def run(self) -> None:
        while self._options.interval > 0:
            await asyncio.sleep(self._options.interval)
            try:
                await self.look()
            except Exception:  # noqa: BLE001 - the outermost place
                _log.exception("the memory could not be checked")

    async def look(self) -> Path | None:
        """Check once; return the snapshot if one was written."""
        size = self._measure()
        _log.info("heap size %d bytes, %d peers, %d contexts", size, len(self._state.peers), len(self._state.contexts))
        folder = self._options.folder
        if size <= self._options.limit or folder is None or self._options.most_snapshots < 1:
            return None
        try:
            path = await asyncio.to_thread(snapshot_path, folder, self._options.prefix, self._options.most_snapshots)
            content = await self._content(size)
            await asyncio.to_thread(write_whole, path, content)
        except OSError as error:
            _log.error("heap size is above %d bytes, but no snapshot can be written: %s", self._options.limit, error)
            return None
        _log.warning("heap size is above %d bytes; see the snapshot %s", self._options.limit, path)
        return path

    async def _content(self, size: int) -> bytes:
        types = await self._census()
        contexts = ((each.bytes, each.name, user_of_owner(each.user)[0]) for each in self._state.contexts)
        unread = ((peer.source.unread, peer.id) for peer in self._state.peers.values())
        document = {
            "what": _WHAT,
            "time": self._now().isoformat(),
            "bytes": size,
            "limit": self._options.limit,
            "peers": len(self._state.peers),
            "types": types,
            "contexts": [
                {"name": name, "user": user, "bytes": size} for size, name, user in nlargest(_MOST_LISTED, contexts)
            ],
            "unread": [{"peer": peer, "bytes": size} for size, peer in nlargest(_MOST_LISTED, unread)],
        }
        if tracemalloc.is_tracing():
            document["allocations"] = _allocations()
        return msgspec.json.format(msgspec.json.encode(document)) + b"\n"


async def census(objects: list[object] | None = None) -> list[dict[str, Any]]:
    """Count objects by type, in parts, so that peers are served in between."""
    counts: dict[type, list[int]] = {}
    seen: set[int] = set()
    tracked = gc.get_objects() if objects is None else objects
    for start in range(0, len(tracked), _SLICE):
        part = tracked[start : start + _SLICE]
        # Texts and numbers are only found through the objects that refer to them.
        held = (inside for inside in gc.get_referents(*part) if not gc.is_tracked(inside))
        for each in (*part, *held):
            if id(each) not in seen:
                seen.add(id(each))
                count = counts.setdefault(type(each), [0, 0])
                count[0] += 1
                count[1] += _size(each)
        await asyncio.sleep(0)
    largest = nlargest(_MOST_LISTED, counts.items(), key=lambda item: item[1][1])
    return [
        {"type": f"{kind.__module__}.{kind.__qualname__}", "count": count, "bytes": size}
        for kind, (count, size) in largest
    ]


def _size(each: object) -> int:
    if type(each) is msgspec.Raw:
        # msgspec returns no meaningful size for its own texts.
        return len(memoryview(each))
    try:
        return sys.getsizeof(each, 0)
    except Exception:  # noqa: BLE001 - any code may answer, also of objects that are half gone
        return 0


def _allocations() -> list[dict[str, Any]]:
    lines = tracemalloc.take_snapshot().statistics("lineno")[:_MOST_LISTED]
    return [{"line": str(found.traceback), "bytes": found.size, "count": found.count} for found in lines]


def snapshot_path(folder: Path, prefix: str, most: int) -> Path:
    """Choose the file of the next snapshot: an unused number, or the oldest file."""
    names = [folder / f"{prefix}.{number}.heapsnapshot" for number in range(1, most + 1)]
    free = next((path for path in names if not path.exists()), None)
    return free or min(names, key=_age)


def _age(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


class LargeMessages:
    """Warns of large messages, with a limit on the number of warnings."""

    def __init__(self, threshold: int, monotonic: Callable[[], float], *, most: int = 100, span: float = 60.0) -> None:
        """Warn above a size, at most ``most`` times in a number of seconds."""
        self.threshold = threshold
        self._monotonic = monotonic
        self._most = most
        self._span = span
        self._until = 0.0
        self._left = 0
        self._unsaid = 0

    def warn(self, sender: str, kind: Iterable[object], size: int) -> None:
        now = self._monotonic()
        if now >= self._until:
            if self._unsaid:
                _log.warning("%d more large messages were not reported one by one", self._unsaid)
            self._until, self._left, self._unsaid = now + self._span, self._most, 0
        if self._left == 0:
            self._unsaid += 1
            return
        self._left -= 1
        what = " ".join(str(word)[:100] for word in kind if word)
        _log.warning("large message: %s from %s has %d bytes (above %d)", what, sender, size, self.threshold)
