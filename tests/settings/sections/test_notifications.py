"""notifications: what apps notify the user, and how it is shown."""

import itertools

import pytest

from tests.settings.reading import in_force, said, taken


@pytest.mark.rule("R-2.15-5")
def test_notifications_and_toasts_are_on_and_turned_off_one_by_one() -> None:
    assert (in_force("notifications.enabled"), in_force("notifications.enableToasts")) == (True, True)
    for notifications, toasts in itertools.product((True, False), repeat=2):
        document = {"notifications": {"enabled": notifications, "enableToasts": toasts}}
        assert said(document) == []
        read = in_force("notifications", document)
        assert (read["enabled"], read["enableToasts"]) == (notifications, toasts)


@pytest.mark.rule("R-2.15-7")
@pytest.mark.rule("R-2.15-6")
def test_toasts_stay_for_15_seconds_and_snoozing_is_off_and_takes_a_minute() -> None:
    assert in_force("notifications.toastExpiry") == 15000
    assert in_force("notifications.snooze") == {"enabled": False, "duration": 60000}


@pytest.mark.rule("R-2.15-8")
def test_the_panel_has_two_sides_and_toasts_have_four_corners() -> None:
    assert in_force("notifications.placement") == {"panel": "right", "toasts": "bottom-right"}
    assert taken("notifications.placement.panel", "left") == "left"
    for corner in ("top-left", "top-right", "bottom-left", "bottom-right"):
        assert taken("notifications.placement.toasts", corner) == corner
    wrong = {"notifications": {"placement": {"panel": "top", "toasts": "left"}}}
    assert said(wrong) == [("error", "notifications.placement.panel"), ("error", "notifications.placement.toasts")]


@pytest.mark.rule("R-2.15-9")
def test_all_apps_may_notify_by_default_and_none_is_blocked() -> None:
    assert in_force("notifications.sourceFilter") == {"allowed": ["*"], "blocked": None}
    lists = {"allowed": ["a", "b"], "blocked": ["c"]}
    assert taken("notifications.sourceFilter", lists) == lists


@pytest.mark.rule("R-2.15-10")
def test_toasts_come_one_by_one_or_in_stacks_by_severity_or_app() -> None:
    assert in_force("notifications.toasts") == {"mode": "single", "stackBy": "severity"}
    stacked = {"mode": "stacked", "stackBy": "application"}
    assert taken("notifications.toasts", stacked) == stacked
