"""Who the server takes the caller for."""

from pydantic import Field

from rostrum.contracts.body import View

__all__ = ["Me"]


class Me(View):
    """The caller; the log-in check."""

    id: str
    email: str | None
    groups: list[str] = Field(description="All groups, nested ones expanded.")
    apps: list[str] = Field(description="Names of apps given to this user directly.")
    permissions: list[str] = Field(description="What the caller may do in the admin API.")
