"""FDC3 app directory records turned into app definitions that the platform can start."""

from rostrum.base.json_text import JsonObject
from rostrum.contracts.fdc3 import HOST, is_fdc3_record
from rostrum.contracts.wrapper import is_wrapper, unwrap

_SAME = {"title": "title", "version": "version", "tooltip": "tooltip", "description": "caption"}


def to_definition(entry: JsonObject) -> JsonObject:
    """Return the platform's definition of an entry that has passed its check; a definition stays itself."""
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
    own = (entry.get("hostManifests") or {}).get(HOST)
    if isinstance(own, dict):
        # The record's ID stays the name: a manifest must not pass for another app.
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


def _present(members: JsonObject) -> JsonObject:
    return {name: value for name, value in members.items() if value is not None}
