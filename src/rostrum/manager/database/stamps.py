"""The stamp columns of a document row, to and from the record."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Row

from rostrum.manager.records import Stamp


def stamp_of(row: Row[Any]) -> Stamp:
    """Read the stamp of a row."""
    return Stamp(
        revision=row.revision,
        created=row.created,
        created_by=row.created_by,
        modified=row.modified,
        modified_by=row.modified_by,
    )


def later(before: Stamp, change: Stamp) -> Stamp:
    """Give the stamp of a document after a change that something else brought about."""
    return replace(before, revision=change.revision, modified=change.modified, modified_by=change.modified_by)


def stamp_columns(stamp: Stamp) -> dict[str, Any]:
    """Give the columns that hold a stamp."""
    return {
        "revision": stamp.revision,
        "created": stamp.created,
        "created_by": stamp.created_by,
        "modified": stamp.modified,
        "modified_by": stamp.modified_by,
    }
