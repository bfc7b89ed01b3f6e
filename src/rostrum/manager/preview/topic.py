"""Previews of changes."""

from rostrum.manager.preview.service import PreviewService
from rostrum.manager.topic import Topic

TOPIC = Topic(services=lambda parts: {"previews": PreviewService(parts.storage)}, routes=("preview.routes",))
