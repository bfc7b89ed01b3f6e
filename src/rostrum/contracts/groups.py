"""Groups in the admin API."""

from pydantic import Field

from rostrum.contracts.body import Body, Change, ListView, Stamped
from rostrum.contracts.names import GroupName, NewGroupName
from rostrum.contracts.users import UserView

_LIMIT = 1_000_000


class GroupDocument(Body):
    """A complete group."""

    server_filled = Body.server_filled | {"members"}

    name: GroupName | None = Field(None, description="May be sent back, but cannot change.")
    priority: int = Field(0, ge=-_LIMIT, le=_LIMIT, description="Configuration with a higher priority wins.")
    expands_to: list[GroupName] = Field(
        default=[], max_length=1000, description="Members of this group are also members of these."
    )


class NewGroup(GroupDocument):
    """A group to be made."""

    name: NewGroupName


class GroupChange(Change):
    """Some members of a group."""

    server_filled = Body.server_filled | {"members"}

    name: GroupName | None = Field(None, description="May be sent back, but cannot change.")
    priority: int = Field(0, ge=-_LIMIT, le=_LIMIT)
    expands_to: list[GroupName] = Field(default=[], max_length=1000)


class GroupView(Stamped):
    """A group in responses."""

    name: str
    priority: int
    expands_to: list[str]
    members: int = Field(description="Number of direct members.")


class GroupList(ListView):
    """One page of groups."""

    items: list[GroupView]


class MemberView(UserView):
    """An effective member of a group."""

    ways: list[list[str]] = Field(
        description="For each group of the user that leads to this group, the groups on the shortest way, "
        "the user's own group first. A direct member has a way of one group. At most ten, shortest first."
    )


class MemberList(ListView):
    """One page of the effective members of a group."""

    items: list[MemberView]
