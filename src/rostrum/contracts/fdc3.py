"""FDC3 2.2 app directory records: detection, validation, conversion."""

import re
from typing import Annotated, Any, Literal, TypeGuard

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from rostrum.base.json_text import JsonObject
from rostrum.base.problems import Problem
from rostrum.contracts.addresses import PageAddress
from rostrum.contracts.choice import BySibling
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.validation_messages import problems_in
from rostrum.contracts.values import DocumentName, Free, Many
from rostrum.contracts.wrapper import is_wrapper, unwrap

HOST = "rostrum"
"""The name of this platform in the ``hostManifests`` of a record."""

_ABSOLUTE = re.compile(r"(https?|data|file|about):", re.IGNORECASE)
_EMAIL = re.compile(r"[^@\s<>\"(),:;]+@[A-Za-z0-9.-]+")
"""Types of the standard's record; others are in our manifest."""

_RECORD_TYPES = {
    "window": "web",
    "webgroup": "web",
    "workspaces": "web",
    "exe": "native",
    "node": "native",
    "clickonce": "onlineNative",
    "citrix": "citrix",
    "childwindow": "other",
    "activity": "other",
}


class WebDetails(Open):
    """The address of a page or an installer."""

    url: PageAddress = Field(min_length=1, description="Its address.")


class NativeDetails(Open):
    """The path of a program."""

    path: str = Field(min_length=1, description="Path of the program.")
    arguments: Maybe[str] = member("Its arguments.")


class CitrixDetails(Open):
    """The identification of an app in Citrix."""

    alias: str = Field(min_length=1, description="Its alias.")
    arguments: Maybe[str] = member("Its arguments.")


class OtherDetails(Open):
    """No members: the start data is in a host's manifest."""


_DETAILS = BySibling(
    {
        "web": WebDetails,
        "native": NativeDetails,
        "citrix": CitrixDetails,
        "onlineNative": WebDetails,
        "other": OtherDetails,
    }
)


class Icon(Open):
    """A picture that stands for an app."""

    src: str = Field(description="Address of the picture.")


class Fdc3Record(Open):
    """An app as an FDC3 2.x directory describes it."""

    app_id: DocumentName = Field(description="Unique id in the directory.")
    title: str = Field(min_length=1, description="Display title.")
    type: Literal["web", "native", "citrix", "onlineNative", "other"] = Field(description="Technology of the app.")
    details: Annotated[WebDetails | NativeDetails | CitrixDetails | OtherDetails, _DETAILS] = Field(
        description="Data required to start the app."
    )
    name: Maybe[DocumentName] = member("Name of the app.", deprecated=True)
    version: Maybe[str] = member("Version text.")
    tooltip: Maybe[str] = member("Tooltip in launchers.")
    description: Maybe[str] = member("Longer description.")
    icons: Maybe[Many[Icon]] = member("Pictures that stand for it.")
    contact_email: Maybe[str] = member("Address for questions.")
    support_email: Maybe[str] = member("Address for help.")
    interop: Maybe[Free] = member("Intents and channels it uses.")
    host_manifests: Maybe[Free] = member("Additional data for specific hosts.")

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Add the schema of details for each type."""
        reference = super().__get_pydantic_json_schema__(core_schema, handler)
        _DETAILS.move_to_conditions(handler.resolve_ref_schema(reference), "details")
        return reference


def is_fdc3_record(definition: object) -> TypeGuard[JsonObject]:
    """Return whether a document is a directory record, not a platform definition."""
    if not isinstance(definition, dict) or not isinstance(definition.get("appId"), str):
        return False
    kind = definition.get("type")
    if kind == "citrix":
        # Both formats have this type: a platform definition has a name, a record an alias.
        details = definition.get("details")
        return "name" not in definition or (isinstance(details, dict) and "alias" in details)
    return not isinstance(kind, str) or kind.lower() not in _RECORD_TYPES


def check_record(definition: object) -> list[Problem]:
    """Return all problems of a directory record."""
    return problems_in(definition, Fdc3Record)


def app_name(definition: JsonObject) -> str:
    """Return the key of a valid definition."""
    name: str = definition.get("name") or definition["appId"]
    return name


def to_record(definition: JsonObject) -> JsonObject:
    """Convert a valid definition to a directory record; a record keeps its members."""
    if is_wrapper(definition):
        return to_record({**unwrap(definition["manifest"]), "name": app_name(definition)})
    if is_fdc3_record(definition):
        return _with_contexts(definition)
    kind, details = _start(definition)
    emails = [*filter(_EMAIL.fullmatch, definition.get("supportEmails") or ()), None]
    icon, intents = definition.get("icon"), definition.get("intents")
    record = {
        "appId": app_name(definition),
        "title": definition.get("title") or app_name(definition),
        "type": kind,
        "details": details,
        "version": definition.get("version"),
        "tooltip": definition.get("tooltip"),
        "description": definition.get("caption"),
        "icons": [{"src": icon}] if icon and _ABSOLUTE.match(icon) else None,
        "contactEmail": _email(definition.get("contactEmail")) or emails[0],
        "supportEmail": _email(definition.get("supportEmail")) or emails[0],
        "interop": {"intents": {"listensFor": _listens_for(intents)}} if intents else None,
        "hostManifests": {HOST: definition},
    }
    return _present(record)


def _with_contexts(record: JsonObject) -> JsonObject:
    """Return a record whose intents all have a list of contexts.

    The standard requires the list, but stored records are not validated for it. Agents that require it fail for all
    apps of a directory if one intent lacks it.
    """
    interop = record.get("interop")
    intents = interop.get("intents") if isinstance(interop, dict) else None
    if not isinstance(interop, dict) or not isinstance(intents, dict) or "listensFor" not in intents:
        return record
    declared = intents["listensFor"] if isinstance(intents["listensFor"], dict) else {}
    listens_for = {
        name: intent if isinstance(intent.get("contexts"), list) else {**intent, "contexts": []}
        for name, intent in declared.items()
        if isinstance(intent, dict)
    }
    return {**record, "interop": {**interop, "intents": {**intents, "listensFor": listens_for}}}


def _email(text: str | None) -> str | None:
    return text if text and _EMAIL.fullmatch(text) else None


def _start(definition: JsonObject) -> tuple[str, JsonObject]:
    """Return type and details; an app without the required details of its type is for our host only."""
    kind, details = _RECORD_TYPES[definition["type"].lower()], definition["details"]
    arguments = details.get("parameters")
    match kind:
        case "web" | "onlineNative":
            needed = written = {"url": details.get("url")}
        case "native":
            needed = {"path": _program(details)}
            written = {**needed, "arguments": arguments}
        case "citrix":
            needed = {"alias": details.get("name")}
            written = {**needed, "arguments": arguments}
        case _:
            needed = written = {}
    return (kind, _present(written)) if _present(needed) == needed else ("other", {})


def _program(details: JsonObject) -> str | None:
    folder, command = details.get("path"), details.get("command")
    if folder and command:
        separator = "\\" if "\\" in folder else "/"
        return f"{folder.rstrip(separator)}{separator}{command}"
    remote = details.get("remote") or {}
    return folder or command or remote.get("url")


def _listens_for(intents: list[JsonObject]) -> JsonObject:
    return {
        intent["name"]: _present(
            {
                "displayName": intent.get("displayName"),
                "contexts": intent.get("contexts", []),
                "resultType": intent.get("resultType"),
            }
        )
        for intent in intents
    }


def _present(members: dict[str, Any]) -> JsonObject:
    return {name: value for name, value in members.items() if value is not None and value != ""}
