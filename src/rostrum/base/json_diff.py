"""Differences between two JSON values: an ordered list of edits that turns one value into the other."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

Steps = tuple[str | int, ...]

_TEXT = frozenset({str})


class Edit(Struct, frozen=True):
    """One edit, named as in JSON Patch.

    Attributes:
        op: ``add``, ``remove`` or ``replace``.
        steps: Path of the edited value: names of members and indexes of items.
        before: Previous value; ``None`` for ``add``.
        after: New value; ``None`` for ``remove``.
    """

    op: str
    steps: Steps
    before: Any = None
    after: Any = None

    @property
    def path(self) -> str:
        """Return the path as a JSON Pointer."""
        return "".join(f"/{_escaped(step) if isinstance(step, str) else step}" for step in self.steps)

    def as_json(self) -> dict[str, Any]:
        """Return the edit as it appears in API responses, without the value that does not exist."""
        sides = {"add": ("after",), "remove": ("before",), "replace": ("before", "after")}[self.op]
        return {"op": self.op, "path": self.path, **{side: getattr(self, side) for side in sides}}


def diff(before: Any, after: Any) -> Iterator[Edit]:
    """Return the edits in order; objects are compared by member, arrays from both ends."""
    return _edits((), before, after)


def _edits(steps: Steps, before: Any, after: Any) -> Iterator[Edit]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _in_object(steps, before, after)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _in_array(steps, before, after)
    elif not _same(before, after):
        yield Edit("replace", steps, before, after)


def _in_object(steps: Steps, before: dict[str, Any], after: dict[str, Any]) -> Iterator[Edit]:
    for name, value in before.items():
        if name not in after:
            yield Edit("remove", (*steps, name), value)
            continue
        other = after[name]
        if isinstance(value, (dict, list)):
            if not _are_same_texts(value, other):
                yield from _edits((*steps, name), value, other)
        elif not _same(value, other):
            yield from _edits((*steps, name), value, other)
    for name, value in after.items():
        if name not in before:
            yield Edit("add", (*steps, name), after=value)


def _in_array(steps: Steps, before: list[Any], after: list[Any]) -> Iterator[Edit]:
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    paired = min(len(old), len(new))
    for place in range(paired):
        yield from _edits((*steps, start + place), old[place], new[place])
    # From the back, so that the positions of later edits stay valid.
    for place in range(len(old) - 1, paired - 1, -1):
        yield Edit("remove", (*steps, start + place), old[place])
    for place in range(paired, len(new)):
        yield Edit("add", (*steps, start + place), after=new[place])


def _shared(one: list[Any], other: list[Any]) -> int:
    """Count the equal items at the start of both arrays."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if not _same(mine, theirs):
            break
        count += 1
    return count


def _are_same_texts(one: Any, other: Any) -> bool:
    """Return early that two lists of texts are equal, without comparing each item."""
    return isinstance(one, list) and _TEXT.issuperset(map(type, one)) and bool(one == other)


def _same(one: Any, other: Any) -> bool:
    # Python treats True, 1 and 1.0 as equal; JSON documents do not.
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
