"""Converts FDC3 app directory records to app definitions."""

from typing import Any

from rostrum.base.json_text import JsonObject
from rostrum.contracts.fdc3 import HOST, is_fdc3_record
from rostrum.contracts.wrapper import is_wrapper, unwrap

_SAME = {"title": "title", "version": "version", "tooltip": "tooltip", "description": "caption"}
_INTENT_TEXTS = ("displayName", "resultType")


def to_definition(entry: JsonObject) -> JsonObject:
    """Return the platform's definition of a valid entry; a definition is returned unchanged."""
    if is_wrapper(entry):
        return to_definition({**unwrap(entry["manifest"]), "name": entry["name"]})
    if not is_fdc3_record(entry):
        return entry
    kind, details = _start(entry)
    definition = {"name": entry["appId"], "type": kind, "details": details, "fdc3": entry}
    for theirs, ours in _SAME.items():
        if entry.get(theirs):
            definition[ours] = entry[theirs]
    icons = entry.get("icons")
    if icons:
        definition["icon"] = icons[0]["src"]
    intents = _intents(entry)
    if intents:
        definition["intents"] = intents
    own = (entry.get("hostManifests") or {}).get(HOST)
    if isinstance(own, dict):
        # The name is the record's ID: a manifest must not impersonate another app.
        details = {**details, **(own.get("details") or {})}
        definition = {**definition, **own, "name": entry["appId"], "details": details}
    return definition


def _start(record: JsonObject) -> tuple[str, JsonObject]:
    details = record["details"]
    match record["type"]:
        case "native":
            return "exe", _present({"path": details["path"], "parameters": details.get("arguments")})
        case "onlineNative":
            return "clickonce", {"url": details["url"]}
        case "citrix":
            return "citrix", _present({"name": details["alias"], "parameters": details.get("arguments")})
        case _:
            return "window", _present({"url": details.get("url")})


def _intents(record: JsonObject) -> list[JsonObject]:
    """Return the intents of a record; this part is not validated before, so invalid values are omitted."""
    found: Any = record
    for name in ("interop", "intents", "listensFor"):
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        return []
    return [_intent(name, declared) for name, declared in found.items() if name and isinstance(declared, dict)]


def _intent(name: str, declared: JsonObject) -> JsonObject:
    contexts = declared.get("contexts")
    texts = {member: declared[member] for member in _INTENT_TEXTS if isinstance(declared.get(member), str)}
    accepted = [one for one in contexts if isinstance(one, str)] if isinstance(contexts, list) else []
    return {"name": name, **texts, "contexts": accepted}


def _present(members: JsonObject) -> JsonObject:
    return {name: value for name, value in members.items() if value is not None}
