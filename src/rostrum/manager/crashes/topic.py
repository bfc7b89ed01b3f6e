"""Crash reports."""

from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.crashes.service import CrashService
from rostrum.manager.kinds import Kind
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {"crashes": CrashService(parts.storage, Quotas.of(parts.config))},
    routes=("crashes.routes",),
    repositories={Kind.CRASH: Crashes},
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_crashes_after_days, work.of(Crashes).purge),
            "crashes",
            Kind.CRASH,
        ),
    ),
)
