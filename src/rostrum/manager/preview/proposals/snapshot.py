"""ProposedSnapshot: an access snapshot that can be changed."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, TypeVar

from msgspec import Struct, field

from rostrum.base import json_text
from rostrum.manager.apps.model import AppAccess
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.document import Stamp
from rostrum.manager.effective.snapshot import AccessSnapshot
from rostrum.manager.groups.model import problems_of_new_groups, refuse_new_groups
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.users.model import Person

NEW = -1
"""The revision of contents that differ from the stored ones."""

Given = Mapping[str, Any]
"""The members that a write sends, by their Python names."""

Record = TypeVar("Record", AppAccess, LayoutAccess)


class ProposedSnapshot(Struct, kw_only=True):
    """An access snapshot that can be changed.

    Attributes:
        stored: The definitions of the apps and layouts that will be written, as they are stored.

    """

    now: datetime
    stored: Mapping[str, str] = field(default_factory=dict)
    users: dict[str, Person]
    groups: dict[str, tuple[str, ...]]
    priorities: dict[str, int]
    apps: dict[str, AppAccess]
    layouts: dict[str, LayoutAccess]
    chosen: dict[str, tuple[str, str]]
    configs: dict[str, ConfigFile]
    made: int = 0

    @classmethod
    def of(cls, snapshot: AccessSnapshot, stored: Mapping[str, str], now: datetime) -> "ProposedSnapshot":
        return cls(
            now=now,
            stored=stored,
            users=dict(snapshot.users),
            groups=dict(snapshot.groups),
            priorities=dict(snapshot.priorities),
            apps=dict(snapshot.apps),
            layouts=dict(snapshot.layouts),
            chosen=dict(snapshot.chosen),
            configs=dict(snapshot.configs),
        )

    def snapshot(self) -> AccessSnapshot:
        return AccessSnapshot(
            users=self.users,
            groups=self.groups,
            priorities=self.priorities,
            apps=self.apps,
            layouts=self.layouts,
            chosen=self.chosen,
            configs=self.configs,
        )

    def new_id(self) -> str:
        """Return a placeholder for an ID that the server would create."""
        self.made += 1
        return f"(new {self.made})"

    def stamp(self) -> Stamp:
        """Create the stamp of a written document."""
        return Stamp(revision=NEW, created=self.now, created_by="", modified=self.now, modified_by="")

    def name_groups(self, named: Iterable[str]) -> None:
        """Create groups that are named for the first time."""
        named = tuple(named)
        refuse_new_groups(problems_of_new_groups(named, self.groups))
        for name in named:
            self.groups.setdefault(name, ())
            self.priorities.setdefault(name, 0)

    def everyone_without(self, member: Literal["groups", "apps", "layouts"], name: str) -> None:
        """Remove a name from the list of every user."""
        for key, user in self.users.items():
            match member:
                case "groups":
                    self.users[key] = replace(user, groups=without(user.groups, name))
                case "apps":
                    self.users[key] = replace(user, apps=without(user.apps, name))
                case "layouts":
                    self.users[key] = replace(user, layouts=without(user.layouts, name))

    def shared(self, key: str, before: Record, given: Given) -> Record:
        """Change the access to an app or a layout, and mark it if its contents differ from the stored ones."""
        after = replace(
            before,
            public=given.get("public", before.public),
            access=names(given.get("access_list", before.access)),
            disabled=given.get("disabled", before.disabled),
        )
        self.name_groups(after.access)
        if "definition" not in given:
            return after
        text = json_text.dump(given["definition"]).decode()
        return after if self.stored.get(key) == text else replace(after, revision=NEW)


class Rules(ABC):
    """The rules of one document kind; creating uses all members, changing only those that are sent."""

    def __init__(self, proposed: ProposedSnapshot) -> None:
        self.proposed = proposed

    @abstractmethod
    def create(self, given: Given) -> None: ...

    @abstractmethod
    def change(self, key: str, given: Given) -> None: ...

    @abstractmethod
    def delete(self, key: str) -> None: ...


def names(given: Iterable[str]) -> tuple[str, ...]:
    """Return a list as the database would return it."""
    return tuple(sorted(set(given)))


def without(listed: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in listed if other != name) if name in listed else listed
