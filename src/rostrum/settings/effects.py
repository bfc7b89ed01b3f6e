"""Finds settings in a document that do more than change what the platform shows."""

from collections.abc import Iterator
from typing import Any

from rostrum.settings.kinds import SettingsFile
from rostrum.settings.scope import Effect
from rostrum.settings.setting import Section
from rostrum.settings.shape import Member, is_open, members


def far_reaching(kind: SettingsFile, document: Any) -> Iterator[str]:
    """Yield the paths of all settings that can run code, redirect, open files or permit more.

    Unknown settings count too: a desktop of another version may know them.
    """
    # Here, because a manager that only responds to desktops never needs the sections.
    from rostrum.settings.roots import ROOTS

    yield from _inside(ROOTS[kind], document, "")


def _inside(section: type[Section], given: Any, prefix: str) -> Iterator[str]:
    if not isinstance(given, dict):
        return
    known = members(section)
    for name, value in given.items():
        member, path = known.get(name), f"{prefix}{name}"
        if member is not None:
            yield from _of(member, value, path)
        elif not is_open(section):
            yield path


def _of(member: Member, value: Any, path: str) -> Iterator[str]:
    if member.facts.effect is Effect.PLAIN:
        return
    if member.facts.effect is not None or not member.sections:
        yield path
        return
    # Items of an array, or the members of a section.
    for item in value if isinstance(value, list) else [value]:
        for section in member.sections:
            yield from _inside(section, item, f"{path}.")
