"""Configuration files of desktops."""

from rostrum.contracts.system_config import Scope
from rostrum.manager.configs.checks import ConfigChecks
from rostrum.manager.configs.explanations import ExplanationService
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.configs.service import SystemConfigService
from rostrum.manager.database.transaction import Transaction
from rostrum.manager.errors import Conflict
from rostrum.manager.kinds import Kind
from rostrum.manager.topic import Topic


async def _refuse_group_with_files(work: Transaction, name: str) -> None:
    files = await work.of(ConfigFiles).count(Scope.GROUP, name)
    if files:
        raise Conflict(f"{files} configuration file(s) belong to the group {name!r}: delete them first")


TOPIC = Topic(
    services=lambda parts: {
        "configs": SystemConfigService(parts.storage, ConfigChecks(parts.config.config_check)),
        "explanations": ExplanationService(parts.storage),
    },
    routes=("configs.routes",),
    repositories={Kind.CONFIG: ConfigFiles},
    on_removed={
        Kind.USER: lambda work, user: work.of(ConfigFiles).remove_of(Scope.USER, user),
        Kind.GROUP: _refuse_group_with_files,
    },
)
