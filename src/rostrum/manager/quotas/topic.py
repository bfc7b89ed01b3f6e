"""Quotas."""

from rostrum.manager.quotas.service import Quotas, UsageService
from rostrum.manager.topic import Topic

TOPIC = Topic(services=lambda parts: {"usage": UsageService(parts.storage, Quotas.of(parts.config))})
