"""applications: what holds for all apps."""

import pytest

from rostrum.contracts.apps.definition import check_app
from tests.settings.reading import in_force, taken


@pytest.mark.rule("R-2.15-16")
@pytest.mark.rule("R-2.15-17")
def test_titles_have_a_pattern_with_macros_or_none() -> None:
    assert in_force("applications.titleFormat") is None
    assert taken("applications.titleFormat", "{title} ({instanceIndex})") == "{title} ({instanceIndex})"


@pytest.mark.rule("R-2.15-18")
def test_apps_close_on_hibernation_unless_set_otherwise() -> None:
    assert in_force("applications.closeOnHibernate") is True
    assert taken("applications.closeOnHibernate", value=False) is False


@pytest.mark.rule("R-2.6-2")
def test_an_app_may_override_the_settings_for_all_apps() -> None:
    selector = {"enabled": True, "channelId": "Red"}
    assert taken("windows.channelSelector", selector)["enabled"] is True
    app = {
        "type": "window",
        "name": "one",
        "closeOnHibernate": False,
        "details": {"url": "https://one.example", "channelSelector": {"enabled": False}},
    }
    assert check_app(app) == []


@pytest.mark.rule("R-2.15-14")
def test_interception_is_off_and_apps_are_listed_by_name() -> None:
    assert in_force("interception.enabled") is False
    allowed = {"enabled": True, "applications": ["a"]}
    assert taken("interception", allowed) == allowed
