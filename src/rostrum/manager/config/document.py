"""Converts the members of the configuration object to options, and back."""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from rostrum.base.json_text import JsonObject
from rostrum.base.problems import Problem
from rostrum.manager.config.option import OptionInfo
from rostrum.manager.config.options import OPTIONS
from rostrum.manager.config.wording import nearest, printable

_BY_PATH = {tuple(info.property.split(".")): info for info in OPTIONS.values()}
_GROUPS = {path[:-1] for path in _BY_PATH if len(path) > 1}
_IGNORED = {("$schema",)}
_ALIASES = {".".join(path): ".".join(path) for path in _GROUPS} | {
    alias: info.property for path, info in _BY_PATH.items() for alias in (path[-1], info.env, info.field, info.property)
}
"""Alternative names of properties."""


class DocumentValues(Struct):
    """The values in the configuration object.

    Attributes:
        values: by field name.
        failed: fields whose value in the object has an invalid structure.
    """

    values: dict[str, Any] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def read_document(document: Mapping[str, Any] | None) -> DocumentValues:
    """Find the options and the unknown members of the object."""
    found = DocumentValues()
    if document is None:
        return found
    if not isinstance(document, Mapping):
        message = "the configuration must be a JSON object"
        found.problems.append(Problem(path="", message=message))
        return found
    _walk(document, (), found)
    return found


def nest(values: Mapping[str, Any]) -> JsonObject:
    """Write values, by field name, as a configuration object."""
    document: JsonObject = {}
    for name, value in values.items():
        *groups, last = OPTIONS[name].property.split(".")
        target = document
        for group in groups:
            target = target.setdefault(group, {})
        target[last] = value
    return document


def lines_to_add(info: OptionInfo, value: Any) -> str:
    """Show how to set an option, in the object and in the environment."""
    member = json.dumps(nest({info.field: value}), ensure_ascii=False)[1:-1]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (
        f"add to the configuration file:\n      {member}\n"
        f"    or set the environment variable:\n      {info.env}={shlex.quote(text)}"
    )


def _walk(node: Mapping[Any, Any], above: tuple[str, ...], out: DocumentValues) -> None:
    for key, value in node.items():
        path = (*above, str(key))
        info = _BY_PATH.get(path)
        if path in _IGNORED or (value is None and (info or path in _GROUPS)):
            continue
        if info:
            out.values[info.field] = value
        elif path not in _GROUPS:
            out.problems.append(_unknown(path))
        elif isinstance(value, Mapping):
            _walk(value, path, out)
        else:
            _refuse_group(path, out)


def _refuse_group(path: tuple[str, ...], out: DocumentValues) -> None:
    inside = {p: info for p, info in _BY_PATH.items() if p[:-1] == path}
    out.failed.update(info.field for info in inside.values())
    names = ", ".join(p[-1] for p in inside)
    message = f"must be an object with members out of {names}"
    out.problems.append(Problem(path=".".join(path), message=message))


def _unknown(path: tuple[str, ...]) -> Problem:
    name = ".".join(path)
    meant = _ALIASES.get(nearest(name, _ALIASES) or "")
    if meant is None:
        message = "unknown setting"
    elif meant == name:
        message = f"must be nested: {_nested(name)}"
    else:
        message = f"unknown setting; did you mean {meant}?"
    return Problem(path=printable(name), message=message)


def _nested(name: str) -> str:
    info = _BY_PATH[tuple(name.split("."))]
    return json.dumps(nest({info.field: "…"}), ensure_ascii=False)


def starter_document(
    origin: str,
    secret: str,
    store: str,
    *,
    users: Sequence[str] = (),
    port: int | None = None,
    base: str | None = None,
) -> JsonObject:
    """Set everything that a first start requires; ``users`` are ``user-id:password``."""
    default = {name: info.default for name, info in OPTIONS.items()}
    return nest(
        {
            "port": default["port"] if port is None else port,
            "base": default["base"] if base is None else base,
            "store": store,
            "auth_method": OPTIONS["auth_method"].example,
            "predefined_users": list(users),
            "session_lifetime": default["session_lifetime"],
            "use_session_cookie": default["use_session_cookie"],
            "cors": {"credentials": True, "origin": origin},
            "token_secret": secret,
        }
    )
