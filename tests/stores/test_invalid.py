"""Entries of stores that cannot be used: which they are, why, and whether the platform may start without them."""

from typing import Any

import pytest

from rostrum.settings.parse import running_for
from rostrum.stores.errors import InvalidStores
from rostrum.stores.invalid import InvalidStore, invalid_stores, refuse_required

WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"appStores": [{"type": "paht", "details": {"path": "x"}}]}, "appStores[0]", "type: must be "),
    ({"appStores": [{"type": "gcs"}]}, "appStores[0]", "type: gcs is a kind of store of older set-ups"),
    ({"appStores": [{"type": "server"}, {"type": "rest"}]}, "appStores[1]", "details: is required"),
    ({"appStores": [{"type": "path", "details": {}}]}, "appStores[0]", "details.path: is required"),
    ({"appStores": [{"type": "rest", "details": {"url": 5}}]}, "appStores[0]", "details.url: must be text"),
    ({"appStores": [5]}, "appStores[0]", "must be an object, not 5"),
    ({"appStores": {"type": "path"}}, "appStores", "must be an array of stores"),
    ({"systemAppStores": [{"type": "in-memory"}]}, "systemAppStores[0]", "type: must be "),
    ({"layouts": {"store": {"type": "fiel"}}}, "layouts.store.type", "must be "),
    ({"layouts": {"store": 5}}, "layouts.store", "must be an object"),
    ({"layouts": 5}, "layouts", "must be an object"),
    ({"applicationPreferences": {"store": {"type": "sever"}}}, "applicationPreferences.store.type", "must be "),
]


def found(document: Any, version: str = "10.1") -> tuple[InvalidStore, ...]:
    return invalid_stores(document, running_for(document, version))


@pytest.mark.rule("R-2.12-1", "R-2.12-4", "R-2.12-7")
@pytest.mark.parametrize(("document", "path", "reason"), WRONG)
def test_an_invalid_entry_is_found_with_its_reason_and_is_required_by_default(
    document: dict[str, Any], path: str, reason: str
) -> None:
    (one,) = found(document)
    assert (one.path, one.is_required) == (path, True)
    assert one.reason.startswith(reason)
    with pytest.raises(InvalidStores, match="required store is invalid"):
        refuse_required((one,))


@pytest.mark.rule("R-2.12-2")
def test_an_invalid_entry_that_is_not_required_lets_the_platform_start() -> None:
    (one,) = found({"appStores": [{"type": "paht", "isRequired": False}]})
    assert not one.is_required
    refuse_required((one,))


@pytest.mark.parametrize(
    "document",
    [
        None,
        {},
        {"appStores": None, "layouts": None},
        {"appStores": []},
        {"appStores": [{"type": "rest", "details": {"url": "https://x.example", "pollInterval": "often"}}]},
        {"layouts": {"store": {"restFetchInterval": "often"}}},
    ],
)
def test_what_leaves_a_usable_store_is_not_an_invalid_entry(document: Any) -> None:
    assert found(document) == ()


def test_a_kind_of_store_that_an_older_version_lacks_does_not_stop_it() -> None:
    assert found({"appStores": [{"type": "in-memory"}]}, "9.9") == ()
