"""Who the server takes the caller for."""

from pydantic import Field

from rostrum.contracts.body import View


class Me(View):
    """The caller; the sign-in check."""

    id: str
    email: str | None
    groups: list[str] = Field(description="All groups, nested ones expanded.")
    apps: list[str] = Field(description="Names of apps given to this user directly.")
    permissions: list[str] = Field(description="Permissions of the caller in the admin API.")


class SignInOptions(View):
    """How this server keeps the users of pages signed in."""

    session_cookie: bool = Field(description="With a session cookie; otherwise pages use a token.")


class SignedIn(View):
    """The user of a page who has just signed in.

    The token stands for the session cookie where a browser keeps none. It ends with the session, with the account and
    at sign-out.
    """

    user: Me
    token: str | None = Field(None, description="Only if asked for: `Authorization: Bearer`.")
    expires_in: int | None = Field(None, description="Seconds until the token expires.")
    renewable: bool = Field(
        default=False,
        description="Whether the token can be exchanged for a new one here; otherwise the user signs in again.",
    )
