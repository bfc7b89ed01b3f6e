"""The audit log."""

from rostrum.manager.audit.repository import Audit
from rostrum.manager.audit.service import AuditService
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {"audit": AuditService(parts.storage)},
    routes=("audit.routes",),
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_audit_after_days, work.of(Audit).shorten),
            "audit entries",
        ),
    ),
)
