"""The JSON Schema of the manager's configuration object."""

from typing import Any

from rostrum.manager.config.option import OptionInfo
from rostrum.manager.config.options import OPTIONS, ManagerConfig

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_OURS = ("x-env", "x-example", "x-property", "x-secret", "x-since", "x-unit")


def json_schema() -> dict[str, Any]:
    """Describe the configuration object to editors and validators."""
    described = ManagerConfig.model_json_schema()
    root = _group()
    root["properties"]["$schema"] = {"type": "string"}
    for name, body in described["properties"].items():
        info = OPTIONS[name]
        *groups, last = info.property.split(".")
        target = root
        for group in groups:
            target = target["properties"].setdefault(group, _group())
        target["properties"][last] = {**_plain(body), **_rules(info)}
    return {"$schema": _DRAFT, "title": "manager", **root, "$defs": _with_texts(described.get("$defs", {}))}


def _group() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "additionalProperties": False}


def _plain(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != "title" and name not in _OURS}


def _rules(info: OptionInfo) -> dict[str, Any]:
    rules = {"x-env": info.env, "x-unit": info.unit, "x-since": info.since, "writeOnly": info.secret}
    return {name: rule for name, rule in rules.items() if rule}


def _with_texts(shapes: dict[str, Any]) -> dict[str, Any]:
    """Allow a text for every list: one origin, or names separated by commas."""
    for shape in shapes.values():
        shape["properties"] = {
            name: _or_text(_plain(body)) if body.get("type") == "array" else _plain(body)
            for name, body in shape["properties"].items()
        }
    return shapes


def _or_text(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "type": ["array", "string"]}
