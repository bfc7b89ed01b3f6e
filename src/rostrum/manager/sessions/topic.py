"""Client sessions."""

from rostrum.manager.kinds import Kind
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.sessions.contacts import SessionContacts
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.sessions.service import SessionService
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {
        "sessions": SessionService(parts.storage, Quotas.of(parts.config), idle_seconds=parts.config.session_idle),
        "contacts": SessionContacts(parts.storage, parts.clock, idle_seconds=parts.config.session_idle),
    },
    routes=("sessions.routes",),
    repositories={Kind.SESSION: Sessions},
    on_removed={Kind.USER: lambda work, user: work.of(Sessions).end_of_user(user, work.now)},
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_sessions_after_days, work.of(Sessions).purge),
            "sessions",
            Kind.SESSION,
        ),
    ),
)
