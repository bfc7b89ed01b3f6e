"""The text of event streams, in the format of server-sent events."""

from collections.abc import Mapping
from functools import lru_cache

from rostrum.manager.audiences import EventKind

HEARTBEAT = b":\n\n"
"""A comment that shows proxies and clients that the stream is active."""


def opening(retry_milliseconds: int) -> bytes:
    """Begin: the delay before the client reconnects after an interruption."""
    return b"retry: %d\n\n" % retry_milliseconds


def ready(revision: int) -> bytes:
    """Notify a new client of the revision from which on it receives changes."""
    return _event("ready", revision, with_id=True)


def reset(revision: int) -> bytes:
    """Notify a client that the missed changes are unknown, so that it must fetch everything."""
    return _event("reset", revision, with_id=True)


def changed(kinds: Mapping[EventKind, int]) -> bytes:
    """Notify a client of the changed kinds, with the newest revision of each."""
    return _changed(tuple(sorted(kinds.items(), key=lambda item: item[1])))


@lru_cache(maxsize=64)
def _changed(kinds: tuple[tuple[EventKind, int], ...]) -> bytes:
    # Thousands of clients receive the same bytes.
    # An ID confirms all changes up to it, so only the last event of a revision has an ID.
    last = {revision: kind for kind, revision in kinds}
    return b"".join(_event(kind.value, revision, with_id=last[revision] is kind) for kind, revision in kinds)


def _event(name: str, revision: int, *, with_id: bool) -> bytes:
    mark = f"id: {revision}\n" if with_id else ""
    return f'event: {name}\n{mark}data: {{"revision":{revision}}}\n\n'.encode()
