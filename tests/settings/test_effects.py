"""No setting is only declared: something outside the catalogue reads each of them."""

import ast
from functools import cache
from pathlib import Path

import pytest

import rostrum
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.roots import ROOTS
from rostrum.settings.scope import AppType
from rostrum.settings.setting import Section
from rostrum.settings.shape import members

_SOURCES = Path(rostrum.__file__).parent
_ACTING = ("client", "desktop", "gateway", "sources", "stores", "settings/sections")
_HANDED_ON = (
    "meta.color",
    "meta.fdc3",
    "scripts",
    "useBase64PreloadScripts",
    *(f"appDefinitionOverrides.{one}" for one in AppType),
)
"""Used with the whole object around them."""


@cache
def _names() -> frozenset[str]:
    """Every attribute that is read outside the catalogue, or by a section itself to show what follows from it.

    The tray reads its switches by the names of its lines, so that texts count too there.
    """
    found = set()
    for path in [path for folder in _ACTING for path in (_SOURCES / folder).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Attribute) and ("sections" not in path.parts or _is_own(node)):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and path.name == "tray.py" and isinstance(node.value, str):
                found.add(node.value)
    return frozenset(found)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _settings(section: type[Section], prefix: str = "") -> dict[str, str]:
    """The path of each setting, with the name of the attribute that holds it."""
    attributes = {field.alias or name: name for name, field in section.model_fields.items()}
    found = {}
    for member in members(section).values():
        path = f"{prefix}{member.name}"
        if not member.container:
            found[path] = attributes.get(member.name, member.name)
        for inner in member.sections:
            found |= _settings(inner, f"{path}[]." if member.many else f"{path}.")
    return found


@pytest.mark.parametrize("kind", [SettingsFile.SYSTEM, SettingsFile.GILDING, SettingsFile.ENV])
def test_every_setting_is_read_by_something_that_acts_on_it(kind: SettingsFile) -> None:
    used, settings = _names(), _settings(ROOTS[kind])
    assert len(settings) > 0
    unread = {path for path, attribute in settings.items() if attribute not in used}
    assert {path for path in unread if not path.endswith(_HANDED_ON)} == set()
