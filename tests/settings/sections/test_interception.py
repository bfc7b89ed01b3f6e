"""interception: who may step into the platform's operations."""

import pytest

from tests.settings.reading import in_force, taken


@pytest.mark.rule("R-2.15-14")
def test_interception_is_off_and_apps_are_listed_by_name() -> None:
    assert in_force("interception.enabled") is False
    allowed = {"enabled": True, "applications": ["a"]}
    assert taken("interception", allowed) == allowed
