"""The single keys of system.json."""

from typing import Any

import pytest

from tests.settings.reading import in_force, said, taken


@pytest.mark.rule("R-2.6-4")
def test_the_advanced_mode_must_be_configured() -> None:
    assert in_force("advancedMode") is False
    assert taken("advancedMode", value=True) is True
    for written in (None, False):
        assert in_force("windowManagement.group.type", {"advancedMode": written}) == "Web"
    assert in_force("windowManagement.group.type", {"advancedMode": True}) == "Classic"


@pytest.mark.rule("R-2.11-1")
@pytest.mark.parametrize("shown", ["10.2", "Spring edition", "v1-β", "9.0"])
def test_the_version_to_show_is_any_text_and_changes_nothing_else(shown: str) -> None:
    assert taken("uiVersion", shown) == shown
    newest: Any = {"gw": {"configuration": {"authentication": {"basic": {"usernameCaseSensitive": True}}}}}
    assert said({"uiVersion": shown, **newest}) == []


@pytest.mark.rule("R-2.11-2")
def test_several_instances_may_run_for_different_pairs_unless_set_otherwise() -> None:
    assert in_force("allowMultipleInstances") == "inDifferentEnvRegion"
    assert taken("allowMultipleInstances", "never") == "never"
    assert said({"allowMultipleInstances": "always"}) == [("error", "allowMultipleInstances")]
