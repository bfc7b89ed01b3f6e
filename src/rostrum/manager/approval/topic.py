"""Changes that require approval."""

from rostrum.manager.topic import Topic

TOPIC = Topic(routes=("approval.routes",))
