"""The layout: the saved arrangement of a desktop."""

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from rostrum.base.problems import Problem
from rostrum.contracts.choice import BySibling, ByType
from rostrum.contracts.layouts.legacy import ActivityState, CanvasState, SwimlaneState
from rostrum.contracts.layouts.window_state import AppWindowState, ChildWindowState, NodeState
from rostrum.contracts.layouts.workspace import WorkspaceFrameState, WorkspaceState
from rostrum.contracts.shape import Closed, Maybe, Open, Shape, member
from rostrum.contracts.validation_messages import problems_in
from rostrum.contracts.values import DocumentName, Free, Many, Number

STATES: dict[str, type[Shape]] = {
    "window": AppWindowState,
    "exe": AppWindowState,
    "node": NodeState,
    "clickonce": AppWindowState,
    "citrix": AppWindowState,
    "childWindow": ChildWindowState,
    "workspaceFrame": WorkspaceFrameState,
    "Workspace": WorkspaceState,
    "activity": ActivityState,
    "canvas": CanvasState,
    "swimlane": SwimlaneState,
}
"""The model of ``state`` for each ``type`` of component."""

ComponentType = Literal[
    "window",
    "exe",
    "node",
    "clickonce",
    "citrix",
    "childWindow",
    "workspaceFrame",
    "Workspace",
    "activity",
    "canvas",
    "swimlane",
]

_BY_TYPE = BySibling(STATES)

State = Annotated[
    AppWindowState
    | NodeState
    | ChildWindowState
    | WorkspaceFrameState
    | WorkspaceState
    | ActivityState
    | CanvasState
    | SwimlaneState
    | None,
    _BY_TYPE,
]


class Component(Closed):
    """An item that a layout restores."""

    type: ComponentType = Field(description="Type of the component; determines the format of state.")
    application: Maybe[str] = member("Name of the app; for workspaces the workspaces app.")
    component_type: Maybe[Literal["application", "activity"]] = member("Whether it belongs to an activity.")
    state: State = member("State at the time of saving.")

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Add the schema of state for each type."""
        reference = super().__get_pydantic_json_schema__(core_schema, handler)
        _BY_TYPE.move_to_conditions(handler.resolve_ref_schema(reference), "state")
        return reference


class OtherComponent(Open):
    """A component of an unknown type, which is stored unchanged."""

    type: DocumentName = Field(
        description="Type of the component, such as webGroup.",
        json_schema_extra={"not": {"enum": list(get_args(ComponentType))}},
    )


class Display(Open):
    """A display at the time of saving; platforms may add members."""

    id: Maybe[Number] = member("Its id.")
    name: Maybe[str] = member("Its name for the OS.")
    display_name: Maybe[str] = member("Its name for people.")
    is_primary: Maybe[bool] = member("The main one.")
    left: Maybe[Number] = member("Left edge.")
    top: Maybe[Number] = member("Top edge.")
    width: Maybe[Number] = member("Width.")
    height: Maybe[Number] = member("Height.")
    working_area_left: Maybe[Number] = member("Left edge without the taskbar.")
    working_area_top: Maybe[Number] = member("Top edge without the taskbar.")
    working_area_width: Maybe[Number] = member("Width without the taskbar.")
    working_area_height: Maybe[Number] = member("Height without the taskbar.")
    screen_bounds: Maybe[Free] = member("The same in physical pixels.")
    screen_work_area: Maybe[Free] = member("Without the taskbar, in physical pixels.")
    scale: Maybe[Number] = member("Scale factor.")
    screen_scale: Maybe[Any] = member("Scale factor of the screen.")
    rotation: Maybe[Number] = member("Rotation, degrees.")
    touch_support: Maybe[Any] = member("Whether it can be touched.")


class Layout(Closed):
    """The arrangement of a desktop."""

    name: DocumentName = Field(description="Unique among layouts of its type.")
    type: Literal["Global", "Activity", "ApplicationDefault", "Swimlane", "Workspace"] = Field(
        description="Type of the layout: a desktop, one workspace, one app, or a legacy type."
    )
    components: Many[Annotated[Component | OtherComponent, ByType()]] = Field(
        description="Components that are restored."
    )
    token: Maybe[str] = member("Audit data.")
    context: Maybe[Free] = member("Context saved with it.")
    metadata: Maybe[Free] = member("Notes saved with it.")
    version: Maybe[Number] = member("Version of this format.")
    displays: Maybe[Many[Display]] = member("The displays at the time of saving.")


def check_layout(definition: object) -> list[Problem]:
    """Return all problems of a layout."""
    return problems_in(definition, Layout)
