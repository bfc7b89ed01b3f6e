"""Groups of crash reports."""

from rostrum.manager.crash_groups.repository import CrashGroups
from rostrum.manager.crash_groups.service import CrashGroupService
from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {"crash_groups": CrashGroupService(parts.storage)},
    routes=("crash_groups.routes",),
    repositories={Kind.CRASH_GROUP: CrashGroups},
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_crashes_after_days, work.of(CrashGroups).purge),
            "crash groups",
            Kind.CRASH_GROUP,
        ),
    ),
)
