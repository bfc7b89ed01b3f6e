"""What follows from the declaration of a record and its table."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import BigInteger, Column, MetaData, Row, Table, Text, select

from rostrum.base import json_text
from rostrum.contracts.body import model_of
from rostrum.manager.database.tables import Instant, NameText
from rostrum.manager.records import (
    JSON_TEXT,
    NAMES,
    SECRET,
    WITHOUT_COLUMN,
    as_json,
    described,
    from_rows,
    list_view,
    listing,
    stored_as,
    to_row,
    view,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
things = Table(
    "things",
    MetaData(),
    Column("id", NameText, primary_key=True),
    Column("key_hash", NameText),
    Column("user_id", NameText),
    Column("groups", Text),
    Column("info", Text),
    Column("size", BigInteger),
    Column("last_seen", Instant),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    id: str
    user: str | None = field(metadata=stored_as("user_id") | described("The owner."))
    key_hash: str = field(metadata=SECRET)
    groups: tuple[str, ...] = field(metadata=NAMES)
    info: str = field(metadata=JSON_TEXT)
    size: int
    last_seen: datetime
    label: str = field(default="", metadata=WITHOUT_COLUMN)


THING = Thing(id="1", user="ann", key_hash="h", groups=("a", "b"), info='{"x":1}', size=2, last_seen=NOW)
ROW = ("1", "h", "ann", '["a","b"]', '{"x":1}', 2, NOW)


def test_responses_have_the_members_without_secrets_in_their_order() -> None:
    written = json_text.parse(json_text.dump(as_json(THING)))

    assert list(written) == ["id", "user", "groups", "info", "size", "lastSeen", "label"]
    assert written["info"] == {"x": 1}
    assert written["groups"] == ["a", "b"]


def test_rows_are_converted_in_both_directions() -> None:
    assert to_row(THING, things) == dict(zip([column.name for column in things.c], ROW, strict=True))
    assert from_rows(Thing, things, [cast("Row[Any]", (*ROW, "of another table"))]) == [THING]


def test_secrets_and_long_texts_are_no_filters() -> None:
    declared = listing(Thing, things, "user", without=("size",))

    assert {name: column.key for name, column in declared.fields.items()} == {
        "id": "id",
        "user": "user_id",
        "lastSeen": "last_seen",
    }
    assert declared.searched == ("user",)
    assert str(select(declared.fields["user"])) == "SELECT things.user_id \nFROM things"


def test_responses_are_documented_with_further_members_and_descriptions() -> None:
    item = view(Thing, "ThingView", "A thing.", path=(str, "The address."))
    schema = model_of(list_view(item, "ThingList", "Things.")).model_json_schema(by_alias=True)
    found = schema["$defs"]["ThingView"]

    assert (found["description"], schema["description"]) == ("A thing.", "Things.")
    assert list(found["properties"]) == ["id", "user", "groups", "info", "size", "lastSeen", "label", "path"]
    assert found["properties"]["user"]["description"] == "The owner."
    assert found["properties"]["path"]["description"] == "The address."
    assert found["properties"]["groups"]["items"] == {"type": "string"}
