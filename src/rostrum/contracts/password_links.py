"""Links with which users set their first password: requests and responses."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from rostrum.contracts.body import Body, View
from rostrum.contracts.names import Password, UserId

MOST_LINKS = 1000

LinkToken = Annotated[str, Field(min_length=1, max_length=200)]


class NewPasswordLinks(Body):
    """The users who get a link."""

    users: list[UserId] = Field(min_length=1, max_length=MOST_LINKS)


class PasswordLinkView(View):
    """The link of one user. Only this response contains it: the server stores a hash."""

    user: str
    result: Literal["created", "refused"]
    message: str | None = Field(description="Why no link was created.")
    token: str | None = Field(
        description="The secret part: the address is that of the admin UI, followed by `/set-password#` and the token."
    )
    expires: datetime | None


class PasswordLinkList(View):
    """The links of all users of a request, in their order."""

    items: list[PasswordLinkView]


class OpenedLink(Body):
    """A link that a user has opened."""

    server_filled: ClassVar[frozenset[str]] = frozenset()

    token: LinkToken


class LinkPassword(OpenedLink):
    """The password that a user sets with a link."""

    password: Password = Field(description="The new password; the server's password policy applies.")
    revoke_api_tokens: bool = Field(default=True, description="Whether the user's API tokens are revoked too.")
    stop_planned_work: bool = Field(
        default=True,
        description="Whether the user's command runs, unfetched commands, bulk changes and roll-outs are stopped.",
    )


class OpenedLinkView(View):
    """The user of a valid link."""

    user: str
    display_name: str | None
    expires: datetime
