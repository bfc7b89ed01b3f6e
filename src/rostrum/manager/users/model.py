"""Users: the stored record, and the parts of it that access decisions and sign-in need."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from rostrum.manager.document import Document, Stamp, sorted_names
from rostrum.manager.events.model import BY_GROUPS, Audience, EventKind
from rostrum.manager.kinds import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class User(Document):
    """A user account.

    Attributes:
        groups: The groups that the user is a direct member of, without inherited groups.
        apps: Names of apps that are assigned to the user directly.
        layouts: IDs of layouts that are assigned to the user directly.
        display_name: The name that is shown next to the ID.
        disabled_since: When the user was disabled; ``None`` if the user is enabled or the time was not recorded.
        service: Whether this is a service account: it has no password, and only API tokens act for it.
        epoch: Sign-ins, client tokens and cached passwords of an earlier epoch are invalid.

    """

    kind: ClassVar = Kind.USER

    id: str
    email: str | None = None
    groups: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    disabled: bool = False
    service: bool = False
    display_name: str | None = None
    disabled_since: datetime | None = None
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
        disabled_since: datetime | None = None,
        epoch: int | None = None,
        stamp: Stamp | None = None,
        **texts: str | None,
    ) -> "User":
        """Return a changed copy. For thousands of users, ``replace`` would take several times as long.

        ``texts`` are ``email`` and ``display_name``; ``None`` removes them.
        """
        is_disabled = self.disabled if disabled is None else disabled
        return User(
            id=self.id,
            email=texts.get("email", self.email),
            groups=self.groups if groups is None else groups,
            apps=self.apps if apps is None else apps,
            layouts=self.layouts,
            disabled=is_disabled,
            service=self.service,
            display_name=texts.get("display_name", self.display_name),
            disabled_since=(disabled_since or self.disabled_since) if is_disabled else None,
            password_hash=self.password_hash,
            epoch=self.epoch if epoch is None else epoch,
            stamp=self.stamp if stamp is None else stamp,
        )

    def time_disabled(self, before: "User | None", now: datetime) -> datetime | None:
        """Return the time since which this user is disabled, if the change from ``before`` is made now."""
        if not self.disabled:
            return None
        return before.disabled_since if before is not None and before.disabled else now

    def members(self) -> dict[str, Any]:
        members: dict[str, Any] = {
            "id": self.id,
            "email": self.email,
            "groups": sorted_names(self.groups),
            "apps": sorted_names(self.apps),
            "layouts": sorted_names(self.layouts),
            "disabled": self.disabled,
        }
        # Only if set: revisions from before these members existed must stay equal to users without them.
        if self.display_name is not None:
            members["displayName"] = self.display_name
        if self.service:
            members["service"] = True
        return members

    @classmethod
    def changed_secrets(cls, before: "User | None", after: "User | None") -> tuple[str, ...]:
        old, new = (user.password_hash if user else None for user in (before, after))
        return ("password",) if old != new else ()

    @classmethod
    def audiences(cls, before: "User | None", after: "User | None") -> Iterator[Audience]:
        """Yield an audience for each kind of content that changes for the user; a new user has no clients yet."""
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
            "displayName": self.display_name,
            "email": self.email,
            "groups": self.groups,
            "apps": self.apps,
            "layouts": self.layouts,
            "disabled": self.disabled,
            "disabledSince": self.disabled_since,
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
        groups: The groups that the user is a direct member of, without inherited groups.
        revision: The current revision of the database.
        is_revoked: Whether the given token was revoked.
        has_apps: Whether apps are assigned to the user by name.
        has_configs: Whether configuration files for this user exist.
        has_rollouts: Whether any document is being rolled out in stages.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut:
    """The sessions of a user that were ended.

    Attributes:
        desktops: The number of client sessions. Sessions of pages end too, and are not recorded.
        api_tokens: The number of revoked API tokens.

    """

    user: str
    desktops: int
    api_tokens: int

    def as_json(self) -> dict[str, Any]:
        return {"user": self.user, "desktops": self.desktops, "apiTokens": self.api_tokens}
