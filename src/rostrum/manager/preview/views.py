"""Response bodies of previews, with limits."""

from collections.abc import Iterable
from typing import Any

from rostrum.contracts.previews import PreviewRequest
from rostrum.manager.configs.checks import problem_view
from rostrum.manager.preview.outcomes import OutcomeViews, version_names
from rostrum.manager.preview.service import Noted, Preview, Progress

_MOST_PROBLEMS = 200


def progress_view(progress: Progress) -> dict[str, Any]:
    return {"done": progress.done, "of": progress.of}


def preview_view(preview: Preview, request: PreviewRequest, *, with_names: bool) -> dict[str, Any]:
    """Return the requested page of outcomes."""

    def named(users: tuple[str, ...]) -> tuple[str, ...] | None:
        return users[request.names_offset : request.names_offset + request.names] if with_names else None

    def notes(notes: Iterable[Noted]) -> list[dict[str, Any]]:
        return [
            {
                "file": note.remark.file,
                **problem_view(note.remark.problem),
                "versions": version_names(note.versions),
                "count": len(note.users),
                "users": named(note.users),
            }
            for note in sorted(notes, key=lambda note: -len(note.users))[:_MOST_PROBLEMS]
        ]

    outcomes = [outcome for outcome in preview.outcomes if request.only is None or request.only == outcome.id]
    page = outcomes[request.offset : request.offset + request.limit]
    views = OutcomeViews(preview.parts)
    return {
        "users": preview.users,
        "affected": preview.affected,
        "items": [views.of(outcome, named(outcome.users)) for outcome in page],
        "total": len(outcomes),
        "unlisted": preview.unlisted,
        "versions": version_names(preview.versions),
        "problems": notes(note for note in preview.notes if note.remark.is_new),
        "solved": notes(note for note in preview.notes if not note.remark.is_new),
    }
