"""Windows on the desktop: the ``details`` that all their kinds share, and those of the older type activity."""

from typing import Literal

from pydantic import Field

from rostrum.contracts.apps.types import Cascade, ChannelSelector, WindowMode
from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import Free, Many, Number


class DesktopWindow(Open):
    """Size, frame, buttons and channel of a window."""

    left: int = member("Start position from the left, px.", default=0)
    top: int = member("Start position from the top, px.", default=0)
    width: int = member("Start width, px.", default=400)
    height: int = member("Start height, px.", default=400)
    min_width: Number = member("Minimum width, px.", default=50)
    min_height: Number = member("Minimum height, px.", default=30)
    max_width: Maybe[Number] = member("Maximum width, px.")
    max_height: Maybe[Number] = member("Maximum height, px.")
    mode: WindowMode = member("Window style.", default="flat")
    is_sticky: Maybe[bool] = member("Takes part in snapping and grouping.")
    tab_group_id: Maybe[str] = member("Tab windows with the same id share one tab group.")
    tab_index: Maybe[Number] = member("Position in the tab group; negative means active.")
    relative_to: Maybe[str] = member("Id of the window to be placed next to.")
    relative_direction: Literal["top", "bottom", "left", "right"] = member("On which side of it.", default="right")
    frame_color: Maybe[str] = member("Colour of the frame.")
    has_size_areas: Maybe[bool] = member("Can be resized by its borders; by default all but frameless windows.")
    allow_close: bool = member("Shows a close button.", default=True)
    allow_tab_close: bool = member("Shows a close button on the tab.", default=True)
    allow_collapse: bool = member("Shows a collapse button.", default=False)
    allow_maximize: bool = member("Shows a maximize button.", default=True)
    allow_minimize: bool = member("Shows a minimize button.", default=True)
    allow_extract: Maybe[bool] = member("Shows an extract button.")
    allow_lock_unlock: bool = member("Shows a lock button.", default=False)
    allow_unstick: bool = member("May leave its group.", default=True)
    show_sticky_button: Maybe[bool] = member("Shows a sticky button.")
    show_feedback_button: Maybe[bool] = member("Shows a feedback button.")
    show_clone_button: Maybe[bool] = member("Shows a clone button.")
    maximizable: bool = member("Can be maximized by any means.", default=True)
    minimizable: bool = member("Can be minimized by any means.", default=True)
    disable_transitions: bool = member("Shows and minimizes without animation.", default=False)
    show_in_taskbar: bool = member("Has a taskbar icon.", default=True)
    channel_selector: Maybe[ChannelSelector] = member("Control for joining channels.")
    allow_channels: Maybe[bool] = member("Use channelSelector.enabled.", deprecated=True)
    read_only_channel_selector: Maybe[bool] = member("Use channelSelector.readOnly.", deprecated=True)
    channel_id: Maybe[str] = member("Use channelSelector.channelId.", deprecated=True)
    cascade: Maybe[Cascade] = member("Offset of further instances.")


class ActivityWindow(Open):
    """A window of an activity."""

    type: str = Field(description="Kind of window, as registered by an app.")
    name: str = Field(description="Name in the activity.")
    left: Number = Field(description="Left edge.")
    top: Number = Field(description="Top edge.")
    width: Number = Field(description="Width.")
    height: Number = Field(description="Height.")


class ActivityLayout(Open):
    """Grid of the windows."""

    mode: Maybe[Literal["pixels", "percents"]] = member("Unit of the windows' sizes.")
    cell_size: Maybe[Number] = member("Size of a cell.")
    cell_width: Maybe[Number] = member("Width of a cell.")
    cell_height: Maybe[Number] = member("Height of a cell.")
    screen: Maybe[OneOf[str | Number]] = member("Screen, by number or name.")


class ActivityDetails(Open):
    """Several windows around an owner."""

    activity_type: Maybe[str] = member("Kind of activity.")
    owner: ActivityWindow = Field(description="The window the activity belongs to.")
    windows: Maybe[Many[ActivityWindow]] = member("The other windows.")
    layout: Maybe[ActivityLayout] = member("Grid of the windows.")
    initial_context: Maybe[Free] = member("Context it starts with.")
    hide_group_header: Maybe[bool] = member("Has no group header.")
    auto_save_context: Maybe[bool] = member("Layouts contain the context.")
    save_owner_only: bool = member("Layouts contain only the owner.", default=True)
    include_types_to_layout: Maybe[str] = member("Comma-separated list of window types that layouts contain.")
    ignore_types_from_layout: Maybe[str] = member("Comma-separated list of window types that layouts exclude; wins.")
