"""Preferences."""

from rostrum.manager.kinds import Kind
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.preferences.service import PreferenceService
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.topic import Topic

TOPIC = Topic(
    services=lambda parts: {"preferences": PreferenceService(parts.storage, Quotas.of(parts.config))},
    routes=("preferences.routes",),
    repositories={Kind.PREFERENCE: Preferences},
    on_removed={Kind.USER: lambda work, user: work.of(Preferences).remove_of_user(user, None, implied=True)},
)
