"""Bucket: stores files of reports in a bucket of Amazon S3 or a compatible server."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from rostrum.manager.errors import Unavailable

if TYPE_CHECKING:
    from obstore.store import S3Store


_log = logging.getLogger(__name__)

_SCHEME = "s3://"
_YOUNG = timedelta(days=1)
_BATCH = 500
_PART = 5 * 1024 * 1024
"""The minimum part size of S3; an upload keeps at most two parts in memory."""
_PARTS_AT_ONCE = 2
_PATIENCE: Any = {"max_retries": 3, "retry_timeout": timedelta(seconds=15)}
_LIMITS: Any = {"allow_http": True, "connect_timeout": "5s", "timeout": "60s"}


class Bucket:
    """Objects ``<prefix>/<two letters>/<id>``; endpoint, region and keys come from the standard variables ``AWS_…``."""

    def __init__(self, address: str, *, young: timedelta = _YOUNG) -> None:
        """Use an address such as ``s3://dumps/rostrum``, and the age below which a file may still be under way.

        Nothing is asked of the server yet.
        """
        self._young = young
        self._name, _, self._prefix = address.removeprefix(_SCHEME).partition("/")
        self._opened: S3Store | None = None

    async def save(self, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        """Write a file completely or not at all, and return its size."""
        import obstore

        size = 0

        async def counted() -> AsyncGenerator[bytes, None]:
            nonlocal size
            async for piece in pieces:
                size += len(piece)
                yield piece

        async with aclosing(counted()) as content:
            with _asking("does not take one"):
                await obstore.put_async(
                    self._store(), _place(file_id), content, chunk_size=_PART, max_concurrency=_PARTS_AT_ONCE
                )
        return size

    async def piece(self, file_id: str, offset: int, size: int) -> bytes | None:
        """Read a part of a file, empty after its end; ``None`` if the file does not exist."""
        import obstore
        from obstore.exceptions import BaseError

        store, place = self._store(), _place(file_id)
        with _asking("cannot be read"):
            try:
                return bytes(await obstore.get_range_async(store, place, start=offset, length=size))
            except FileNotFoundError:
                return None
            except BaseError:
                # A range after the end is refused like other invalid requests; this includes empty files.
                if offset < (await obstore.head_async(store, place))["size"]:
                    raise
                return b""

    async def remove(self, file_ids: Iterable[str]) -> None:
        """Delete files; ``sweep`` finds files that remain."""
        import obstore

        for file_id in file_ids:
            with suppress(Unavailable), _asking("keeps what is to be deleted"):
                await obstore.delete_async(self._store(), _place(file_id))

    async def sweep(self, known: Callable[[list[str]], Awaitable[set[str]]]) -> int:
        """Delete files older than a day that the database does not know; return their number."""
        import obstore

        gone = 0
        before = datetime.now(UTC) - self._young
        with _asking("cannot be listed"):
            async for batch in obstore.list(self._store(), chunk_size=_BATCH):
                old = [str(item["path"]).rpartition("/")[2] for item in batch if item["last_modified"] < before]
                left = sorted(set(old) - await known(old)) if old else []
                await self.remove(left)
                gone += len(left)
        return gone

    async def look(self) -> None:
        """Request one name, to check that the bucket responds."""
        import obstore

        with _asking("cannot be listed"):
            async for _ in obstore.list(self._store(), chunk_size=1):
                return

    def _store(self) -> "S3Store":
        # Created at first use: the library starts threads, which do not exist in forked processes.
        if self._opened is None:
            from obstore.store import S3Store

            self._opened = S3Store(
                self._name, prefix=self._prefix or None, client_options=_LIMITS, retry_config=_PATIENCE
            )
        return self._opened


def _place(file_id: str) -> str:
    return f"{file_id[-2:].lower()}/{file_id}"


@contextmanager
def _asking(refusal: str) -> Iterator[None]:
    """Convert errors of the library; details about addresses and responses are only logged."""
    from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

    try:
        yield
    except (BaseError, FileNotFoundError) as error:
        said = str(error).partition("\n\nDebug source")[0]
        _log.warning("the bucket for files %s: %s", refusal, said)
        why = ""
        # Refused lists have no specific error class.
        if isinstance(error, (PermissionDeniedError, UnauthenticatedError)) or "403 Forbidden" in said:
            why = ": it refuses our keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)"
        elif isinstance(error, FileNotFoundError) or "404 Not Found" in said:
            why = ": there is no such bucket"
        raise Unavailable(f"the bucket for files {refusal}{why}") from None
