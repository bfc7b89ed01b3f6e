"""Compares two loaded configurations: values that differ, with the origin of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.base.problems import json_path
from rostrum.sources.explain import Explainer, Where, in_force
from rostrum.sources.load import Loaded
from rostrum.sources.source import STANDARD_FILES, masked

ABSENT: Any = None
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A value that differs; None for the side that does not have it.

    Attributes:
        file: ``system.json``, or the custom file it is in.
    """

    file: str
    path: str
    left: Any
    right: Any
    left_origin: Where | None = None
    right_origin: Where | None = None


def compare(left: Loaded, right: Loaded) -> list[Difference]:
    """List all settings whose effective values differ, then all custom files that differ."""
    mine_explained, other_explained = Explainer(left), Explainer(right)
    settings = [
        Difference(
            file=STANDARD_FILES[0],
            path=json_path(path),
            left=masked(mine),
            right=masked(other),
            left_origin=mine_explained.explain(json_path(path)).origin,
            right_origin=other_explained.explain(json_path(path)).origin,
        )
        for path, mine, other in _differing(_effect(left), _effect(right), ())
    ]
    return settings + list(_files(left, right))


def _effect(loaded: Loaded) -> dict[str, Any]:
    """Return the effective settings, including unknown names, which other programs may use."""
    known = in_force(loaded.settings)
    document = loaded.system.document
    return {**{key: value for key, value in document.items() if key not in known}, **known}


def _files(left: Loaded, right: Loaded) -> Iterator[Difference]:
    names = dict.fromkeys((*left.combined.files, *right.combined.files))
    for name in names:
        if name == STANDARD_FILES[0]:
            continue
        sides = [loaded.combined.files.get(name) for loaded in (left, right)]
        mine, other = (side.document if side else ABSENT for side in sides)
        for path, one, two in _differing(mine, other, ()):
            yield Difference(file=name, path=json_path(path), left=masked(one), right=masked(two))


def _differing(mine: Any, other: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*mine, *other)):
            yield from _differing(mine.get(key, ABSENT), other.get(key, ABSENT), (*path, key))
    elif mine != other or isinstance(mine, bool) != isinstance(other, bool):
        yield path, mine, other
