"""Apps."""

from rostrum.manager.apps.repository import Apps
from rostrum.manager.apps.service import AppService
from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Topic

TOPIC = Topic(
    services=lambda parts: {"apps": AppService(parts.storage)},
    routes=("apps.routes",),
    repositories={Kind.APP: Apps},
    on_removed={Kind.GROUP: lambda work, name: work.of(Apps).drop_group(name, work.stamp())},
)
