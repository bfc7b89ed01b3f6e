"""Records of workspaces and their changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rostrum.desktop.windows.workspace_tree import Item, Tree


@dataclass(slots=True, kw_only=True, eq=False)
class Workspace:
    """One workspace of a frame.

    Attributes:
        frame: The window that shows it: the instance of an app of type workspaces.
        layout: The name of the layout that it was opened from or saved as; empty for none.
        maximized: The id of the part that fills the workspace; empty for none.
        context: The context that it was opened with.

    """

    id: str
    frame: str
    title: str
    tree: Tree = field(default_factory=Tree)
    layout: str = ""
    maximized: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFrame:
    """The frame of a new workspace.

    Attributes:
        frame: An open frame; empty for the last used one, or a new one if none is open.
        is_new: Whether another frame is opened.
        app: The app of a new frame; empty for the default.
        bounds: The bounds of a new frame.
    """

    frame: str = ""
    is_new: bool = False
    app: str = ""
    bounds: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWorkspace:
    """A workspace to open: its state in the format of layouts, and its options.

    Attributes:
        replaces: The workspace that it replaces; empty for none.
        is_complete: Whether it is not opened at all if one of its apps does not start.
    """

    state: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    layout: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    frame: NewFrame = field(default_factory=NewFrame)
    replaces: str = ""
    is_complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceEvent:
    """An event of a frame, a workspace or a part of one.

    Attributes:
        parent: The id of the part that the window is or was in.
    """

    kind: Literal["frame", "workspace", "container", "window"]
    action: str
    frame: str
    workspace: Workspace | None = None
    item: Item | None = None
    parent: str = ""
