"""Descriptions of the settings: the reference page and the form of the admin UI."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from rostrum.settings.catalogue import Declaration, catalogue
from rostrum.settings.kinds import SettingsFile, name_pattern

_TOP = ""
_ITEMS = "[]."
_CONTROLS = {"boolean": "switch", "number": "number", "string": "text", "string[]": "list", "object": "map"}
_IN_COLUMNS = ("switch", "number", "text", "choice")
_MOST_COLUMNS = 4
_ABBREVIATIONS = {
    "env": "environment",
    "fdc3": "FDC3",
    "gw": "gateway",
    "html": "HTML",
    "id": "ID",
    "msg": "message",
    "rest": "REST",
    "sso": "SSO",
    "ttl": "TTL",
    "ui": "UI",
    "uri": "URI",
    "url": "URL",
    "vars": "variables",
}
"""How labels write parts of names; the exact name is shown next to the label."""
_HEAD = "| Setting | Type | Default | Allowed | Counts | Meaning |\n|---|---|---|---|---|---|"


def reference() -> str:
    """Write the reference page of all documents, one table per section."""
    parts = ["# Settings", "Generated from the declarations in `rostrum.settings`; `make generate` writes it again."]
    for kind in SettingsFile:
        parts.append(f"## {kind}")
        for key, declared in _sections(kind).items():
            heading = f"### `{key}`" if key else "### Single keys"
            about = [one.text for one in declared if one.path == key]
            rows = [_row(one) for one in declared if not one.container]
            parts += [heading, *about, "\n".join([_HEAD, *rows])]
    return "\n\n".join(parts) + "\n"


def form(kind: SettingsFile = SettingsFile.SYSTEM) -> dict[str, Any]:
    """Describe the form that edits a document, as JSON-able data.

    Settings inside the items of an array are not separate fields: they are columns of a field with the control
    ``items``, or a part of a field with the control ``json``.
    """
    return {
        "document": str(kind),
        "files": name_pattern(kind),
        "sections": [_form_section(*item) for item in _sections(kind).items()],
    }


def _sections(kind: SettingsFile) -> dict[str, list[Declaration]]:
    declared = catalogue(kind)
    found: dict[str, list[Declaration]] = {}
    for path, one in declared.items():
        key = re.split(r"[.\[]", path, maxsplit=1)[0]
        single = not declared[key].container and declared[key].type != "object[]"
        found.setdefault(_TOP if single else key, []).append(one)
    return found


def _row(one: Declaration) -> str:
    cells = (
        f"`{one.path}`",
        one.type,
        _default_text(one),
        _allowed_text(one),
        "; ".join(where_it_counts(one)),
        one.text,
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _default_text(one: Declaration) -> str:
    if one.required:
        return "required"
    return "" if one.default is None else f"`{json.dumps(one.default, ensure_ascii=False)}`"


def _allowed_text(one: Declaration) -> str:
    if one.enum:
        return ", ".join(f"`{word}`" for word in one.enum)
    unit = f" {one.unit}" if one.unit else ""
    if one.minimum is None:
        return unit.strip()
    high = "or more" if one.maximum is None else f"to {one.maximum}"
    return f"{one.minimum} {high}{unit}"


def where_it_counts(one: Declaration) -> Iterator[str]:
    """Return the version, stream, mode, sources and apps that a setting applies to."""
    if one.since:
        yield f"since {one.since}"
    if one.stream:
        yield f"{one.stream} stream"
    if one.mode:
        yield f"{one.mode} mode"
    if one.local_only:
        yield "local files only"
    if one.reapplied:
        yield "re-applied while running"
    if one.app_types:
        yield f"apps of type {', '.join(one.app_types)}"
    if one.addition:
        yield "addition to the specification"


def _form_section(key: str, declared: list[Declaration]) -> dict[str, Any]:
    fields = [one for one in declared if not one.container and _ITEMS not in one.path]
    return {
        "name": key,
        "label": _label(key) if key else "General",
        "text": next((one.text for one in declared if one.path == key), ""),
        "fields": [_form_field(one, key, declared) for one in fields],
    }


def _form_field(one: Declaration, section: str, declared: Iterable[Declaration]) -> dict[str, Any]:
    columns = _columns(one, declared)
    path = one.path.removeprefix(f"{section}.") if section else one.path
    facts = {
        "unit": None if one.unit is None else str(one.unit),
        "choices": list(one.enum),
        "minimum": one.minimum,
        "maximum": one.maximum,
        "since": one.since,
        "defaultByMode": {str(mode): value for mode, value in one.by_mode.items()},
        "required": one.required,
        "localOnly": one.local_only,
        "reapplied": one.reapplied,
        "counts": list(where_it_counts(one)),
        "columns": columns,
    }
    return {
        "path": one.path,
        "label": " › ".join(map(_label, path.split("."))),
        "control": "items" if columns else _control(one),
        "default": one.default,
        "text": one.text,
        # Most settings have few of these, and browsers load all of them.
        **{name: fact for name, fact in facts.items() if fact or (fact == 0 and fact is not False)},
    }


def _control(one: Declaration) -> str:
    if one.enum:
        return {"string": "choice", "string[]": "choices"}.get(one.type, "json")
    return _CONTROLS.get(one.type, "json")


def _columns(one: Declaration, declared: Iterable[Declaration]) -> list[dict[str, Any]]:
    """Return the columns for the items of an array, if they are simple; other members of the items are kept."""
    if one.type != "object[]":
        return []
    prefix = f"{one.path}{_ITEMS}"
    inside = [each for each in declared if each.path.startswith(prefix) and _control(each) in _IN_COLUMNS]
    if len(inside) > _MOST_COLUMNS:
        return []
    return [_form_field(each._replace(path=each.path.removeprefix(prefix)), "", ()) for each in inside]


def _label(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", name).split()
    text = " ".join(_ABBREVIATIONS.get(word.lower(), word if word.isupper() else word.lower()) for word in words)
    return text[:1].upper() + text[1:]
