"""The protocol of existing browser platforms."""

from rostrum.manager.topic import Topic

TOPIC = Topic(routes=("browser_platform.routes", "browser_platform.store_routes"))
