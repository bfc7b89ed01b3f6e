"""Users."""

from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Topic
from rostrum.manager.users.confirmation import require_confirmation
from rostrum.manager.users.repository import Users
from rostrum.manager.users.service import UserService

TOPIC = Topic(
    services=lambda parts: {"users": UserService(parts.storage, parts.passwords, parts.config.password_policy)},
    routes=("users.routes",),
    repositories={Kind.USER: Users},
    on_removed={
        Kind.GROUP: lambda work, name: work.of(Users).drop("groups", name, work.stamp()),
        Kind.APP: lambda work, name: work.of(Users).drop("apps", name, work.stamp()),
        Kind.LAYOUT: lambda work, key: work.of(Users).drop("layouts", key, work.stamp()),
    },
    before_commit=(require_confirmation,),
)
