"""windowManagement.group: windows joined into one."""

from collections.abc import Iterator
from typing import Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Mode, Stream, Unit
from rostrum.settings.setting import Finding, Need, Section, setting
from rostrum.settings.types import Amount


class GroupHeader(Section, since="9.3"):
    """The bar above a group."""

    default_title: str = setting("Group", "Title until somebody gives another.")
    edit_title: bool = setting(default=True, text="Let users edit the title.")
    hide: bool = setting(default=False, text="Show no bar.")


class GroupTabs(Section, since="9.3"):
    """The tabs of a group."""

    default_taskbar_title: str = setting("Group", "Title in the taskbar of a group with a single tab.")
    flat_when_single: bool = setting(default=False, text="Draw a single tab as a flat window.")
    loading_strategy: Literal["direct", "lazy"] = setting(
        "direct",
        "Load tabs at once or when they are first chosen.",
        refused={"delayed": "delayed is a known word but not supported; write direct or lazy"},
    )
    overflow: bool = setting(default=False, text="Let tabs that find no room overflow; web groups only.")
    select_previous_on_close: bool = setting(default=False, text="Go back to the tab chosen before; web groups only.")
    show_selected_tab_title_in_taskbar: bool = setting(
        default=False, text="Show the chosen tab's title in the taskbar."
    )


class UnlockOnLongMousePress(Section, since="9.3"):
    """Taking a window out of its group by a long press."""

    enabled: bool = setting(default=True, text="Unlock by a long press.")
    timeout: Amount = setting(1000, "How long the press lasts.", unit=Unit.MS)
    tolerance: Amount = setting(5, "How far the pointer may stray.", unit=Unit.PX)


class Group(Section, since="9.3"):
    """Windows joined into one."""

    type: Literal["Web", "Classic"] = setting(
        "Web",
        "Kind of groups; Web by default, Classic in the advanced mode, which alone has it.",
        since="10.0",
        stream=Stream.V10,
        words={"Classic": Need(mode=Mode.ADVANCED)},
        deprecated={"Classic": "Classic groups are deprecated and will be removed; Web groups stay"},
        by_mode={Mode.ADVANCED: "Classic"},
    )
    external_resize_mode: Literal["Fill", "Proportional"] = setting(
        "Fill",
        "How a group resizes; Fill wants a rectangle without holes.",
        since="10.0",
        stream=Stream.V10,
    )
    header: GroupHeader = setting(GroupHeader, "The bar above a group.")
    tabs: GroupTabs = setting(GroupTabs, "The tabs of a group.")
    unlock_on_long_mouse_press: UnlockOnLongMousePress = setting(
        UnlockOnLongMousePress, "Taking a window out by a long press."
    )

    def findings(self) -> Iterator[Finding]:
        idle = (("overflow", self.tabs.overflow), ("selectPreviousOnClose", self.tabs.select_previous_on_close))
        for name, switched_on in idle:
            if switched_on and self.type == "Classic":
                message = "has no effect while group.type is Classic; it counts in web groups only"
                yield Finding(severity=Severity.NOTE, member=f"tabs.{name}", message=message)
