"""Events."""

from rostrum.manager.events.repository import Announcements
from rostrum.manager.topic import Purge, Topic

TOPIC = Topic(routes=("events.routes",), purges=(Purge(lambda work, _config: work.of(Announcements).purge()),))
