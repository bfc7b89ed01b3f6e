"""Saved views of lists."""

from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Topic
from rostrum.manager.views.repository import SavedViews
from rostrum.manager.views.service import SavedViewService

TOPIC = Topic(
    services=lambda parts: {"views": SavedViewService(parts.storage)},
    routes=("views.routes",),
    on_removed={Kind.USER: lambda work, user: work.of(SavedViews).remove_of_user(user)},
)
