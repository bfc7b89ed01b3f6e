"""Reads all kinds of sources, with a cache for remote ones."""

import asyncio
from dataclasses import dataclass, field, replace

from rostrum.base.errors import RostrumError
from rostrum.sources.access import SourceAccess
from rostrum.sources.combine import Combined
from rostrum.sources.overrides_cache import OverridesCache
from rostrum.sources.source import Fetched, Reader, Remark, Source


@dataclass(frozen=True, slots=True)
class SourceReader:
    """Reads local sources, fetches remote ones, and uses the cache if that fails.

    Attributes:
        keeps: Whether successful responses are cached; otherwise the cache is only read.
    """

    path: Reader
    rest: Reader
    cache: OverridesCache | None = None
    keeps: bool = True
    access: SourceAccess = field(default_factory=SourceAccess)

    async def __call__(self, source: Source) -> Fetched:
        if source.type == "path":
            return await self.path(source)
        fetched = await self.rest(source)
        if self.cache is None:
            return fetched
        if fetched.status == "ok":
            if not self.keeps or fetched.unchanged or not self.access.may_keep(source):
                return fetched
            return await asyncio.to_thread(_saved, self.cache, source, fetched)
        # A refusal is not an outage: a cached response is no longer permitted for this user.
        if source.rest_use_cache and not fetched.refused:
            return await asyncio.to_thread(_from_cache, self.cache, source, fetched)
        return fetched


def publish(cache: OverridesCache, combined: Combined) -> tuple[Remark, ...]:
    """Save the files of remote sources for administrators to inspect; a full disk does not prevent the start."""
    try:
        cache.publish(combined.remote_documents())
    except OSError as error:
        message = f"the files of remote sources cannot be saved: {error.strerror or error}"
        return (Remark(source=str(cache.folder), message=message),)
    return ()


def _saved(cache: OverridesCache, source: Source, fetched: Fetched) -> Fetched:
    try:
        cache.save(source, fetched.files)
    except OSError as error:
        message = f"the answer cannot be cached: {error.strerror or error}"
        return fetched.with_remark(Remark(source=source.name, message=message))
    return fetched


def _from_cache(cache: OverridesCache, source: Source, failed: Fetched) -> Fetched:
    try:
        cached = cache.load(source)
    except RostrumError as error:
        return failed.with_remark(Remark(source=source.name, message=f"the cached answer cannot be used: {error}"))
    if cached is None:
        return failed
    message = f"{failed.error}; the answer saved {cached.age:.0f} s ago is used"
    remark = Remark(source=source.name, message=message)
    return replace(failed, files=cached.files, status="cached", age=cached.age, remarks=(remark,))
