"""Writes the outcomes of changes for clients, with limits."""

from collections.abc import Collection, Iterable
from typing import Any

from rostrum.base.json_text import raw
from rostrum.base.problems import json_path
from rostrum.manager.effective.snapshot import APPS, CONFIGS, LAYOUTS
from rostrum.manager.preview.config_differences import ValueChange
from rostrum.manager.preview.service import Outcome
from rostrum.manager.preview.sharing_differences import LayoutTitle, Shift

_ANY = "*"
_MOST_VALUES = 200
_MOST_VALUES_IN_ALL = 5000
_LARGE = 2000


class OutcomeViews:
    """Writes outcomes, up to the limit for values."""

    def __init__(self, parts: Collection[str], most: int = _MOST_VALUES_IN_ALL) -> None:
        self._parts = parts
        self._room = most

    def of(self, outcome: Outcome, names: Iterable[str] | None) -> dict[str, Any]:
        """Write an outcome with the names of some of its users."""
        difference = outcome.difference
        values = difference.configs[: min(_MOST_VALUES, self._room)]
        self._room -= len(values)
        before, after = difference.default
        return {
            "id": outcome.id,
            "count": len(outcome.users),
            "users": names,
            "account": difference.account,
            "groups": _shift(difference.groups),
            "apps": _shift(difference.apps) if APPS in self._parts else None,
            "layouts": _layout_shift(difference.layouts) if LAYOUTS in self._parts else None,
            "defaultLayout": None if before == after else {"before": _layout(before), "after": _layout(after)},
            "configs": [_value(*value) for value in values] if CONFIGS in self._parts else None,
            "moreValues": len(difference.configs) - len(values),
        }


def version_names(versions: Iterable[str]) -> list[str]:
    return [version or _ANY for version in versions]


def _shift(shift: Shift) -> dict[str, Any]:
    return {"gained": shift.gained, "lost": shift.lost, "changed": shift.changed}


def _layout_shift(shift: Shift) -> dict[str, Any]:
    return {name: [_layout(place) for place in places] for name, places in _shift(shift).items()}


def _layout(place: LayoutTitle | None) -> dict[str, str] | None:
    return None if place is None else {"type": place[0], "name": place[1]}


def _value(change: ValueChange, versions: tuple[str, ...]) -> dict[str, Any]:
    texts = (change.before, change.after)
    large = any(text is not None and len(text) > _LARGE for text in texts)
    before, after = (None if large or text is None else raw(text) for text in texts)
    kind = "added" if change.before is None else "removed" if change.after is None else "changed"
    return {
        "file": change.file,
        "path": json_path(change.path),
        "versions": version_names(versions),
        "change": kind,
        "before": before,
        "after": after,
        "large": large,
    }
