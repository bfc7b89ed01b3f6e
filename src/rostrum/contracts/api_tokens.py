"""API tokens: credentials of programs that act for a user or a service account."""

from pydantic import Field

from rostrum.contracts.body import Body
from rostrum.contracts.names import GroupName, Name, UserId


class NewApiToken(Body):
    """An API token of the caller that is to be created."""

    server_filled = Body.server_filled | {"id", "expires", "lastUsed"}

    name: Name = Field(description="The name of the token in lists and in the audit log; unique for each user.")
    permissions: list[GroupName] = Field(
        default=[],
        max_length=100,
        description="Permissions of the token, such as `PLATFORM_MANAGER:APPS:READ`. It has each of them only while "
        "its owner has it too. Without permissions, it can read what its owner sees on a desktop.",
    )
    expires_in_days: int = Field(
        ge=1,
        le=36_525,
        description="Number of days after which the token expires, up to the setting `apiTokens.maxDays`.",
    )


class NewUserApiToken(NewApiToken):
    """An API token of the caller or of a service account that is to be created."""

    user: UserId = Field(description="The owner: a service account, or the caller.")
