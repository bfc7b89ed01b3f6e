"""The identity of the caller."""

from pydantic import Field

from rostrum.contracts.body import View


class Me(View):
    """The caller, for checking a sign-in."""

    id: str
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
