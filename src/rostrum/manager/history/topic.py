"""The history of documents."""

from datetime import UTC, datetime, timedelta

from rostrum.manager.config import ManagerConfig
from rostrum.manager.history.repository import History
from rostrum.manager.history.restore import DocumentService
from rostrum.manager.history.rollback import RollbackService
from rostrum.manager.history.service import HistoryService
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Work
from rostrum.manager.topic import Purge, Topic


async def _purge(work: Work, config: ManagerConfig) -> int:
    days = config.purge_history_after_days
    before = work.now - timedelta(days=days) if days > 0 else datetime.min.replace(tzinfo=UTC)
    return await work.of(History).purge(before, config.history_revisions)


TOPIC = Topic(
    services=lambda parts: {
        "history": HistoryService(parts.storage),
        "rollback": RollbackService(parts.storage, parts.all_of(DocumentService)),
    },
    routes=("history.routes",),
    purges=(Purge(_purge, "revisions", Kind.HISTORY),),
)
