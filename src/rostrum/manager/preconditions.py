"""Optimistic concurrency: a writer may say which revision it read."""

from typing import TypeVar

from rostrum.manager.errors import NotFound, Stale

Expected = frozenset[int] | None
"""The revisions a writer accepts; ``None`` accepts any."""

Document = TypeVar("Document")


def found(document: Document | None, kind: str, key: str) -> Document:
    if document is None:
        raise NotFound(kind, key)
    return document


def same_revision(expected: Expected, revision: int, kind: str, key: str) -> None:
    """Refuse to overwrite a document that has changed since it was read."""
    if expected is not None and revision not in expected:
        raise Stale(kind, key, revision)
