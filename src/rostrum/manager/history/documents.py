"""Documents as they are kept in the history: JSON text of the body that the admin API takes, without secrets."""

from typing import Any

from rostrum.base import json_text
from rostrum.manager.apps.model import App
from rostrum.manager.configs.model import ConfigFile, Scope
from rostrum.manager.groups.model import Group
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.model import Layout
from rostrum.manager.preferences.model import Preference
from rostrum.manager.users.model import User

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
    return _KINDS[type(document)]


def key_of(document: Document) -> str:
    return document.name if isinstance(document, (App, Group)) else document.id


def content_of(document: Document) -> str:
    """Give the JSON text that a document holds as it is; it may be large."""
    match document:
        case App() | Layout():
            return document.definition
        case Preference():
            return document.data
        case ConfigFile():
            return document.contents
        case User() | Group():
            return ""


def body_text(document: Document) -> str:
    """Write a document as the history keeps it.

    The content is copied, once: transactions call this, and other writers wait for them.
    """
    name, before, after = _body(document)
    if not name:
        return json_text.dump(after).decode()
    head = json_text.dump({**before, name: None}).decode().removesuffix("null}")
    tail = json_text.dump(after).decode().replace("{", ",", 1) if after else "}"
    return "".join((head, content_of(document), tail))


def secrets_changed(before: Document | None, after: Document | None) -> tuple[str, ...]:
    """Name the members that changed and must not be shown."""
    old = before.password_hash if isinstance(before, User) else None
    new = after.password_hash if isinstance(after, User) else None
    return ("password",) if old != new else ()


def _body(document: Document) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Give the name of the member that holds the content, and the members before and after it."""
    match document:
        case App():
            after = {
                "public": document.public,
                "accessList": _names(document.access),
                "disabled": document.disabled,
            }
            return "definition", {}, after
        case Layout():
            after = {
                "owner": document.owner,
                "public": document.public,
                "accessList": _names(document.access),
                "default": document.default,
                "disabled": document.disabled,
            }
            return "definition", {}, after
        case Preference():
            return "data", {"user": document.user, "app": document.app}, {}
        case ConfigFile():
            where = {} if document.scope is Scope.BASE else {document.scope.value: document.target}
            return "contents", {"file": document.file, **where}, {}
        case User():
            after = {
                "id": document.id,
                "email": document.email,
                "groups": _names(document.groups),
                "apps": _names(document.apps),
                "layouts": _names(document.layouts),
                "disabled": document.disabled,
            }
            return "", {}, after
        case Group():
            expands_to = _names(document.expands_to)
            return "", {}, {"name": document.name, "priority": document.priority, "expandsTo": expands_to}


def _names(values: tuple[str, ...]) -> list[str]:
    # The order in which the database keeps them.
    return sorted(set(values))
