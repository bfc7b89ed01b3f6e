"""Creates the JSON Schema of a document from the declarations."""

from collections.abc import Mapping
from typing import Any

from rostrum.settings.kinds import SettingsFile
from rostrum.settings.roots import ROOTS
from rostrum.settings.scope import Scope
from rostrum.settings.setting import Section
from rostrum.settings.shape import Member, is_open, members

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: Mapping[str, Mapping[str, Any]] = {
    "boolean": {"type": "boolean"},
    "number": {"type": "number"},
    "string": {"type": "string"},
    "string[]": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object"},
    "unknown": {},
}


def json_schema(kind: SettingsFile) -> dict[str, Any]:
    """Create the JSON Schema of a kind of document."""
    body = _section(ROOTS[kind])
    body["properties"] = {"$schema": {"type": "string"}, **body["properties"]}
    return {"$schema": _DRAFT, "title": str(kind), **body}


def _section(section: type[Section]) -> dict[str, Any]:
    known = members(section)
    required = [name for name, member in known.items() if member.facts.required]
    body: dict[str, Any] = {
        "type": "object",
        "properties": {name: _member(member) for name, member in known.items()},
        "additionalProperties": is_open(section),
    }
    return {**body, "required": required} if required else body


def _member(member: Member) -> dict[str, Any]:
    body = {"description": member.text, **_shape(member)}
    if member.default is not None:
        body["default"] = member.default
    return {**body, **_rules(member)}


def _shape(member: Member) -> dict[str, Any]:
    if member.sections:
        return _nested(member)
    body = {**_SIMPLE[member.type], **member.hints}
    if member.enum and member.type == "string[]":
        body["items"] = {"type": "string", "enum": list(member.enum)}
    elif member.enum:
        body["enum"] = list(member.enum)
    bounds = {"minimum": member.minimum, "maximum": member.maximum}
    return {**body, **{name: bound for name, bound in bounds.items() if bound is not None}}


def _nested(member: Member) -> dict[str, Any]:
    kinds = [_section(section) for section in member.sections]
    inner = kinds[0] if len(kinds) == 1 else {"oneOf": kinds}
    if member.many:
        return {"type": "array", "items": inner}
    if member.plain:
        return {"anyOf": [dict(_SIMPLE["string[]"]), inner]}
    return inner


def _rules(member: Member) -> dict[str, Any]:
    facts = member.facts
    rules = {
        "x-unit": facts.unit,
        "x-since": facts.since,
        "x-stream": facts.stream,
        "x-mode": facts.mode,
        "x-localOnly": facts.scope is Scope.LOCAL_ONLY,
        "x-reapplied": facts.scope is Scope.REAPPLIED,
        "x-appTypes": [str(one) for one in facts.app_types],
        "x-defaultByMode": {str(mode): value for mode, value in facts.by_mode.items()},
        "writeOnly": facts.secret,
    }
    return {name: str(rule) if isinstance(rule, str) else rule for name, rule in rules.items() if rule}
