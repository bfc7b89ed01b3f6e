"""Documents as they are kept in the history: JSON text of the body that the admin API takes, without secrets."""

from typing import Any

import msgspec

from rostrum.base import json_text
from rostrum.manager.storage.kinds import Kind
from rostrum.manager.storage.records import App, ConfigFile, Group, Layout, Preference, Scope, User

__all__ = ["Document", "body_text", "key_of", "kind_of", "secrets_changed"]

Document = App | Layout | Preference | ConfigFile | User | Group

_KINDS: dict[type, Kind] = {
    App: Kind.APP,
    Layout: Kind.LAYOUT,
    Preference: Kind.PREFERENCE,
    ConfigFile: Kind.CONFIG,
    User: Kind.USER,
    Group: Kind.GROUP,
}


def kind_of(document: Document) -> Kind:
    """Tell the kind of a document."""
    return _KINDS[type(document)]


def key_of(document: Document) -> str:
    """Tell what a document is known by."""
    return document.name if isinstance(document, (App, Group)) else document.id


def body_text(document: Document) -> str:
    """Write a document as the history keeps it."""
    return json_text.dump(_body(document)).decode()


def secrets_changed(before: Document | None, after: Document | None) -> tuple[str, ...]:
    """Name the members that changed and must not be shown."""
    old = before.password_hash if isinstance(before, User) else None
    new = after.password_hash if isinstance(after, User) else None
    return ("password",) if old != new else ()


def _body(document: Document) -> dict[str, Any]:
    match document:
        case App():
            return {
                "definition": msgspec.Raw(document.definition.encode()),
                "public": document.public,
                "accessList": _names(document.access),
                "disabled": document.disabled,
            }
        case Layout():
            return {
                "definition": msgspec.Raw(document.definition.encode()),
                "owner": document.owner,
                "public": document.public,
                "accessList": _names(document.access),
                "default": document.default,
                "disabled": document.disabled,
            }
        case Preference():
            data = msgspec.Raw(document.data.encode())
            return {"user": document.user, "app": document.app, "data": data}
        case ConfigFile():
            where = {} if document.scope is Scope.BASE else {document.scope.value: document.target}
            return {"file": document.file, **where, "contents": msgspec.Raw(document.contents.encode())}
        case User():
            return {
                "id": document.id,
                "email": document.email,
                "groups": _names(document.groups),
                "apps": _names(document.apps),
                "layouts": _names(document.layouts),
                "disabled": document.disabled,
            }
        case Group():
            return {"name": document.name, "priority": document.priority, "expandsTo": _names(document.expands_to)}


def _names(values: tuple[str, ...]) -> list[str]:
    # The order in which the database keeps them.
    return sorted(set(values))
