"""Fetches all sources in parallel, then sorts, filters and merges them file by file."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rostrum.base.json5_text import TextPosition
from rostrum.base.problems import json_path
from rostrum.settings.merge import Layer, Merged, merge
from rostrum.settings.refuse import refuse
from rostrum.sources.environment import NO_PAIR, Pair, pair_file
from rostrum.sources.errors import RequiredSourceFailed
from rostrum.sources.source import SYSTEM_FILE, Fetched, FetchedFile, Reader, Remark, Source
from rostrum.sources.trusted_origins import REDIRECTING, TrustedOrigins

_log = logging.getLogger(__name__)

Steps = tuple[str, ...]

_DECLARATIONS: Steps = ("systemConfigurations",)
_BASE_ONLY: tuple[Steps, ...] = (("env",), ("region",), _DECLARATIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueOrigin:
    """The origin of a value.

    Attributes:
        file: The file's name inside the source.
        age: Seconds since it was saved, for a cached one.
    """

    source: str
    type: str
    file: str
    priority: float
    cached: bool = False
    age: float | None = None
    fetched: FetchedFile = field(repr=False, compare=False)

    def place(self, path: tuple[str | int, ...]) -> TextPosition | None:
        """Return the line and column of a member, if the text is available."""
        return self.fetched.place(path)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A source and its result."""

    source: Source
    fetched: Fetched


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Combined:
    """All effective files, with the origins of their values.

    Attributes:
        layers: The merged layers of each file, lowest priority first.
        sources: All sources in the declared order, including failed ones.
        untrusted: Remarks about values that refer to untrusted origins.
    """

    files: Mapping[str, Merged[ValueOrigin]]
    layers: Mapping[str, tuple[Layer[ValueOrigin], ...]]
    sources: tuple[Outcome, ...]
    remarks: tuple[Remark, ...]
    untrusted: tuple[Remark, ...] = ()

    def remote_documents(self) -> dict[str, Any]:
        """Merge the responses of remote sources, unfiltered, for the configOverrides folder."""
        remote: dict[str, list[Layer[str]]] = {}
        for outcome in by_priority(self.sources):
            if outcome.source.type == "rest":
                for name, file in outcome.fetched.files.items():
                    remote.setdefault(name, []).append(Layer(outcome.source.name, file.document))
        return {name: merge(layers).document for name, layers in remote.items()}


async def combine(
    sources: Sequence[Source], reader: Reader, *, pair: Pair = NO_PAIR, local_only: Iterable[tuple[str, ...]] = ()
) -> Combined:
    """Fetch all sources and merge them; raise RequiredSourceFailed if a required source fails."""
    outcomes = await fetch_all(sources, reader)
    require(outcomes)
    return merge_all(outcomes, pair=pair, local_only=local_only)


def require(outcomes: Iterable[Outcome]) -> None:
    """Raise RequiredSourceFailed with all required sources that failed."""
    failures = [
        (outcome.source.name, outcome.fetched.error or "failed")
        for outcome in outcomes
        if outcome.source.required and outcome.fetched.status == "failed"
    ]
    if failures:
        raise RequiredSourceFailed(failures)


async def fetch_all(sources: Sequence[Source], reader: Reader) -> tuple[Outcome, ...]:
    """Fetch all sources in parallel and log failures."""
    fetched = await asyncio.gather(*(reader(source) for source in sources))
    outcomes = tuple(Outcome(source, each) for source, each in zip(sources, fetched, strict=True))
    for outcome in outcomes:
        if outcome.fetched.error is not None:
            level = logging.ERROR if outcome.source.required else logging.WARNING
            _log.log(level, "configuration source %s: %s", outcome.source.name, outcome.fetched.error)
    return outcomes


def merge_all(
    outcomes: Sequence[Outcome],
    *,
    pair: Pair = NO_PAIR,
    local_only: Iterable[tuple[str, ...]] = (),
    trusted: TrustedOrigins | None = None,
) -> Combined:
    """Merge the fetched files by priority; of equal priorities, the later source wins."""
    paths = tuple(local_only)
    layers: dict[str, list[Layer[ValueOrigin]]] = {}
    remarks = [remark for outcome in outcomes for remark in outcome.fetched.remarks]
    untrusted: list[Remark] = []
    for outcome in by_priority(outcomes):
        for name, file, applies in counted(outcome, pair):
            if not applies:
                continue
            document = file.document
            if name == SYSTEM_FILE:
                document, refused = allowed(outcome.source, document, paths, trusted)
                said = {path: _refused(outcome.source, file, path) for path in refused}
                remarks.extend(said.values())
                untrusted.extend(remark for path, remark in said.items() if path[0] in REDIRECTING)
            layers.setdefault(name, []).append(Layer(origin_of(outcome, file), document))
    return Combined(
        files={name: merge(each) for name, each in layers.items()},
        layers={name: tuple(each) for name, each in layers.items()},
        sources=tuple(outcomes),
        remarks=tuple(remarks),
        untrusted=tuple(untrusted),
    )


def by_priority(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Sort by ascending priority; equal priorities keep their order."""
    return sorted(outcomes, key=lambda outcome: outcome.source.priority)


def counted(outcome: Outcome, pair: Pair) -> Iterator[tuple[str, FetchedFile, bool]]:
    """Yield each file with its effective name and whether it applies; a file for the pair follows the base file."""
    files = outcome.fetched.files
    own = pair_file(files, pair)
    for name, file in files.items():
        if name != own:
            yield name, file, outcome.source.applies(name)
    if own is not None:
        yield SYSTEM_FILE, files[own], outcome.source.applies(SYSTEM_FILE) or outcome.source.applies(own)


def allowed(
    source: Source, document: Any, local_only: Iterable[Steps], trusted: TrustedOrigins | None = None
) -> tuple[Any, tuple[Steps, ...]]:
    """Return the permitted part of a source's system.json, and the paths of the values that were removed."""
    if source.base:
        return document, ()
    elsewhere = () if trusted is None else trusted.refused(source, document)
    paths = (*local_only, *_BASE_ONLY, *elsewhere) if source.type == "rest" else _BASE_ONLY
    return refuse(document, paths)


def why_refused(source: Source, path: Steps) -> str:
    """Describe why a value of a source is ignored."""
    if source.type == "path" or path == _DECLARATIONS:
        return "decides which files are read, so only the base files may set it; this value is ignored"
    if len(path) == 1 and path[0] in REDIRECTING:
        return (
            "names an origin that the local files do not trust; this value is ignored. "
            "To allow it, add the origin to trustedOrigins in a local file"
        )
    return "must be set locally; the value of a remote source is ignored"


def origin_of(outcome: Outcome, file: FetchedFile) -> ValueOrigin:
    """Return the origin of the values of a fetched file."""
    return ValueOrigin(
        source=outcome.source.name,
        type=outcome.source.type,
        file=file.path.name if file.path else file.name,
        priority=outcome.source.priority,
        cached=outcome.fetched.cached,
        age=outcome.fetched.age,
        fetched=file,
    )


def _refused(source: Source, file: FetchedFile, path: tuple[str, ...]) -> Remark:
    return Remark(source=source.name, file=file.name, path=json_path(path), message=why_refused(source, path))
