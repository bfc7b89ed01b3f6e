"""Bulk changes."""

from collections.abc import Mapping

from rostrum.manager.batches.repository import Batches
from rostrum.manager.batches.service import BatchService
from rostrum.manager.batches.user_imports import UserImportService
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Work
from rostrum.manager.topic import ManagerParts, Purge, Topic, older_than


def _services(parts: ManagerParts) -> Mapping[str, object]:
    batches = BatchService(parts.storage, parts.clock, session_idle=parts.config.session_idle)
    return {"batches": batches, "user_imports": UserImportService(parts.storage, batches)}


async def _cancel(work: Work, user: str, _reason: str) -> int:
    batches = await work.of(Batches).unfinished_of(user)
    for batch in batches:
        await work.of(Batches).cancel(batch, work.now)
    return len(batches)


TOPIC = Topic(
    services=_services,
    routes=("batches.import_routes", "batches.routes"),
    stop_planned=_cancel,
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_history_after_days, work.of(Batches).purge),
            "batches",
            Kind.BATCH,
        ),
    ),
)
