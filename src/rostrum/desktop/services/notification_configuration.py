"""The settings of notifications, restricted by apps while the platform runs; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rostrum.desktop.errors import DesktopError
from rostrum.settings.sections.notifications import Notifications as NotificationSettings

_EVERYONE = "*"
_CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")
_SIDES = ("left", "right")
_MOST_APPS = 1000
_WORDS: Mapping[str, tuple[str, ...]] = {
    "mode": ("single", "stacked"),
    "stack_by": ("severity", "application"),
    "corner": _CORNERS,
    "side": _SIDES,
}


@dataclass(frozen=True)
class NotificationConfiguration:
    """The effective configuration of notifications: the settings, and changes by apps.

    Apps choose how notifications look. They cannot enable what the settings disable, nor allow apps to notify that the
    settings do not allow.
    """

    settings: NotificationSettings
    own: Mapping[str, Any] = field(default_factory=dict)

    @property
    def enabled(self) -> bool:
        """Return whether notifications can be raised."""
        return self.settings.enabled and self.own.get("enable", True)

    @property
    def toasts(self) -> bool:
        """Return whether toasts are shown."""
        return self.settings.enable_toasts and self.own.get("enableToasts", True)

    @property
    def toast_expiry(self) -> float:
        """Return how long toasts are shown, in milliseconds."""
        return float(self.own.get("toastExpiry", self.settings.toast_expiry))

    @property
    def close_on_click(self) -> bool:
        """Return whether a click closes a notification."""
        return bool(self.own.get("closeNotificationOnClick", self.settings.close_notification_on_click))

    @property
    def toast_mode(self) -> str:
        """Return whether toasts are shown separately or in stacks."""
        return str(self.own.get("mode", self.settings.toasts.mode))

    @property
    def stack_by(self) -> str:
        """Return the property that the toasts of a stack share."""
        return str(self.own.get("stack_by", self.settings.toasts.stack_by))

    @property
    def toast_corner(self) -> str:
        """Return the corner of the toasts."""
        return str(self.own.get("corner", self.settings.placement.toasts))

    @property
    def panel_side(self) -> str:
        """Return the side of the panel."""
        return str(self.own.get("side", self.settings.placement.panel))

    def allows(self, app: str | None) -> bool:
        """Return whether an app may raise notifications."""
        filters = self.settings.source_filter
        return _allows(filters.allowed, filters.blocked or (), app) and _allows(
            self.own.get("allowed", (_EVERYONE,)), self.own.get("blocked", ()), app
        )

    def is_muted(self, app: str | None) -> bool:
        """Return whether the notifications of an app are shown without toasts."""
        muted = self.own.get("muted", ())
        return _EVERYONE in muted or app in muted

    @property
    def source_filter(self) -> dict[str, list[str]]:
        """Return the source filter: of apps, or of the settings."""
        filters = self.settings.source_filter
        return {
            "allowed": list(self.own.get("allowed", filters.allowed)),
            "blocked": list(self.own.get("blocked", filters.blocked or ())),
            "muted": list(self.own.get("muted", ())),
        }

    def described(self) -> dict[str, Any]:
        """Describe the configuration for apps."""
        return {
            "enable": self.enabled,
            "enableToasts": self.toasts,
            "toastExpiry": self.toast_expiry,
            "sourceFilter": self.source_filter,
            "toasts": {"mode": self.toast_mode, "stackBy": self.stack_by},
            "placement": {"toasts": self.toast_corner, "panel": self.panel_side},
            "closeNotificationOnClick": self.close_on_click,
            "showNotificationBadge": bool(self.settings.show_notification_badge),
            "snooze": {"enabled": self.settings.snooze.enabled, "duration": self.settings.snooze.duration},
        }

    def changed(self, changes: Mapping[str, Any]) -> "NotificationConfiguration":
        """Return the configuration with changes of an app; raise DesktopError if they are invalid."""
        own = dict(self.own)
        for name in ("enable", "enableToasts", "closeNotificationOnClick"):
            if name in changes:
                own[name] = _flag(changes, name)
        if "toastExpiry" in changes:
            own["toastExpiry"] = _milliseconds(changes, "toastExpiry")
        filters = _part(changes, "sourceFilter")
        own |= {name: _apps(filters, name) for name in ("allowed", "blocked", "muted") if name in filters}
        toasts, placement = _part(changes, "toasts"), _part(changes, "placement")
        for part, name, key in (
            (toasts, "mode", "mode"),
            (toasts, "stackBy", "stack_by"),
            (placement, "toasts", "corner"),
            (placement, "panel", "side"),
        ):
            if name in part:
                own[key] = _word(part, name, _WORDS[key])
        return replace(self, own=own)


def _allows(allowed: Any, blocked: Any, app: str | None) -> bool:
    return (_EVERYONE in allowed or app in allowed) and app not in blocked and _EVERYONE not in blocked


def _part(changes: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = changes.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DesktopError(f"{name} must be an object")
    return value


def _flag(changes: Mapping[str, Any], name: str) -> bool:
    value = changes[name]
    if not isinstance(value, bool):
        raise DesktopError(f"{name} must be true or false")
    return value


def _milliseconds(changes: Mapping[str, Any], name: str) -> float:
    value = changes[name]
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 86_400_000:
        raise DesktopError(f"{name} must be a number of milliseconds, at most a day")
    return float(value)


def _apps(changes: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = changes[name]
    if not isinstance(value, list) or len(value) > _MOST_APPS or not all(isinstance(one, str) for one in value):
        raise DesktopError(f"{name} must be an array of app names")
    return tuple(value)


def _word(changes: Mapping[str, Any], name: str, words: tuple[str, ...]) -> str:
    value = changes[name]
    if value not in words:
        raise DesktopError(f"{name} must be one of {', '.join(words)}")
    return str(value)
