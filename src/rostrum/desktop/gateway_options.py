"""From the settings to the options of the embedded gateway, and who may log in to it."""

import hmac
from dataclasses import dataclass, field
from pathlib import Path

from rostrum.gateway import GatewayOptions, Limits, MemoryWatch
from rostrum.gateway.authentication import Account
from rostrum.settings.settings import Settings

__all__ = ["OwnLogins", "gateway_options"]


@dataclass(frozen=True, slots=True)
class OwnLogins:
    """Only the person at this desk, with the secret of this run."""

    user: str
    secret: str = field(repr=False)

    async def check(self, login: str, secret: str) -> Account | None:
        """Give the account of the person at this desk."""
        same_user = login.casefold() == self.user.casefold()
        same_secret = hmac.compare_digest(secret.encode("utf-8", "replace"), self.secret.encode())
        return Account(user=self.user) if same_user and same_secret else None


def gateway_options(settings: Settings, user_data: Path, root: Path) -> GatewayOptions:
    """Map the settings; heap snapshots go below the user data unless they name a folder."""
    configuration = settings.gw.configuration
    memory, limits = configuration.memory, configuration.limits
    named = memory.snapshots
    return GatewayOptions(
        port=int(configuration.port),
        case_sensitive_users=configuration.authentication.basic.username_case_sensitive,
        memory=MemoryWatch(
            folder=root / named if named else user_data / "heapsnapshots",
            prefix=memory.dump_prefix,
            most_snapshots=int(memory.max_backups),
            limit=int(memory.memory_limit),
            interval=memory.report_interval / 1000,
        ),
        limits=Limits(
            large_message=int(limits.large_msg_threshold),
            connections=None if limits.max_connections is None else int(limits.max_connections),
        ),
    )
