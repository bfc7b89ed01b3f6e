"""Users in the admin API."""

from datetime import datetime
from typing import ClassVar

from pydantic import Field

from rostrum.contracts.body import Body, Change, ListView, Stamped, View
from rostrum.contracts.names import DisplayName, Email, GroupName, Id, Name, NewUserId, Password, UserId

_REVOKES = "Whether a new password also revokes the user's API tokens. Default: if it is not the caller's own."
_STOPS = (
    "Whether a new password also stops what the user has planned: command runs, commands that no desktop has fetched, "
    "bulk changes and roll-outs. Default: if it is not the caller's own."
)
_SERVER_FILLED = Body.server_filled | {"disabledSince", "lastSeen"}


class UserDocument(Body):
    """A complete user. The password is not changed if none is sent."""

    server_filled: ClassVar[frozenset[str]] = _SERVER_FILLED

    id: UserId | None = Field(None, description="May be sent back, but cannot change.")
    password: Password | None = None
    display_name: DisplayName | None = Field(None, description="The name that is shown next to the ID.")
    email: Email | None = None
    groups: list[GroupName] = Field(default=[], max_length=1000)
    apps: list[Name] = Field(default=[], max_length=10_000, description="Apps assigned directly to this user.")
    layouts: list[Id] = Field(default=[], max_length=10_000, description="Layouts assigned directly to this user.")
    disabled: bool = False
    service: bool | None = Field(None, description="May be sent back, but cannot change.")
    revoke_api_tokens: bool | None = Field(None, description=_REVOKES)
    stop_planned_work: bool | None = Field(None, description=_STOPS)


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
    revoke_api_tokens: bool = Field(default=False, description="Whether the caller's API tokens are revoked too.")
    stop_planned_work: bool = Field(
        default=False,
        description="Whether the caller's command runs, unfetched commands, bulk changes and roll-outs are stopped.",
    )


class UserChange(Change):
    """Some members of a user."""

    server_filled: ClassVar[frozenset[str]] = _SERVER_FILLED

    id: UserId | None = Field(None, description="May be sent back, but cannot change.")
    password: Password | None = None
    display_name: DisplayName | None = None
    email: Email | None = None
    groups: list[GroupName] = Field(default=[], max_length=1000)
    apps: list[Name] = Field(default=[], max_length=10_000)
    layouts: list[Id] = Field(default=[], max_length=10_000)
    disabled: bool = False
    service: bool | None = Field(None, description="May be sent back, but cannot change.")
    revoke_api_tokens: bool | None = Field(None, description=_REVOKES)
    stop_planned_work: bool | None = Field(None, description=_STOPS)


class UserView(Stamped):
    """A user in responses, which never contain the password."""

    id: str
    display_name: str | None
    email: str | None
    groups: list[str]
    apps: list[str]
    layouts: list[str]
    disabled: bool
    disabled_since: datetime | None = Field(
        description="When the user was disabled. Null if the user is not disabled, or if the time is unknown."
    )
    last_seen: datetime | None = Field(
        None,
        description="The last contact of a desktop, sign-in with a password or use of an API token, if it is still "
        "recorded. Lists of the members of a group do not contain it.",
    )
    service: bool = Field(description="Whether this is a service account, which cannot sign in with a password.")


class UserSignOut(Body):
    """What ends besides all sessions of a user."""

    server_filled: ClassVar[frozenset[str]] = frozenset()

    api_tokens: bool = Field(default=True, description="Whether the user's API tokens are revoked too.")
    planned_work: bool = Field(
        default=True,
        description="Whether the user's command runs, unfetched commands, bulk changes and roll-outs are stopped.",
    )


class SignedOutView(View):
    """The sessions of a user that were ended."""

    user: str
    desktops: int = Field(description="Client sessions that were open. Sessions of pages end too, without a number.")
    api_tokens: int = Field(description="API tokens that were revoked.")
    planned_work: int = Field(description="Command runs, unfetched commands, bulk changes and roll-outs that ended.")


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
