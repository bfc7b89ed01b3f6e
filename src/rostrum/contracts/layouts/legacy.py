"""State of older kinds of layouts: activities, canvases and swimlanes."""

from typing import Any, Literal

from pydantic import Field

from rostrum.contracts.layouts.window_state import AppWindowState, Bounds, WindowState
from rostrum.contracts.shape import Closed, Maybe, Open, member
from rostrum.contracts.values import Free, Many, Number


class ActivityWindowState(AppWindowState):
    """A window of an activity."""

    type: Maybe[str] = member("Kind of window.")
    name: Maybe[str] = member("Name in the activity.")
    is_owner: Maybe[bool] = member("The activity belongs to it.")
    is_independent: Maybe[bool] = member("May belong to no activity.")


class ActivityState(Closed):
    """State of an activity component."""

    type: Maybe[str] = member("Kind of activity.")
    windows: Maybe[Many[ActivityWindowState]] = member("Its windows.")
    context: Maybe[Free] = member("Context of the activity.")
    instance_id: Maybe[str] = member("Identifies a running instance.")


class CanvasState(Closed):
    """State of a canvas component."""

    bounds: Maybe[Bounds] = member("Its bounds.")
    frame_bounds: Maybe[Bounds] = member("Bounds of its frame.")
    caption: Maybe[str] = member("Its caption.")
    selected_workspace: Maybe[Number] = member("Index of the workspace in front.")
    canvas: Maybe[Free] = member("The canvas.")
    workspaces: Maybe[Many[Free]] = member("Its workspaces.")
    window_state: Maybe[WindowState] = member("State at saving.")
    restore_state: Maybe[str] = member("State to return to.")
    z_order: Maybe[Number] = member("Place among other frames, front to back.")
    display_id: Maybe[Number] = member("Its display.")
    context: Maybe[Free] = member("Context of the canvas.")
    instance_id: Maybe[str] = member("Identifies a running instance.")


class SwimlaneItem(Open):
    """An item in a lane."""

    lane: Number = Field(description="Number of its lane.")
    type: Literal["tab", "window", "canvas"] = Field(description="Type of the item.")


class Lane(Open):
    """One lane."""

    items: Many[SwimlaneItem] = Field(description="Items of the swimlane.")
    item_ratios: Many[Number] = Field(description="Their shares of the lane.")


class SwimlaneCanvas(Closed):
    """The lanes."""

    lanes: Many[Lane] = Field(description="The lanes.")
    horizontal: bool = Field(description="Vertical arrangement.")
    lane_ratios: Many[Number] = Field(description="Their shares of the canvas.")
    caption: Maybe[str] = member("Its caption.")
    selected: Maybe[Any] = member("The selected item.")
    frame_id: Maybe[str] = member("Frame that shows it.")
    canvas_id: Maybe[str] = member("Its id.")


class SwimlaneState(Closed):
    """State of a swimlane component."""

    canvas: SwimlaneCanvas = Field(description="The lanes.")
    last_save_time: Any = Field(description="When it was saved last.")
    context: Maybe[Free] = member("Context of the swimlane.")
    instance_id: Maybe[str] = member("Identifies a running instance.")
