"""The identity of the caller."""

from datetime import datetime
from typing import ClassVar

from pydantic import Field

from rostrum.contracts.body import Body, View
from rostrum.contracts.names import Password


class Me(View):
    """The caller, for checking a sign-in."""

    id: str
    account: str | None = Field(
        None, description="Differs between accounts that have had the same ID one after another."
    )
    display_name: str | None = Field(None, description="The name that is shown next to the ID.")
    email: str | None
    groups: list[str] = Field(description="All groups, nested ones expanded.")
    apps: list[str] = Field(description="Names of apps assigned directly to this user.")
    permissions: list[str] = Field(description="Permissions of the caller in the admin API.")


class SignInOptions(View):
    """How this server keeps users of pages signed in."""

    session_cookie: bool = Field(description="With a session cookie; otherwise pages use a token.")


class SignedIn(View):
    """The user of a page who has just signed in.

    The token replaces the session cookie if the browser stores none. It ends with the session, with the account and at
    sign-out.
    """

    user: Me
    token: str | None = Field(None, description="Only on request: `Authorization: Bearer`.")
    expires_in: int | None = Field(None, description="Seconds until the token expires.")
    renewable: bool = Field(
        default=False,
        description="Whether the token can be exchanged for a new one here; otherwise the user signs in again.",
    )


class IdentityConfirmation(Body):
    """What the caller of a session presents to confirm the own identity."""

    server_filled: ClassVar[frozenset[str]] = frozenset()

    password: Password = Field(description="The caller's password.")


class Confirmed(View):
    """The proof that the caller has just confirmed the own identity, for requests with the same session."""

    confirmation: str = Field(description="The value of the header `Confirmation`.")
    expires_in: int = Field(description="Seconds until it expires.")


class OwnDesktop(View):
    """A client session of the caller that has not ended."""

    id: str
    machine: str
    version: str
    product: str
    started: datetime
    last_seen: datetime
    current: bool = Field(description="Whether the request belongs to this session.")


class OwnSignIn(View):
    """A network from which the caller has signed in with a password within the last 30 days."""

    address: str
    last_seen: datetime = Field(description="The last sign-in from there, exact to an hour.")
    current: bool = Field(description="Whether the request comes from there.")


class OwnSessions(View):
    """Where the caller is signed in, as far as the server records it. Sessions of pages are not recorded one by one."""

    desktops: list[OwnDesktop]
    sign_ins: list[OwnSignIn]


class SignOutEverywhere(Body):
    """What ends besides all sessions."""

    server_filled: ClassVar[frozenset[str]] = frozenset()

    api_tokens: bool = Field(default=False, description="Whether the caller's API tokens are revoked too.")
    planned_work: bool = Field(
        default=False,
        description="Whether the caller's command runs, unfetched commands, bulk changes and roll-outs are stopped.",
    )
