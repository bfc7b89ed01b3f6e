"""Directory addresses: app directories that are read without credentials, for one user or one group each."""

from pydantic import Field, model_validator

from rostrum.contracts.body import Body
from rostrum.contracts.names import GroupName, ShortText, UserId


class NewDirectory(Body):
    """The user or group of a new directory address."""

    server_filled = Body.server_filled | {"id"}

    user: UserId | None = Field(None, description="The user whose apps it answers; either this or `group`.")
    group: GroupName | None = Field(None, description="The group whose apps it answers; either this or `user`.")
    description: ShortText = Field("", description="Purpose of the address.")

    @model_validator(mode="after")
    def _one_of_both(self) -> "NewDirectory":
        if (self.user is None) == (self.group is None):
            raise ValueError("name either user or group")
        return self
