"""windowManagement.group: windows joined into one."""

from collections.abc import Iterator
from typing import Literal

from rostrum.settings.problems import Severity
from rostrum.settings.scope import Mode, Stream, Unit
from rostrum.settings.setting import Need, Section, SectionProblem, setting
from rostrum.settings.types import Amount


class GroupHeader(Section, since="9.3"):
    """The bar above a group."""

    default_title: str = setting("Group", "Initial title.")
    edit_title: bool = setting(default=True, text="Allow users to edit the title.")
    hide: bool = setting(default=False, text="Hide the bar.")


class GroupTabs(Section, since="9.3"):
    """The tabs of a group."""

    default_taskbar_title: str = setting("Group", "Title in the taskbar of a group with a single tab.")
    flat_when_single: bool = setting(default=False, text="Draw a single tab as a flat window.")
    loading_strategy: Literal["direct", "lazy"] = setting(
        "direct",
        "Load tabs at once or when they are first selected.",
        refused={"delayed": "delayed is a known word but not supported; write direct or lazy"},
    )
    overflow: bool = setting(default=False, text="Move tabs that do not fit to an overflow menu; web groups only.")
    select_previous_on_close: bool = setting(default=False, text="Select the previous tab again; web groups only.")
    show_selected_tab_title_in_taskbar: bool = setting(
        default=False, text="Show the title of the selected tab in the taskbar."
    )


class UnlockOnLongMousePress(Section, since="9.3"):
    """Taking a window out of its group by a long press."""

    enabled: bool = setting(default=True, text="Unlock by a long press.")
    timeout: Amount = setting(1000, "Duration of the press.", unit=Unit.MS)
    tolerance: Amount = setting(5, "Maximum movement of the pointer.", unit=Unit.PX)


class Group(Section, since="9.3"):
    """Windows joined into one."""

    type: Literal["Web", "Classic"] = setting(
        "Web",
        "Type of groups; Web by default, Classic in the advanced mode only.",
        since="10.0",
        stream=Stream.V10,
        words={"Classic": Need(mode=Mode.ADVANCED)},
        deprecated={"Classic": "Classic groups are deprecated and will be removed; use Web groups"},
        by_mode={Mode.ADVANCED: "Classic"},
    )
    external_resize_mode: Literal["Fill", "Proportional"] = setting(
        "Fill",
        "Resize behavior of a group; Fill requires a rectangle without gaps.",
        since="10.0",
        stream=Stream.V10,
    )
    header: GroupHeader = setting(GroupHeader, "The bar above a group.")
    tabs: GroupTabs = setting(GroupTabs, "The tabs of a group.")
    unlock_on_long_mouse_press: UnlockOnLongMousePress = setting(
        UnlockOnLongMousePress, "Removing a window from its group by a long press."
    )

    def findings(self) -> Iterator[SectionProblem]:
        idle = (("overflow", self.tabs.overflow), ("selectPreviousOnClose", self.tabs.select_previous_on_close))
        for name, switched_on in idle:
            if switched_on and self.type == "Classic":
                message = "has no effect while group.type is Classic; it counts in web groups only"
                yield SectionProblem(severity=Severity.NOTE, member=f"tabs.{name}", message=message)
