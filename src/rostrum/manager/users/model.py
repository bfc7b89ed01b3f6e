"""Users: the stored record, and the parts of it that access decisions and sign-in need."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from rostrum.manager.audiences import BY_GROUPS, Audience, EventKind
from rostrum.manager.document import Document, DocumentStructMeta, Stamp, sorted_names
from rostrum.manager.kinds import Kind

_encode = msgspec.json.Encoder().encode
_traits = attrgetter("email", "groups", "apps", "layouts", "disabled", "display_name", "service")


class _Body(Struct, frozen=True, omit_defaults=True):
    """The members of a user, in the order in which they are written."""

    id: str
    email: str | None
    groups: Sequence[str]
    apps: Sequence[str]
    layouts: Sequence[str]
    disabled: bool
    # Only if set: revisions from before these members existed must stay equal to users without them.
    displayName: str | UnsetType = UNSET  # noqa: N815 - as clients send it
    service: bool = False


class User(Struct, Document, frozen=True, kw_only=True, metaclass=DocumentStructMeta):
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
    password_hash: str | None = None
    epoch: int = 0
    stamp: Stamp

    def __repr__(self) -> str:
        """Describe the user without the password hash."""
        shown = ((name, getattr(self, name)) for name in self.__struct_fields__ if name != "password_hash")
        return f"User({', '.join(f'{name}={value!r}' for name, value in shown)})"

    @property
    def key(self) -> str:
        return self.id

    @property
    def revision(self) -> int:
        """The revision of the last change."""
        return self.stamp.revision

    @property
    def account(self) -> str:
        """Return the name of the account: a user who is created again with the same ID has another account."""
        return self.stamp.created.isoformat(timespec="milliseconds")

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
        """Return a changed copy; values that are ``None`` stay as they are.

        ``texts`` are ``email`` and ``display_name``; ``None`` removes them.
        """
        changes: dict[str, Any] = texts
        if groups is not None:
            changes["groups"] = groups
        if apps is not None:
            changes["apps"] = apps
        if disabled is not None:
            changes["disabled"] = disabled
        if epoch is not None:
            changes["epoch"] = epoch
        if stamp is not None:
            changes["stamp"] = stamp
        is_disabled = self.disabled if disabled is None else disabled
        changes["disabled_since"] = (disabled_since or self.disabled_since) if is_disabled else None
        return replace(self, **changes)

    def time_disabled(self, before: "User | None", now: datetime) -> datetime | None:
        """Return the time since which this user is disabled, if the change from ``before`` is made now."""
        if not self.disabled:
            return None
        return before.disabled_since if before is not None and before.disabled else now

    def members(self) -> dict[str, Any]:
        members: dict[str, Any] = msgspec.to_builtins(self._body())
        return members

    def body_text(self) -> str:
        return _encode(self._body()).decode()

    def traits(self) -> tuple[Any, ...]:
        values: tuple[Any, ...] = _traits(self)
        return values

    def _body(self) -> _Body:
        return _Body(
            self.id,
            self.email,
            sorted_names(self.groups),
            sorted_names(self.apps),
            sorted_names(self.layouts),
            self.disabled,
            UNSET if self.display_name is None else self.display_name,
            self.service,
        )

    @classmethod
    def changed_secrets(cls, before: "User | None", after: "User | None") -> tuple[str, ...]:
        old = before.password_hash if before else None
        new = after.password_hash if after else None
        return ("password",) if old != new else ()

    @classmethod
    def audiences(cls, before: "User | None", after: "User | None") -> Sequence[Audience]:
        """Return an audience for each kind of content that changes for the user; a new user has no clients yet."""
        if before is None:
            return ()
        if after is None:
            return ((EventKind.ACCESS, before.id, ""),)
        kinds: list[EventKind] = []
        if (
            before.disabled != after.disabled
            or before.epoch != after.epoch
            or before.password_hash != after.password_hash
        ):
            kinds.append(EventKind.ACCESS)
        if _differ(before.groups, after.groups):
            kinds += BY_GROUPS
        if _differ(before.apps, after.apps):
            kinds.append(EventKind.APPS)
        if _differ(before.layouts, after.layouts):
            kinds.append(EventKind.LAYOUTS)
        return [(kind, before.id, "") for kind in kinds]

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


class UserOutline(Struct, frozen=True):
    """What the preview of a bulk change needs to know about a user; the names are those of ``User``."""

    id: str
    disabled: bool
    revision: int
    groups: tuple[str, ...]
    apps: tuple[str, ...]


def _differ(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    return before is not after and before != after and set(before) != set(after)


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


class SignedOut(Struct, frozen=True, kw_only=True):
    """The sessions of a user that were ended.

    Attributes:
        desktops: The number of client sessions. Sessions of pages end too, and are not recorded.
        api_tokens: The number of revoked API tokens.
        planned_work: The number of command runs, commands, bulk changes and roll-outs that were stopped.

    """

    user: str
    desktops: int = 0
    api_tokens: int
    planned_work: int

    def as_json(self) -> dict[str, Any]:
        return {
            "user": self.user,
            "desktops": self.desktops,
            "apiTokens": self.api_tokens,
            "plannedWork": self.planned_work,
        }
