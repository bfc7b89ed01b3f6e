"""Users in the admin API."""

from typing import ClassVar

from pydantic import Field

from rostrum.contracts.body import Body, Change, ListView, Stamped, View
from rostrum.contracts.names import Email, GroupName, Id, Name, NewUserId, Password, UserId


class UserDocument(Body):
    """A complete user. The password is not changed if none is sent."""

    id: UserId | None = Field(None, description="May be sent back, but cannot change.")
    password: Password | None = None
    email: Email | None = None
    groups: list[GroupName] = Field(default=[], max_length=1000)
    apps: list[Name] = Field(default=[], max_length=10_000, description="Apps assigned directly to this user.")
    layouts: list[Id] = Field(default=[], max_length=10_000, description="Layouts assigned directly to this user.")
    disabled: bool = False
    service: bool | None = Field(None, description="May be sent back, but cannot change.")


class NewUser(UserDocument):
    """A user to be made."""

    id: NewUserId
    service: bool = Field(
        default=False,
        description="Whether this is a service account: it has no password, and only API tokens act for it.",
    )


class PasswordChange(Body):
    """The caller's own new password, with the current one as proof."""

    server_filled: ClassVar[frozenset[str]] = frozenset()

    current: Password = Field(description="The current password.")
    new: Password = Field(description="The new password; the server's password policy applies.")


class UserChange(Change):
    """Some members of a user."""

    id: UserId | None = Field(None, description="May be sent back, but cannot change.")
    password: Password | None = None
    email: Email | None = None
    groups: list[GroupName] = Field(default=[], max_length=1000)
    apps: list[Name] = Field(default=[], max_length=10_000)
    layouts: list[Id] = Field(default=[], max_length=10_000)
    disabled: bool = False
    service: bool | None = Field(None, description="May be sent back, but cannot change.")


class UserView(Stamped):
    """A user in responses, which never contain the password."""

    id: str
    email: str | None
    groups: list[str]
    apps: list[str]
    layouts: list[str]
    disabled: bool
    service: bool = Field(description="Whether this is a service account, which cannot sign in with a password.")


class QuotaUseView(View):
    """The use of one quota by a user."""

    name: str = Field(description="The setting without its prefix `quotas.`.")
    used: int
    limit: int | None = Field(description="Null when there is no limit.")


class UsageView(View):
    """The use of all quotas by a user."""

    items: list[QuotaUseView]


class UserList(ListView):
    """One page of users."""

    items: list[UserView]
