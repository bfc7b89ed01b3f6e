"""searchProvider: the built-in search."""

import pytest

from tests.settings.reading import in_force, said, taken


@pytest.mark.rule("R-2.15-13")
def test_the_search_is_on_and_finds_four_types_unless_narrowed_down() -> None:
    assert in_force("searchProvider") == {"enabled": True, "types": ["application", "layout", "workspace", "action"]}
    assert taken("searchProvider.types", ["layout"]) == ["layout"]
    assert said({"searchProvider": {"types": ["layout", "file"]}}) == [("error", "searchProvider.types[1]")]
