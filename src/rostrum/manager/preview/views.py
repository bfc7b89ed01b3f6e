"""Response bodies of previews, with limits."""

from collections.abc import Iterable
from typing import Any

from rostrum.base.json_text import raw
from rostrum.base.problems import json_path
from rostrum.contracts.previews import PreviewRequest
from rostrum.manager.access.snapshot import APPS, CONFIGS, LAYOUTS
from rostrum.manager.access.views import problem_view
from rostrum.manager.preview.config_differences import ValueChange
from rostrum.manager.preview.service import Noted, Outcome, Preview, Progress
from rostrum.manager.preview.sharing_differences import LayoutTitle, Shift

_ANY = "*"
_MOST_VALUES = 200
_MOST_VALUES_IN_ALL = 5000
_MOST_PROBLEMS = 200
_LARGE = 2000


def progress_view(progress: Progress) -> dict[str, Any]:
    return {"done": progress.done, "of": progress.of}


def preview_view(preview: Preview, request: PreviewRequest, *, with_names: bool) -> dict[str, Any]:
    """Return the requested page of outcomes."""
    outcomes = [outcome for outcome in preview.outcomes if request.only is None or request.only == outcome.id]
    page = outcomes[request.offset : request.offset + request.limit]
    views = _Views(preview, request, with_names=with_names)
    return {
        "users": preview.users,
        "affected": preview.affected,
        "items": [views.outcome(outcome) for outcome in page],
        "total": len(outcomes),
        "unlisted": preview.unlisted,
        "versions": _versions(preview.versions),
        "problems": views.notes(note for note in preview.notes if note.remark.is_new),
        "solved": views.notes(note for note in preview.notes if not note.remark.is_new),
    }


class _Views:
    """Writes the parts, up to the limit for values."""

    def __init__(self, preview: Preview, request: PreviewRequest, *, with_names: bool) -> None:
        self._parts = preview.parts
        self._first, self._names = request.names_offset, request.names
        self._with_names = with_names
        self._room = _MOST_VALUES_IN_ALL

    def outcome(self, outcome: Outcome) -> dict[str, Any]:
        difference = outcome.difference
        values = difference.configs[: min(_MOST_VALUES, self._room)]
        self._room -= len(values)
        before, after = difference.default
        return {
            "id": outcome.id,
            "count": len(outcome.users),
            "users": self._named(outcome.users),
            "account": difference.account,
            "groups": _shift(difference.groups),
            "apps": _shift(difference.apps) if APPS in self._parts else None,
            "layouts": _layout_shift(difference.layouts) if LAYOUTS in self._parts else None,
            "defaultLayout": None if before == after else {"before": _layout(before), "after": _layout(after)},
            "configs": [_value(*value) for value in values] if CONFIGS in self._parts else None,
            "moreValues": len(difference.configs) - len(values),
        }

    def notes(self, notes: Iterable[Noted]) -> list[dict[str, Any]]:
        return [
            {
                "file": note.remark.file,
                **problem_view(note.remark.problem),
                "versions": _versions(note.versions),
                "count": len(note.users),
                "users": self._named(note.users),
            }
            for note in sorted(notes, key=lambda note: -len(note.users))[:_MOST_PROBLEMS]
        ]

    def _named(self, users: tuple[str, ...]) -> tuple[str, ...] | None:
        return users[self._first : self._first + self._names] if self._with_names else None


def _versions(versions: Iterable[str]) -> list[str]:
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
        "versions": _versions(versions),
        "change": kind,
        "before": before,
        "after": after,
        "large": large,
    }
