"""Receipts."""

from rostrum.manager.receipts.repository import Receipts
from rostrum.manager.receipts.service import ReceiptService
from rostrum.manager.topic import Purge, Topic

TOPIC = Topic(
    services=lambda parts: {"receipts": ReceiptService(parts.storage, idle_seconds=parts.config.session_idle)},
    purges=(Purge(lambda work, _config: work.of(Receipts).purge()),),
)
