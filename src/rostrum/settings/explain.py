"""Explains each value of merged layers: the effective layer, and the overridden ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rostrum.settings.merge import Layer, Path, laid_over, merge

OriginT = TypeVar("OriginT")
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Loser(Generic[OriginT]):
    """A layer with an overridden value, at the path of the leaf or, if it is not an object, at a part of it."""

    origin: OriginT
    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Leaf(Generic[OriginT]):
    """One effective value, and the overridden values in order of precedence."""

    path: Path
    value: Any
    winner: OriginT
    losers: tuple[Loser[OriginT], ...]


@dataclass(frozen=True, slots=True)
class Dropped(Generic[OriginT]):
    """A dropped value: a layer has replaced the object that contained it."""

    path: Path
    value: Any
    origin: OriginT
    by: OriginT


def explain(layers: Sequence[Layer[OriginT]]) -> Iterator[Leaf[OriginT]]:
    """Explain every leaf of the merged layers, given in order of increasing precedence, in document order."""
    merged = merge(Layer(number, layer.document) for number, layer in enumerate(layers))
    for path, value in _leaves(merged.document, ()):
        if path in merged.origins:
            winner = merged.origins[path]
            losers = [_lost(layers[number], path) for number in range(winner - 1, -1, -1)]
            known = tuple(loser for loser in losers if loser is not None)
            yield Leaf(path, value, layers[winner].origin, known)


def dropped(layers: Sequence[Layer[OriginT]]) -> Iterator[Dropped[OriginT]]:
    """Return the values of the layers that are neither effective nor overridden at the same path."""
    document = laid_over(layer.document for layer in layers)
    for number, layer in enumerate(layers):
        for path, value in _leaves(layer.document, ()):
            if _walk(document, path)[1] is _NOTHING:
                by = next(later for later in layers[number + 1 :] if _is_cut(later.document, path))
                yield Dropped(path, value, layer.origin, by.origin)


def _lost(layer: Layer[OriginT], path: Path) -> Loser[OriginT] | None:
    steps, value = _walk(layer.document, path)
    if value is _NOTHING:
        return None
    return Loser(layer.origin, steps, value)


def _walk(document: Any, path: Path) -> tuple[Path, Any]:
    """Follow a path to its end, or to a value that is not an object; find nothing if a member is missing."""
    for depth, step in enumerate(path):
        if not isinstance(document, dict):
            return path[:depth], document
        if step not in document:
            return (), _NOTHING
        document = document[step]
    return path, document


def _is_cut(document: Any, path: Path) -> bool:
    steps, value = _walk(document, path)
    return value is not _NOTHING and steps != path


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from _leaves(child, (*path, key))
    else:
        yield path, value
