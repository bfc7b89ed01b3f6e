"""What apps may change of notifications while the platform runs: less than the settings allow, never more."""

from typing import Any

import pytest

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.services.notification_configuration import NotificationConfiguration
from rostrum.settings.parse import parse_system


def configured(**members: Any) -> NotificationConfiguration:
    return NotificationConfiguration(parse_system({"notifications": members}).settings.notifications)


def test_what_the_settings_switch_off_stays_off() -> None:
    off = configured(enabled=False, enableToasts=False, sourceFilter={"allowed": ["a"], "blocked": ["b"]})
    changed = off.changed(
        {"enable": True, "enableToasts": True, "sourceFilter": {"allowed": ["*"], "blocked": []}, "toastExpiry": 10}
    )
    assert (changed.enabled, changed.toasts, changed.toast_expiry) == (False, False, 10)
    assert [changed.allows(app) for app in ("a", "b", "c", None)] == [True, False, False, False]


def test_apps_switch_off_block_and_mute_and_choose_the_look() -> None:
    changed = configured().changed(
        {
            "enable": False,
            "sourceFilter": {"blocked": ["b"], "muted": ["m"]},
            "toasts": {"mode": "stacked", "stackBy": "application"},
            "placement": {"toasts": "top-left", "panel": "left"},
            "closeNotificationOnClick": True,
        }
    )
    assert not changed.enabled
    assert [changed.allows(app) for app in ("a", "b", "m")] == [True, False, True]
    assert [changed.is_muted(app) for app in ("a", "m")] == [False, True]
    assert changed.described()["toasts"] == {"mode": "stacked", "stackBy": "application"}
    assert changed.described()["placement"] == {"toasts": "top-left", "panel": "left"}
    assert changed.close_on_click


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"enable": 1}, "enable must be true or false"),
        ({"toastExpiry": True}, "toastExpiry must be a number of milliseconds"),
        ({"toastExpiry": -1}, "toastExpiry must be a number of milliseconds"),
        ({"toastExpiry": float("inf")}, "toastExpiry must be a number of milliseconds"),
        ({"sourceFilter": []}, "sourceFilter must be an object"),
        ({"sourceFilter": {"allowed": "*"}}, "allowed must be an array of app names"),
        ({"sourceFilter": {"muted": [1]}}, "muted must be an array of app names"),
        ({"sourceFilter": {"blocked": ["x"] * 1001}}, "blocked must be an array of app names"),
        ({"toasts": {"mode": "many"}}, "mode must be one of single, stacked"),
        ({"placement": {"panel": "top"}}, "panel must be one of left, right"),
        ({"placement": {"toasts": ["x"]}}, "toasts must be one of"),
    ],
)
def test_wrong_changes_are_refused(changes: Any, message: str) -> None:
    with pytest.raises(DesktopError, match=message):
        configured().changed(changes)
