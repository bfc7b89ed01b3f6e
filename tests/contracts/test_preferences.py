"""The preferences record."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from rostrum.contracts.preferences import AppPreferences


def test_it_is_read_from_json_names() -> None:
    record = AppPreferences.model_validate(
        {"app": "clock", "data": {"theme": "dark"}, "lastUpdate": "2024-05-06T07:08:09Z", "lastKnownUpdate": None}
    )

    assert record.data == {"theme": "dark"}
    assert record.last_update == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert record.last_known_update is None


def test_it_is_written_with_json_names() -> None:
    moment = datetime(2024, 5, 6, tzinfo=UTC)
    record = AppPreferences(app="clock", data={}, last_update=moment, last_known_update=moment)

    assert record.model_dump(mode="json") == {
        "app": "clock",
        "data": {},
        "lastUpdate": "2024-05-06T00:00:00Z",
        "lastKnownUpdate": "2024-05-06T00:00:00Z",
    }


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"data": {}}, "app"),
        ({"app": "clock"}, "data"),
        ({"app": "", "data": {}}, "app"),
        ({"app": "clock", "data": []}, "data"),
        ({"app": "clock", "data": {}, "lastUpdate": "yesterday"}, "lastUpdate"),
    ],
)
def test_wrong_records_are_refused(wrong: dict[str, object], place: str) -> None:
    with pytest.raises(ValidationError) as refused:
        AppPreferences.model_validate(wrong)

    assert [error["loc"] for error in refused.value.errors()] == [(place,)]


def test_it_gives_a_schema() -> None:
    schema = AppPreferences.model_json_schema()

    assert schema["required"] == ["app", "data"]
    assert set(schema["properties"]) == {"app", "data", "lastUpdate", "lastKnownUpdate"}
