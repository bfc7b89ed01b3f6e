"""Groups as the admin API sends and answers them."""

from pydantic import Field

from rostrum.contracts.body import Body, Change, ListView
from rostrum.contracts.names import GroupName
from rostrum.contracts.stamp import Stamped

_LIMIT = 1_000_000


class GroupDocument(Body):
    """A group, whole."""

    server_filled = Body.server_filled | {"members"}

    name: GroupName | None = Field(None, description="May be sent back, but cannot change.")
    priority: int = Field(0, ge=-_LIMIT, le=_LIMIT, description="Configuration of a higher priority wins.")
    expands_to: list[GroupName] = Field(
        default=[], max_length=1000, description="Members of this group are also members of these."
    )


class NewGroup(GroupDocument):
    """A group to be made."""

    name: GroupName


class GroupChange(Change):
    """Some members of a group."""

    server_filled = Body.server_filled | {"members"}

    name: GroupName | None = Field(None, description="May be sent back, but cannot change.")
    priority: int = Field(0, ge=-_LIMIT, le=_LIMIT)
    expands_to: list[GroupName] = Field(default=[], max_length=1000)


class GroupView(Stamped):
    """A group as answered."""

    name: str
    priority: int
    expands_to: list[str]
    members: int = Field(description="How many users were put into it directly.")


class GroupList(ListView):
    """One page of groups."""

    items: list[GroupView]
