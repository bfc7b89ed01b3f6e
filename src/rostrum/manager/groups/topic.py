"""Groups."""

from rostrum.manager.groups.repository import Groups
from rostrum.manager.groups.service import GroupService
from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Topic

TOPIC = Topic(
    services=lambda parts: {"groups": GroupService(parts.storage)},
    routes=("groups.routes",),
    repositories={Kind.GROUP: Groups},
)
