"""Tests the checks of imported values."""

from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Integer, Table, Text

from rostrum.base.errors import Invalid
from rostrum.manager.database.tables import Instant
from rostrum.manager.transfer.lines import exported_tables
from rostrum.manager.transfer.rows import from_json

FREE_TEXTS = {"crashes.comment", "feedback.comment", "report_notes.text", "saved_views.search"}
"""Long texts that are not JSON: texts of people, and addresses."""

LONG_TEXTS = [
    (table, column) for table in exported_tables().values() for column in table.columns if isinstance(column.type, Text)
]


def valid(column: Column[Any]) -> Any:
    if isinstance(column.type, Instant):
        return "2026-01-01T00:00:00+00:00"
    if isinstance(column.type, Boolean):
        return False
    return 0 if isinstance(column.type, Integer) else "{}"


@pytest.mark.parametrize(("table", "column"), LONG_TEXTS, ids=str)
def test_a_text_that_is_parsed_later_must_be_json(table: Table, column: Column[str]) -> None:
    row = {other.name: valid(other) for other in table.columns}
    assert from_json(table, row)[column.name] == "{}"
    row[column.name] = "{"
    if str(column) in FREE_TEXTS:
        assert from_json(table, row)[column.name] == "{"
        return
    with pytest.raises(Invalid, match=f"invalid value of {column}: must be valid JSON"):
        from_json(table, row)
