"""State of workspaces in a layout: the tree of a workspace, and the frames that show them."""

from typing import Annotated, Literal

from pydantic import Field

from rostrum.contracts.choice import ByType
from rostrum.contracts.layouts.window_state import Bounds, RestoreSettings, ScreenBounds, WindowState
from rostrum.contracts.shape import Closed, Maybe, Open, member
from rostrum.contracts.values import Free, Many, Number


class WindowConfig(Open):
    """Data of a window in a workspace; other clients may add members."""

    app_name: str = Field(description="App it shows.")
    is_maximized: Maybe[bool] = member("Was maximized in the workspace.")
    is_loaded: Maybe[bool] = member("Was loaded.")
    is_focused: Maybe[bool] = member("Had the focus.")


class WorkspaceWindow(Closed):
    """A window of a workspace."""

    type: Literal["window"] = Field(description="A window.")
    config: WindowConfig = Field(description="Content and appearance of the window.")


class WorkspaceGroup(Closed):
    """Windows as tabs."""

    type: Literal["group"] = Field(description="A group of tabs.")
    children: Many[Annotated[WorkspaceWindow, ByType()]] = Field(description="Its windows.")
    config: Maybe[Free] = member("Free settings.")


class WorkspaceBox(Closed):
    """Parts side by side or one above the other."""

    type: Literal["row", "column"] = Field(description="Direction of the parts.")
    children: "Tree" = Field(description="The parts.")
    config: Maybe[Free] = member("Free settings.")


Tree = Many[Annotated[WorkspaceBox | WorkspaceGroup | WorkspaceWindow, ByType()]]


class WorkspaceState(Closed):
    """State of a Workspace component."""

    children: Tree = Field(description="The parts of the workspace.")
    type: Maybe[Literal["workspace"]] = member("A workspace.")
    instance_id: Maybe[str] = member("Identifies a running instance.")
    config: Maybe[Free] = member("Free settings.")
    context: Maybe[Free] = member("Context of the workspace.")


class WorkspaceFrameState(Closed):
    """State of a workspaceFrame component."""

    bounds: Maybe[Bounds] = member("Its bounds.")
    screen_bounds: Maybe[ScreenBounds] = member("The same in physical pixels.")
    selected_workspace: Maybe[Number] = member("Index of the workspace in front.")
    workspaces: Maybe[Many[WorkspaceState]] = member("Its workspaces.")
    window_state: Maybe[WindowState] = member("State at saving.")
    restore_state: Maybe[str] = member("State to return to.")
    z_order: Maybe[Number] = member("Place among other frames, front to back.")
    display_id: Maybe[Number] = member("Its display.")
    context: Maybe[Free] = member("Context of the frame.")
    instance_id: Maybe[str] = member("Identifies a running instance.")
    tab_group_id: Maybe[str] = member("Its tab group.")
    tab_index: Maybe[Number] = member("Position in the tab group.")
    restore_settings: Maybe[RestoreSettings] = member("How its group is restored.")
