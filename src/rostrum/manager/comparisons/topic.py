"""Comparisons of two users or groups."""

from rostrum.manager.comparisons.service import ComparisonService
from rostrum.manager.topic import Topic

TOPIC = Topic(services=lambda parts: {"comparisons": ComparisonService(parts.storage)}, routes=("comparisons.routes",))
