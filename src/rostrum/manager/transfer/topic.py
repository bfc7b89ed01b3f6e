"""Export and import of all data."""

from rostrum.manager.topic import Topic
from rostrum.manager.transfer.service import TransferService

TOPIC = Topic(services=lambda parts: {"transfer": TransferService(parts.storage)}, routes=("transfer.routes",))
