"""Commands to desktops."""

from rostrum.manager.commands.repository import Commands
from rostrum.manager.commands.service import CommandService
from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {"commands": CommandService(parts.storage)},
    routes=("commands.routes",),
    repositories={Kind.COMMAND: Commands},
    on_removed={Kind.USER: lambda work, user: work.of(Commands).withdraw(user)},
    on_disabled=lambda work, users: work.of(Commands).withdraw(*users),
    stop_planned=lambda work, user, _reason: work.of(Commands).withdraw(user),
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_commands_after_days, work.of(Commands).purge),
            "commands",
            Kind.COMMAND,
        ),
    ),
)
