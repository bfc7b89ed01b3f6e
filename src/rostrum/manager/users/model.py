"""Users: the stored record, and the parts of it that access decisions and sign-in need."""

from dataclasses import dataclass, field
from typing import Any

from rostrum.manager.stamp import Stamp


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person who may sign in.

    Attributes:
        groups: The groups the user was put in, before they are expanded.
        apps: Names of apps the user has been given directly.
        layouts: Ids of layouts the user has been given directly.
        epoch: Tokens and verified passwords of another epoch are void.

    """

    id: str
    email: str | None = None
    groups: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    disabled: bool = False
    password_hash: str | None = field(default=None, repr=False)
    epoch: int = 0
    stamp: Stamp

    def as_json(self) -> dict[str, Any]:
        """Show a self; the password hash stays here."""
        return {
            "id": self.id,
            "email": self.email,
            "groups": self.groups,
            "apps": self.apps,
            "layouts": self.layouts,
            "disabled": self.disabled,
            **self.stamp.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user as far as it matters for what they get."""

    id: str
    groups: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """The part of a user that checking credentials needs.

    Attributes:
        groups: The groups the user was put in, before they are expanded.
        revision: The newest revision of the whole database at this moment.
        is_revoked: Whether the token that was asked about has been ended.
        has_apps: Whether apps were given to the user by name.
        has_configs: Whether there are configuration files for this user alone.

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
