"""The dashboard."""

from rostrum.manager.dashboard.service import DashboardService
from rostrum.manager.topic import Topic

TOPIC = Topic(
    services=lambda parts: {"dashboard": DashboardService(parts.storage, idle_seconds=parts.config.session_idle)},
    routes=("dashboard.routes",),
)
