"""Merges layers of settings into one document, and records the origin of each value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

OriginT = TypeVar("OriginT")
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layer(Generic[OriginT]):
    """A document and its origin."""

    origin: OriginT
    document: Any


@dataclass(frozen=True, slots=True)
class Merged(Generic[OriginT]):
    """The effective document, and the origin of each of its leaves.

    Attributes:
        origins: Path of a leaf to its origin; an empty object and an array are leaves.

    """

    document: Any
    origins: Mapping[Path, OriginT]


def merge(layers: Iterable[Layer[OriginT]]) -> Merged[OriginT]:
    """Merge layers, lowest precedence first: objects key by key at every depth; other values are replaced."""
    document: Any = {}
    origins: dict[Path, OriginT] = {}
    first = True
    for layer in layers:
        if first:
            document = _copy(layer.document, (), layer.origin, origins)
            first = False
        else:
            document = _lay(document, layer.document, (), layer.origin, origins)
    return Merged(document, origins)


def laid_over(documents: Iterable[Any]) -> Any:
    """Merge documents in the same way, without origins; the result shares parts that only one of them has."""
    layers = iter(documents)
    document: Any = next(layers, {})
    for above in layers:
        document = _over(document, above)
    return document


def _over(below: Any, above: Any) -> Any:
    if not isinstance(above, dict) or not isinstance(below, dict):
        return above
    return below | {key: _over(below[key], value) if key in below else value for key, value in above.items()}


def _lay(below: Any, above: Any, path: Path, origin: OriginT, origins: dict[Path, OriginT]) -> Any:
    if not isinstance(above, dict) or not isinstance(below, dict):
        _forget(path, below, origins)
        return _copy(above, path, origin, origins)
    if above and not below:
        origins.pop(path, None)
    for key, value in above.items():
        step = (*path, key)
        if key in below:
            below[key] = _lay(below[key], value, step, origin, origins)
        else:
            below[key] = _copy(value, step, origin, origins)
    return below


def _copy(value: Any, path: Path, origin: OriginT, origins: dict[Path, OriginT]) -> Any:
    if isinstance(value, dict) and value:
        return {key: _copy(child, (*path, key), origin, origins) for key, child in value.items()}
    origins[path] = origin
    return {} if isinstance(value, dict) else value


def _forget(path: Path, value: Any, origins: dict[Path, OriginT]) -> None:
    if isinstance(value, dict) and value:
        for key, child in value.items():
            _forget((*path, key), child, origins)
    else:
        origins.pop(path, None)
