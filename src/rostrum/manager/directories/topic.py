"""App directories for agents that cannot sign in."""

from rostrum.manager.directories.repository import DirectoryAddresses
from rostrum.manager.directories.service import DirectoryService
from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Topic

TOPIC = Topic(
    services=lambda parts: {"directories": DirectoryService(parts.storage)},
    routes=("directories.routes",),
    repositories={Kind.DIRECTORY: DirectoryAddresses},
    on_removed={
        Kind.USER: lambda work, user: work.of(DirectoryAddresses).remove_of_user(user),
        Kind.GROUP: lambda work, name: work.of(DirectoryAddresses).remove_of_group(name),
    },
)
