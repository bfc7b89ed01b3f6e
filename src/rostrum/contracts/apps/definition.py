"""The app definition: the members that all types have."""

from typing import Annotated, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.apps.desktop_window import ActivityDetails
from rostrum.contracts.apps.native import ChildWindowDetails, CitrixDetails, ClickOnceDetails, ExeDetails, NodeDetails
from rostrum.contracts.apps.page import WebGroupDetails
from rostrum.contracts.apps.types import AppType, Download
from rostrum.contracts.apps.window import WindowDetails
from rostrum.contracts.apps.workspaces import WorkspacesDetails
from rostrum.contracts.choice import BySibling, OneOf
from rostrum.contracts.fdc3 import Fdc3Record, is_fdc3_record
from rostrum.contracts.shape import Closed, Maybe, Open, Shape, member
from rostrum.contracts.validation_messages import MOST_PROBLEMS, problems_in, under
from rostrum.contracts.values import AnyCase, DocumentName, Free, Many, Number
from rostrum.contracts.wrapper import Wrapper, is_wrapper, unwrap

DETAILS: dict[str, type[Shape]] = {
    "window": WindowDetails,
    "activity": ActivityDetails,
    "exe": ExeDetails,
    "node": NodeDetails,
    "workspaces": WorkspacesDetails,
    "webGroup": WebGroupDetails,
    "clickonce": ClickOnceDetails,
    "citrix": CitrixDetails,
    "childWindow": ChildWindowDetails,
}
"""The model of ``details`` for each ``type``."""

_BY_TYPE = BySibling(DETAILS)

Details = Annotated[
    WindowDetails
    | ActivityDetails
    | ExeDetails
    | NodeDetails
    | WorkspacesDetails
    | WebGroupDetails
    | ClickOnceDetails
    | CitrixDetails
    | ChildWindowDetails,
    _BY_TYPE,
]


class RunPriority(Open):
    """When a system app starts."""

    stage: Maybe[Literal["core", "pre-sso", "post-sso", "user"]] = member("Part of the start-up.")
    priority: Maybe[Number] = member("Order in that part.")
    wait_for_initialization: Maybe[OneOf[bool | Literal["interopReady", "appSignal", "no"]]] = member(
        "Condition that the start-up waits for."
    )
    timeout: Maybe[Number] = member("Maximum wait, ms.")


class ActivityTarget(Open):
    """The app as a window of activities."""

    enabled: bool = Field(description="Register it.")
    window_type: Maybe[str] = member("Kind of activity window it is.")
    is_independent: Maybe[bool] = member("May belong to no activity.")


class Intent(Closed):
    """An intent the app handles."""

    name: str = Field(description="Name of the intent.")
    display_name: Maybe[str] = member("Display name.")
    contexts: Maybe[Many[str]] = member("Context types it accepts.")
    result_type: Maybe[str] = member("Type of its result.")
    custom_config: Maybe[Free] = member("Custom configuration of the app.")


class Asset(Download):
    """An archived app to be fetched and unpacked."""

    src: Maybe[str] = member("Address of the archive.")


