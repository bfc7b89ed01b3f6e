"""Files of reports."""

from rostrum.manager.config import ManagerConfig
from rostrum.manager.files.repository import Files
from rostrum.manager.storage import Work
from rostrum.manager.topic import Purge, Topic


async def _sweep(work: Work, _config: ManagerConfig) -> int | None:
    return await work.of(Files).sweep_pieces() or None


TOPIC = Topic(purges=(Purge(_sweep, "pieces of files"),))
