"""Reads the demo content of the package: one JSON array for each kind of object."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from rostrum.base import json_text

Items = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoContent:
    """The content of the demo firm; each field is the file of the same name.

    Attributes:
        desktops: The simulated desktops; those that are online run next to the manager.
        sessions: Past sessions of these desktops.
        crashes: Those with ``afterChanges`` arrive after the changes, and keep their time.
        changes: Changes of configuration files, so that a crash has a preceding change.

    """

    groups: Items
    users: Items
    apps: Items
    layouts: Items
    preferences: Items
    configs: Items
    desktops: Items
    sessions: Items
    commands: Items
    crashes: Items
    feedback: Items
    changes: Items


def read_demo() -> DemoContent:
    """Read all demo files of the package."""
    folder = files(__package__) / "content"
    read = {
        field.name: tuple(json_text.parse((folder / f"{field.name}.json").read_bytes()))
        for field in fields(DemoContent)
    }
    return DemoContent(**read | {"crashes": (*read["crashes"], *_repeated(read["crashes"]))})


def _repeated(crashes: Items) -> Iterator[dict[str, Any]]:
    """Yield the same crashes for other users and times, so that crash groups have several reports."""
    for crash in crashes:
        for again in crash.get("again", ()):
            guid = str(uuid5(NAMESPACE_DNS, again["user"]))
            fields = {**crash["fields"], "guid": guid}
            yield {"minidump": crash["minidump"], **again, "fields": fields} | (
                {"dump": crash["dump"]} if "dump" in crash else {}
            )
