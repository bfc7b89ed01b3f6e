"""Users: the stored record, and the parts of it that access decisions and sign-in need."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rostrum.manager.document import Document, Stamp, sorted_names
from rostrum.manager.events.model import BY_GROUPS, Audience, EventKind
from rostrum.manager.kinds import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class User(Document):
    """A user account.

    Attributes:
        groups: The groups the user was put in, before they are expanded.
        apps: Names of apps that are assigned to the user directly.
        layouts: IDs of layouts that are assigned to the user directly.
        service: Whether this is a service account: it has no password, and only API tokens act for it.
        epoch: Tokens and cached passwords of another epoch are invalid.

    """

    kind: ClassVar = Kind.USER

    id: str
    email: str | None = None
    groups: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    disabled: bool = False
    service: bool = False
    password_hash: str | None = field(default=None, repr=False)
    epoch: int = 0
    stamp: Stamp

    @property
    def key(self) -> str:
        return self.id

    def with_changes(
        self,
        *,
        groups: tuple[str, ...] | None = None,
        apps: tuple[str, ...] | None = None,
        disabled: bool | None = None,
        epoch: int | None = None,
        stamp: Stamp | None = None,
    ) -> "User":
        """Return the user with other values; for thousands of users, ``replace`` would take several times as long."""
        return User(
            id=self.id,
            email=self.email,
            groups=self.groups if groups is None else groups,
            apps=self.apps if apps is None else apps,
            layouts=self.layouts,
            disabled=self.disabled if disabled is None else disabled,
            service=self.service,
            password_hash=self.password_hash,
            epoch=self.epoch if epoch is None else epoch,
            stamp=self.stamp if stamp is None else stamp,
        )

    def members(self) -> dict[str, Any]:
        members = {
            "id": self.id,
            "email": self.email,
            "groups": sorted_names(self.groups),
            "apps": sorted_names(self.apps),
            "layouts": sorted_names(self.layouts),
            "disabled": self.disabled,
        }
        # Only where it is true: revisions from before there were service accounts stay as they are.
        return {**members, "service": True} if self.service else members

    @classmethod
    def changed_secrets(cls, before: "User | None", after: "User | None") -> tuple[str, ...]:
        old, new = (user.password_hash if user else None for user in (before, after))
        return ("password",) if old != new else ()

    @classmethod
    def audiences(cls, before: "User | None", after: "User | None") -> Iterator[Audience]:
        """Yield the user for each kind of document whose set changes; a new user has no clients yet."""
        if before is None:
            return
        if after is None:
            yield EventKind.ACCESS, before.id, ""
            return
        if (before.disabled, before.epoch, before.password_hash) != (after.disabled, after.epoch, after.password_hash):
            yield EventKind.ACCESS, before.id, ""
        if set(before.groups) != set(after.groups):
            yield from ((kind, before.id, "") for kind in BY_GROUPS)
        if set(before.apps) != set(after.apps):
            yield EventKind.APPS, before.id, ""
        if set(before.layouts) != set(after.layouts):
            yield EventKind.LAYOUTS, before.id, ""

    def as_json(self) -> dict[str, Any]:
        """Return the user without the password hash."""
        return {
            "id": self.id,
            "email": self.email,
            "groups": self.groups,
            "apps": self.apps,
            "layouts": self.layouts,
            "disabled": self.disabled,
            "service": self.service,
            **self.stamp.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The properties of a user that access decisions depend on."""

    id: str
    groups: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """The data of a user that is needed to check credentials.

    Attributes:
        groups: The groups the user was put in, before they are expanded.
        revision: The current revision of the database.
        is_revoked: Whether the given token was revoked.
        has_apps: Whether apps are assigned to the user by name.
        has_configs: Whether the user has own configuration files.
        has_rollouts: Whether a document is being rolled out in stages, to any users.

    """

    user: str
    password_hash: str | None = field(repr=False)
    disabled: bool
    epoch: int
    groups: tuple[str, ...] = ()
    revision: int = 0
    is_revoked: bool = False
    has_apps: bool = False
    has_configs: bool = False
    has_rollouts: bool = False
