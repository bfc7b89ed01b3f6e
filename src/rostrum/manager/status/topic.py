"""The state of the server."""

from rostrum.manager.topic import Topic

TOPIC = Topic(routes=("status.routes",))
