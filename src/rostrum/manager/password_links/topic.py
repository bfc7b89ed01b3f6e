"""Password links."""

from rostrum.manager.kinds import Kind
from rostrum.manager.password_links.repository import PasswordLinks
from rostrum.manager.password_links.service import PasswordLinkService
from rostrum.manager.topic import Purge, Topic
from rostrum.manager.users.service import UserService

TOPIC = Topic(
    services=lambda parts: {
        "password_links": PasswordLinkService(
            parts.storage, parts.of(UserService), parts.passwords, parts.clock, hours=parts.config.password_links_hours
        )
    },
    routes=("password_links.routes",),
    on_removed={Kind.USER: lambda work, user: work.of(PasswordLinks).remove_of_user(user)},
    purges=(Purge(lambda work, _config: work.of(PasswordLinks).purge(work.now), "password links"),),
)
