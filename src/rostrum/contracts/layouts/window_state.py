"""State of a single app in a layout: windows, native apps, node scripts."""

from typing import Any, Literal

from pydantic import Field

from rostrum.contracts.shape import Closed, Maybe, member
from rostrum.contracts.values import Free, Many, Number

WindowState = Literal["maximized", "minimized", "normal"]


class ScreenBounds(Closed):
    """A rectangle in physical pixels."""

    left: Maybe[Number] = member("Left edge.")
    top: Maybe[Number] = member("Top edge.")
    width: Maybe[Number] = member("Width.")
    height: Maybe[Number] = member("Height.")


class Bounds(ScreenBounds):
    """A rectangle on the desktop."""

    right: Maybe[Number] = member("Right edge.")
    bottom: Maybe[Number] = member("Bottom edge.")


class RestoreSettings(Closed):
    """How the window's group is restored."""

    group_id: Maybe[str] = member("Group it belongs to.")
    group_user_title: Maybe[str] = member("Title that the user gave the group.")
    group_z_order: Maybe[Number] = member("Place of the group among others, front to back.")
    group_display_id: Maybe[Number] = member("Display of the group.")
    skip_offset: Maybe[bool] = member("Restored without being moved aside.")


class ChannelRight(Closed):
    """Access of the window to one channel."""

    name: str = Field(description="Name of the channel.")
    read: bool = Field(description="May read.")
    write: bool = Field(description="May write.")


class ChannelRestrictions(Closed):
    """Access of the window to channels."""

    channels: Maybe[Many[ChannelRight]] = member("Rights, channel by channel.")


class AppWindowState(Closed):
    """State of a window, exe, clickonce or citrix component."""

    bounds: Maybe[Bounds] = member("Its bounds.")
    screen_bounds: Maybe[ScreenBounds] = member("The same in physical pixels.")
    display_id: Maybe[Number] = member("Its display.")
    mode: Maybe[Literal["flat", "frameless", "html", "tab"]] = member("Window style.")
    is_collapsed: Maybe[bool] = member("Was collapsed.")
    is_pinned: Maybe[bool] = member("Was a pinned tab.")
    context: Maybe[Free] = member("Context of the app.")
    activity_context: Maybe[Free] = member("Context of the activity; owner only.")
    tab_group_id: Maybe[str] = member("Its tab group.")
    tab_index: Maybe[Number] = member("Position in the tab group.")
    channel_id: Maybe[str] = member("Its channel.")
    allow_channels: Maybe[bool] = member("Channels were allowed.")
    window_state: Maybe[WindowState] = member("State at saving.")
    restore_state: Maybe[str] = member("State to return to.")
    user_title: Maybe[str] = member("Title typed by the user.")
    custom_title: Maybe[str] = member("Title set by code.")
    instance_id: Maybe[str] = member("Identifies a running instance.")
    create_args: Maybe[Any] = member("Arguments that the window was created with.")
    parent_instance_id: Maybe[str] = member("Makes it a popup of that instance.")
    restore_settings: Maybe[RestoreSettings] = member("How its group is restored.")
    is_sticky: Maybe[bool] = member("Takes part in grouping.")
    placement: Maybe[Any] = member("Place it kept relative to the screen.")
    docking_placement: Maybe[Any] = member("How it was docked.")
    url: Maybe[Any] = member("Address at saving.")
    title: Maybe[str] = member("Title at saving.")
    command: Maybe[str] = member("Command of a native app.")
    parameters: Maybe[str] = member("Arguments of a native app.")
    env: Maybe[Free] = member("Environment of a native app.")
    channel_restrictions: Maybe[ChannelRestrictions] = member("Channel restrictions of the window.")
    allow_workspace_drop: Maybe[bool] = member("May be dropped into a workspace.")
    zoom_factor: Maybe[Number] = member("Zoom.")


class ChildWindowState(AppWindowState):
    """State of a childWindow component."""

    host_instance_id: Maybe[str] = member("Instance that hosted it.")
    host_application: Maybe[str] = member("App that hosted it.")


class NodeState(Closed):
    """State of a node component."""

    context: Maybe[Free] = member("Context of the app.")
    instance_id: Maybe[str] = member("Identifies a running instance.")
