"""Cached responses, limited in bytes; each body is stored once, however many callers receive it."""

import gzip
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct, field

from rostrum.manager.http.responses import PACKED

Header = tuple[bytes, bytes]
Headers = tuple[Header, ...]

_ENTRY_BYTES = 2048
"""The size of a response without its body: names, headers and keys."""

_LEAST_PACKED = 1024
_LEVEL = 6


class Body(Struct, eq=False):
    """The bytes of a response, and their compressed form after the first request for it."""

    plain: bytes
    packed: bytes | None = None
    uses: int = 0

    @property
    def is_worth_packing(self) -> bool:
        """Return whether compression is worthwhile."""
        return len(self.plain) >= _LEAST_PACKED

    def pack(self) -> bytes:
        """Compress the bytes; the result is always the same."""
        return gzip.compress(self.plain, _LEVEL, mtime=0)


class CachedResponse(NamedTuple):
    """The response to one client."""

    status: int
    headers: Sequence[Header]
    body: bytes


class Form(Struct, frozen=True):
    """One form of a response: with the content, or for clients that have it."""

    status: int
    tag: bytes
    headers: Headers
    body: Body

    @classmethod
    def of(cls, status: int, tag: bytes, headers: Sequence[Header], body: Body) -> "Form":
        """Read a response of the framework."""
        varies = next((value for name, value in headers if name == b"vary"), b"")
        # Caches must know that other clients may receive other bytes.
        return cls(status, tag, tuple(_replaced(headers, {b"vary": varies + b", Accept-Encoding"})), body)

    def plain(self, more: Headers, held: bytes = b"") -> CachedResponse:
        """Return the plain form; a client that sends another tag for the same content receives that tag."""
        headers: Sequence[Header] = (*self.headers, *more) if more else self.headers
        return CachedResponse(self.status, _replaced(headers, {b"etag": held}) if held else headers, self.body.plain)

    def packed(self, more: Headers) -> CachedResponse:
        """Return the compressed form, which has its own tag because its bytes differ."""
        content = self.body.packed or b""
        tag = self.tag[:-1] + PACKED.encode() + self.tag[-1:]
        changed = {b"etag": tag, b"content-length": str(len(content)).encode()}
        headers = [*_replaced(self.headers, changed), *more, (b"content-encoding", b"gzip")]
        return CachedResponse(self.status, headers, content)


class Ready(Struct):
    """The responses for one audience, at a content version.

    Attributes:
        forms: The forms by status: 200 with the content, 304 for clients that have it.

    """

    mark: int
    tag: bytes
    forms: dict[int, Form] = field(default_factory=dict)


class CachedResponses:
    """The most recently used responses."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._entries: OrderedDict[Hashable, Ready] = OrderedDict()
        self._bodies: dict[bytes, Body] = {}
        self.used_bytes = 0

    def find(self, key: Hashable, mark: int) -> Ready | None:
        """Return the response, if it is as new as the content version."""
        ready = self._entries.get(key)
        if ready is None or ready.mark < mark:
            return None
        self._entries.move_to_end(key)
        return ready

    def body(self, tag: bytes, plain: bytes) -> Body:
        """Return the stored body for the same content, or a new one."""
        known = self._bodies.get(tag)
        return known if known is not None and known.plain == plain else Body(plain)

    def save(self, key: Hashable, mark: int, form: Form) -> None:
        """Store one form of a response that is at least as new as the content version."""
        ready = self._entries.get(key)
        if ready is None or ready.mark != mark or ready.tag != form.tag:
            if ready is not None:
                self._drop(key)
            if self._most < _ENTRY_BYTES:
                return
            ready = self._entries[key] = Ready(mark, form.tag)
            self.used_bytes += _ENTRY_BYTES
        if form.status not in ready.forms:
            ready.forms[form.status] = form
            self._use(form.tag, form.body)
        self._entries.move_to_end(key)
        self._make_room()

    def packed(self, body: Body, packed: bytes) -> None:
        if body.packed is None:
            body.packed = packed
            if body.uses:
                self.used_bytes += len(packed)
                self._make_room()

    def __len__(self) -> int:
        return len(self._entries)

    def _use(self, tag: bytes, body: Body) -> None:
        if not body.uses:
            self.used_bytes += _size(body)
            if body.plain:
                self._bodies[tag] = body
        body.uses += 1

    def _make_room(self) -> None:
        while self.used_bytes > self._most and self._entries:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: Hashable) -> None:
        ready = self._entries.pop(key)
        self.used_bytes -= _ENTRY_BYTES
        for form in ready.forms.values():
            form.body.uses -= 1
            if not form.body.uses:
                self.used_bytes -= _size(form.body)
                if self._bodies.get(ready.tag) is form.body:
                    del self._bodies[ready.tag]


def _size(body: Body) -> int:
    return len(body.plain) + len(body.packed or b"")


def _replaced(headers: Sequence[Header], values: dict[bytes, bytes]) -> list[Header]:
    return [(name, values.get(name, value)) for name, value in headers]


@lru_cache(256)
def takes_gzip(header: bytes) -> bool:
    """Return whether the client accepts gzip (Accept-Encoding)."""
    found: dict[bytes, bool] = {}
    for part in header.lower().split(b","):
        name, _, parameters = part.partition(b";")
        weight = parameters.replace(b" ", b"").removeprefix(b"q=")
        found[name.strip()] = weight.strip(b"0.") != b"" or not weight
    return found.get(b"gzip", found.get(b"x-gzip", found.get(b"*", False)))
