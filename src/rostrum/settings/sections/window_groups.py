"""windowManagement.group: windows joined into one."""

from collections.abc import Iterator
from typing import Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Effect, Mode, Stream, Unit
from rostrum.settings.setting import Need, Section, SectionProblem, setting
from rostrum.settings.types import Amount


class GroupHeader(Section, since="9.3", effect=Effect.PLAIN):
    """The header above a group."""

    default_title: str = setting("Group", "Title of new groups.", effect=Effect.PLAIN)
    edit_title: bool = setting(default=True, text="Allow users to edit the title.")
    hide: bool = setting(default=False, text="Hide the header of groups.")


class GroupTabs(Section, since="9.3", effect=Effect.PLAIN):
    """The tabs of a group."""

    default_taskbar_title: str = setting(
        "Group",
        "Title that the taskbar shows for a group with a single tab, unless showSelectedTabTitleInTaskbar is true.",
        effect=Effect.PLAIN,
    )
    flat_when_single: bool = setting(
        default=False, text="Draw a window that is the only tab like a window of the mode flat, without tabs."
    )
    loading_strategy: Literal["direct", "lazy"] = setting(
        "direct",
        "When the pages of tabs are loaded: immediately (direct), or when a tab is first selected (lazy).",
        refused={"delayed": "delayed is a known word but not supported; write direct or lazy"},
    )
    overflow: bool = setting(default=False, text="Move tabs that do not fit to an overflow menu; web groups only.")
    select_previous_on_close: bool = setting(
        default=False,
        text="When the selected tab is closed, select the tab that was selected before it; web groups only.",
    )
    show_selected_tab_title_in_taskbar: bool = setting(
        default=False, text="Show the title of the selected tab in the taskbar, instead of the title of the group."
    )


class UnlockOnLongMousePress(Section, since="9.3", effect=Effect.PLAIN):
    """Taking a window out of its group by a long press."""

    enabled: bool = setting(
        default=True,
        text="Remove a window from its group when users press the mouse button on its caption bar for some time.",
    )
    timeout: Amount = setting(1000, "Time for which users must press the mouse button.", unit=Unit.MS)
    tolerance: Amount = setting(5, "Distance by which the pointer may move in this time.", unit=Unit.PX)


class Group(Section, since="9.3", effect=Effect.PLAIN):
    """Windows joined into one."""

    type: Literal["Web", "Classic"] = setting(
        "Web",
        "Type of groups. The default is Web, and Classic in the advanced mode. Classic requires the advanced mode.",
        since="10.0",
        stream=Stream.V10,
        words={"Classic": Need(mode=Mode.ADVANCED)},
        deprecated={"Classic": "Classic groups are deprecated and will be removed; use Web groups"},
        by_mode={Mode.ADVANCED: "Classic"},
    )
    external_resize_mode: Literal["Fill", "Proportional"] = setting(
        "Fill",
        "How the windows of a group are resized with the group. Fill applies only to rectangular groups without "
        "gaps; other groups use Proportional.",
        since="10.0",
        stream=Stream.V10,
    )
    header: GroupHeader = setting(GroupHeader, "The header above a group.")
    tabs: GroupTabs = setting(GroupTabs, "The tabs of a group.")
    unlock_on_long_mouse_press: UnlockOnLongMousePress = setting(
        UnlockOnLongMousePress, "Removal of a window from its group by a long press of the mouse button."
    )

    def findings(self) -> Iterator[SectionProblem]:
        idle = (("overflow", self.tabs.overflow), ("selectPreviousOnClose", self.tabs.select_previous_on_close))
        for name, switched_on in idle:
            if switched_on and self.type == "Classic":
                message = "has no effect while group.type is Classic; it counts in web groups only"
                yield SectionProblem(severity=Severity.NOTE, member=f"tabs.{name}", message=message)