class AppDefinition(Open):
    """One app, as stored and started."""

    type: AppType = Field(description="Type of the app; determines the members of details.")
    name: DocumentName = Field(description="Unique key of the app; everything refers to it.")
    details: Details = Field(description="Data required to start an app of this type.")
    version: Maybe[str] = member("Version text.")
    title: Maybe[str] = member("Display title.")
    caption: Maybe[str] = member("Longer description.")
    config_mode: AnyCase[Literal["All", "File", "CM"]] = member(
        "Configuration mode to which the definition applies (legacy).", default="All"
    )
    tooltip: Maybe[str] = member("Tooltip in launchers.")
    auto_start: bool = member("Starts with the platform.", default=False)
    run_priority: Maybe[OneOf[Number | RunPriority]] = member("Start order; for system apps an object.")
    requires_sso: bool = member("Starts only after the sign-in.", default=False, alias="requiresSSO")
    shell: bool = member("System apps: started when the platform is ready, like a launcher.", default=False)
    ignore_saved_layout: bool = member("Neither saves nor uses its own default layout.", default=False)
    ignore_save_on_close: bool = member("Use ignoreSavedLayout.", default=False, deprecated=True)
    close_on_hibernate: Maybe[bool] = member("Closes when its layout is hibernated.")
    shutdown_application_name: Maybe[str] = member("App to start in order to shut this one down.")
    activity_target: Maybe[ActivityTarget] = member("Registers it as an activity window.", deprecated=True)
    icon: Maybe[str] = member("Address of the icon, or Base64 data.")
    disabled: bool = member("The definition is ignored.", default=False)
    hidden: bool = member("Not listed in launchers, still startable.", default=False)
    allow_multiple: bool = member("More than one instance may run.", default=True)
    allow_capture: bool = member("May take screenshots.", default=False)
    allow_logging: bool = member("May write its own log files.", default=False)
    ignore_from_layouts: bool = member("Layouts neither save, close nor restore it.", default=False)
    sort_order: int = member("Sort order in app lists, ascending.", default=1000)
    save_multiple_instances: Maybe[bool] = member("The default layout contains all instances, not only the last one.")
    service: bool = member("Not closed when layouts are saved or restored.", default=False)
    custom_properties: Maybe[Free] = member("Custom members, passed to clients unchanged.")
    keywords: Maybe[Many[str]] = member("Search keywords.")
    no_delayed_restore: bool = member("Loads immediately when a workspace is restored.", default=False)
    intents: Maybe[Many[Intent]] = member("Intents it handles.")
    fdc3: Maybe[Free] = member("The FDC3 directory record the definition was made from.")
    suspend_metrics: bool = member("Publishes no metrics.", default=False)
    shortcut: Maybe[str] = member("Hotkey that starts or focuses it.")
    launcher_app: Maybe[str] = member("App that launches this one.")
    allow_registering_workspace_shortcuts: bool = member("May register shortcuts in any workspace.", default=False)
    allow_cookies_manipulation: Maybe[bool] = member("May read and change session cookies.")
    allow_cla_access: Maybe[bool] = member("May read the platform's command line.", alias="allowCLAAccess")
    allow_workspace_drop: bool = member("May be dropped into a workspace.", default=True)
    reuse_in_layouts: bool = member("Instances of a hibernated layout are reused by the next one.", default=False)
    support_emails: Maybe[Many[str]] = member("Addresses of the owners.")
    asset: Maybe[Asset] = member("Archive to download and unpack.")
    allow_headers_manipulation: bool = member("May read and change request headers.", default=False)
    allow_auto_arrange: bool = member("May be arranged by code.", default=True)
    children_inherit_channel: Maybe[OneOf[bool | Many[str]]] = member(
        "Child windows join its channel: all, or those of the listed apps."
    )
    allow_script_execution: bool = member("May run code in its own and other windows.", default=False)
    critical: bool = member("The platform shuts down when it fails to load.", default=False)
    reuse_hidden_instances: bool = member("A hidden instance is shown instead of starting a new one.", default=False)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Add the schema of details for each type."""
        reference = super().__get_pydantic_json_schema__(core_schema, handler)
        _BY_TYPE.move_to_conditions(handler.resolve_ref_schema(reference), "details")
        return reference


def check_app(definition: object) -> list[Problem]:
    """Return all problems of a definition, an FDC3 record or a wrapper of either."""
    return _problems(definition, MOST_PROBLEMS)


def _problems(definition: object, most: int) -> list[Problem]:
    if is_wrapper(definition):
        outer = problems_in(definition, Wrapper)
        return [*outer, *under("manifest", _inner_problems(definition["manifest"], most - len(outer)))]
    shape = Fdc3Record if is_fdc3_record(definition) else AppDefinition
    return problems_in(definition, shape, most)


def _inner_problems(manifest: object, most: int) -> list[Problem]:
    if not isinstance(manifest, str):
        return []
    try:
        return _problems(unwrap(manifest), most)
    except Invalid as error:
        return [Problem(path="", message=f"must be JSON text of a definition: {error}")]
