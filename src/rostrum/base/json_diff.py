"""What changed between two JSON values: a list of edits that turn the one into the other, in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Edit", "diff"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One step, named as JSON Patch names it; ``path`` is a JSON Pointer.

    Attributes:
        op: ``add``, ``remove`` or ``replace``.
        before: What stood there; ``None`` for ``add``.
        after: What stands there now; ``None`` for ``remove``.

    """

    op: str
    path: str
    before: Any = None
    after: Any = None

    def as_json(self) -> dict[str, Any]:
        """Give the edit as it is answered: without the side that does not exist."""
        sides = {"add": ("after",), "remove": ("before",), "replace": ("before", "after")}[self.op]
        return {"op": self.op, "path": self.path, **{side: getattr(self, side) for side in sides}}


def diff(before: Any, after: Any) -> list[Edit]:
    """Find the edits; objects are compared member by member, arrays from both ends."""
    return list(_edits("", before, after))


def _edits(path: str, before: Any, after: Any) -> Iterator[Edit]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _in_object(path, before, after)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _in_array(path, before, after)
    elif not _same(before, after):
        yield Edit("replace", path, before, after)


def _in_object(path: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[Edit]:
    for name, value in before.items():
        where = f"{path}/{_escaped(name)}"
        if name in after:
            yield from _edits(where, value, after[name])
        else:
            yield Edit("remove", where, value)
    for name, value in after.items():
        if name not in before:
            yield Edit("add", f"{path}/{_escaped(name)}", after=value)


def _in_array(path: str, before: list[Any], after: list[Any]) -> Iterator[Edit]:
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    paired = min(len(old), len(new))
    for place in range(paired):
        yield from _edits(f"{path}/{start + place}", old[place], new[place])
    # From the back, so that each edit finds its place where the ones before it left it.
    for place in range(len(old) - 1, paired - 1, -1):
        yield Edit("remove", f"{path}/{start + place}", old[place])
    for place in range(paired, len(new)):
        yield Edit("add", f"{path}/{start + place}", after=new[place])


def _shared(one: list[Any], other: list[Any]) -> int:
    """Count how many items at the front are the same."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if not _same(mine, theirs):
            break
        count += 1
    return count


def _same(one: Any, other: Any) -> bool:
    # Python holds True, 1 and 1.0 for equal; in a document they are three things.
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
