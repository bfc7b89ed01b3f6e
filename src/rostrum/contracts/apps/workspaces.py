"""``details`` of type workspaces: the page that shows workspaces, and its initial contents."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, ModelWrapValidatorHandler, model_validator
from pydantic_core import PydanticCustomError

from rostrum.contracts.addresses import PageAddress
from rostrum.contracts.apps.page import FramePage
from rostrum.contracts.apps.types import WindowState
from rostrum.contracts.choice import ByType
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import Free, Many, Number


class TreeBox(Open):
    """Several parts of a workspace side by side, one above the other, or as tabs."""

    type: Literal["row", "column", "group"] = Field(description="Direction of the parts.")
    children: "Maybe[Tree]" = member("The parts.")


class TreeWindow(Open):
    """A window of a workspace."""

    type: Literal["window"] = Field(description="A window.")
    app_name: Maybe[str] = member("App it shows.")


Tree = Many[Annotated[TreeBox | TreeWindow, ByType()]]


class Workspace(Open):
    """A workspace drawn from its parts."""

    children: Tree = Field(description="The parts.")


class RestoreConfig(Open):
    """How a saved workspace is opened."""

    no_tab_header: Maybe[bool] = member("Without a tab.")
    context: Maybe[Free] = member("Context it starts with.")


class WorkspaceToOpen(Open):
    """A workspace of a new frame: a saved one by name, or one drawn from its parts."""

    children: Maybe[Tree] = member("The parts.")
    layout_name: Maybe[str] = member("Name of a saved workspace.")
    restore_config: Maybe[RestoreConfig] = member("How the saved one is opened.")

    @model_validator(mode="wrap")
    @classmethod
    def _need_one(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        read = handler(data)
        if isinstance(data, dict) and not data.keys() & {"children", "layoutName"}:
            facts = {"expected": 'an object with "children" or "layoutName"'}
            raise PydanticCustomError("expected", "opens nothing", facts)
        return read


class FrameBounds(Open):
    """The initial bounds of a frame."""

    left: Number = member("Left edge, px.", default=0)
    top: Number = member("Top edge, px.", default=0)
    width: Number = member("Width, px.", default=600)
    height: Number = member("Height, px.", default=600)


class Loading(Open):
    """When the windows of a workspace are loaded."""

    loading_strategy: Maybe[Literal["direct", "delayed", "lazy"]] = member("Immediately, one by one, or when visible.")
    initial_offset_interval: Number = member("Delay before the first batch, ms.", default=1000)
    interval: Number = member("Delay between batches, ms.", default=5000)
    batch: Number = member("Windows in a batch.", default=1)
    show_delayed_indicator: bool = member("Mark windows not loaded yet.", default=False)
    persist_current_strategy: bool = member("Saved workspaces contain the strategy.", default=False)


class HibernationRule(Open):
    """When a workspace is hibernated."""

    enabled: bool = Field(description="Enable the rule.")
    type: str = Field(description="Type of the condition.")
    threshold: Number = Field(description="Threshold.")


class Hibernation(Open):
    """Hibernation of workspaces."""

    enabled: Maybe[bool] = member("Enable hibernation.")
    interval: Maybe[Number] = member("Interval of checks, minutes.")
    workspaces_to_close: Maybe[Number] = member("Maximum number at a time.")
    rules: Maybe[Many[HibernationRule]] = member("When.")


class LoadingAnimation(Open):
    """The animation shown while a workspace loads."""

    enabled: bool = member("Enabled.", default=False)
    hide_on_load: bool = member("Ends when the workspace has loaded.", default=True)


class DefaultDialogs(Open):
    """Which built-in dialogs are used."""

    prevent_close: bool = member("Confirmation before closing.", default=True)


class Dialogs(Open):
    """The dialogs of the frame."""

    enable_default_dialogs: Maybe[DefaultDialogs] = member("Which built-in dialogs are used.")


class WorkspacesDetails(FramePage):
    """The page that shows workspaces."""

    url: Maybe[PageAddress] = member("Address of the workspaces page.")
    default: Maybe[bool] = member("Used when no workspaces app is named.")
    layout: Maybe[Workspace] = member("One workspace to open at the start.")
    layouts: Maybe[Many[WorkspaceToOpen]] = member("Workspaces to open in a new frame.")
    bounds: FrameBounds = member("Where the frame opens.", default={}, of=FrameBounds)
    window_state: WindowState = member("State the frame starts in.", default="maximized")
    frame_start_location: Maybe[str] = member("Place of the frame on the screen.")
    activate_frame: Maybe[bool] = member("The frame is activated when opened.")
    frame_pool: Number = member("Frames kept ready for extracted workspaces.", default=2)
    update_frame_constraints: bool = member("The frame uses the size limits of its content.", default=True)
    loading: Maybe[Loading] = member("When the windows of a workspace are loaded.")
    hibernation: Maybe[Hibernation] = member("Hibernation of workspaces.")
    restore_workspaces_by_reference: bool = member(
        "A Global layout opens workspaces as saved themselves, not as they were with the layout.", default=False
    )
    window_drag_mode: Literal["keepInside", "autoEject"] = member(
        "Whether a dragged window leaves the workspace.", default="keepInside"
    )
    restrict_window_drop_by_origin: bool = member("Accepts only windows opened in the workspace.", default=False)
    allow_workspace_tab_extract: Maybe[bool] = member("Tabs of workspaces may be dragged out.")
    save_workspace_app: Maybe[str] = member("App used for saving.")
    restore_workspace_app: Maybe[str] = member("App used for restoring.")
    add_application_app: Maybe[str] = member("App used for adding apps.")
    min_width: Number = member("Minimum width, px.", default=380)
    min_height: Number = member("Minimum height, px.", default=85)
    max_width: Maybe[Number] = member("Maximum width, px.")
    max_height: Maybe[Number] = member("Maximum height, px.")
    workspace_loading_animation: LoadingAnimation = member(
        "Animation while a workspace loads.", default={}, of=LoadingAnimation
    )
    dialogs: Maybe[Dialogs] = member("The dialogs of the frame.")
    auto_request_focus_in_iframes: bool = member("Frames inside get focus on a click.", default=True)
