"""The effective apps, layouts and settings of users."""

from rostrum.manager.effective.service import EffectiveService
from rostrum.manager.topic import Topic

TOPIC = Topic(services=lambda parts: {"effective": EffectiveService(parts.storage)}, routes=("effective.routes",))
