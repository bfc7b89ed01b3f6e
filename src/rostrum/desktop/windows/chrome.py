"""The decorations of a window: title, buttons, move areas, jump list, channel selector; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rostrum.desktop.modes import Feature, supports
from rostrum.settings.scope import AppType, Mode

if TYPE_CHECKING:
    # For annotations only: without the settings, the window process starts faster.
    from rostrum.settings.sections.windows import ChannelSelector
    from rostrum.settings.settings import Settings


_WITH_SELECTOR = frozenset({AppType.WINDOW, AppType.EXE, AppType.CLICKONCE, AppType.CHILD_WINDOW, AppType.CITRIX})
_WITH_EDITED_TITLE = frozenset({"flat", "tab"})
_ONE_CHANNEL = {"multi": "single", "directionalMulti": "directionalSingle"}
_OLDER = {"enabled": "allowChannels", "readOnly": "readOnlyChannelSelector", "channelId": "channelId"}
"""Values of the selector in older definitions, in which it was not an object."""
_NO_MARGIN = "0, 0, 0, 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """The control that selects a window's channel."""

    type: str
    read_only: bool
    channel: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveArea:
    """Where an HTML window is dragged; thickness and margins as "left, top, right, bottom"."""

    thickness: str
    margins: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chrome:
    """The decorations of a window.

    Attributes:
        title_editable: Whether users may change its title.
        system_buttons: Whether the buttons are the system's own.
        buttons: When an HTML window shows its buttons; None if it has none.
        jump_list: The menu of its entry in the taskbar.
    """

    title_editable: bool = False
    system_buttons: bool = False
    move_area: MoveArea | None = None
    buttons: str | None = None
    jump_list: Mapping[str, Any] | None = field(default=None, repr=False)
    selector: Selector | None = None


def chrome_of(definition: Mapping[str, Any], settings: "Settings", mode: Mode) -> Chrome:
    """Compute the decorations of an app's window."""
    kind, details = str(definition["type"]), definition["details"]
    group = settings.window_management.group.type
    look = str(details.get("mode") or "flat")
    has_areas = kind == AppType.WINDOW and look == "html" and supports(mode, Feature.HTML_WINDOW_MOVE_AREA)
    jump_list = details.get("jumpList") if supports(mode, Feature.JUMP_LISTS) else None
    return Chrome(
        title_editable=kind in _WITH_SELECTOR
        and look in _WITH_EDITED_TITLE
        and settings.window_management.edit_window_title,
        system_buttons=kind == AppType.WEB_GROUP
        and details.get("useOSSystemButtons") is True
        and supports(mode, Feature.OS_BUTTONS_IN_WEB_GROUPS),
        move_area=_move_area(details) if has_areas and details.get("hasMoveAreas") is not False else None,
        buttons=str(details.get("buttonsVisibility") or "onDemand") if has_areas else None,
        jump_list=jump_list if isinstance(jump_list, Mapping) and jump_list.get("enabled") is not False else None,
        selector=selector_of(kind, details, settings.windows.channel_selector, web=group == "Web"),
    )


def selector_of(kind: str, details: Mapping[str, Any], settings: "ChannelSelector", *, web: bool) -> Selector | None:
    """Return the channel selector; the app has precedence, and only web groups select several channels."""
    if kind not in _WITH_SELECTOR:
        return None
    own = _own_selector(details)
    if own.get("enabled", settings.enabled) is not True:
        return None
    wanted = str(own.get("type") or settings.type)
    return Selector(
        type=wanted if web else _ONE_CHANNEL.get(wanted, wanted),
        read_only=own.get("readOnly", settings.read_only) is True,
        channel=first_channel(kind, details, settings),
    )


def refused_type(kind: str, details: Mapping[str, Any], settings: "ChannelSelector", *, web: bool) -> str | None:
    """Return the type of selector that is not available, because only web groups select several channels."""
    wanted = str(_own_selector(details).get("type") or settings.type)
    shown = selector_of(kind, details, settings, web=web)
    return wanted if shown is not None and shown.type != wanted else None


def first_channel(kind: str, details: Mapping[str, Any], settings: "ChannelSelector") -> str | None:
    """Return the channel that an app joins when it starts, with or without a selector."""
    channel = _own_selector(details).get("channelId", settings.channel_id) if kind in _WITH_SELECTOR else None
    return channel if isinstance(channel, str) else None


def _own_selector(details: Mapping[str, Any]) -> Mapping[str, Any]:
    written = details.get("channelSelector")
    older = {name: details[old] for name, old in _OLDER.items() if old in details}
    return older | dict(written if isinstance(written, Mapping) else {})


def _move_area(details: Mapping[str, Any]) -> MoveArea:
    sides = ("Left", "Top", "Right", "Bottom")
    return MoveArea(
        thickness=str(details.get("moveAreaThickness") or "0, 12, 0, 0"),
        margins={side.lower(): str(details.get(f"moveArea{side}Margin") or _NO_MARGIN) for side in sides},
    )
