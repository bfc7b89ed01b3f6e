"""Options and sign-in check of the embedded gateway."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rostrum.base.ids import canonical
from rostrum.base.placeholders import expand
from rostrum.gateway import GatewayOptions, Limits, MemoryWatch
from rostrum.gateway.authentication import Account
from rostrum.settings.settings import Settings

SNAPSHOTS = "heapsnapshots"
"""The default folder of heap snapshots, below the user data."""


@dataclass(frozen=True, slots=True)
class OwnLogins:
    """Accepts only the user of this desktop, with the secret of this run."""

    user: str
    secret: str = field(repr=False)
    case_sensitive: bool = False

    async def check(self, login: str, secret: str, address: str) -> Account | None:  # noqa: ARG002 - always this desk
        """Return the account of the desktop's user."""
        same_user = self._name(login) == self._name(self.user)
        same_secret = hmac.compare_digest(secret.encode("utf-8", "replace"), self.secret.encode())
        return Account(user=self.user) if same_user and same_secret else None

    def _name(self, user: str) -> str:
        return canonical(user, case_sensitive=self.case_sensitive)


def gateway_options(settings: Settings, default: Path, root: Path, variables: Mapping[str, str]) -> GatewayOptions:
    """Map the settings; heap snapshots are stored in the configured folder, or in the default one."""
    configuration = settings.gw.configuration
    memory, limits = configuration.memory, configuration.limits
    named = memory.snapshots
    return GatewayOptions(
        port=int(configuration.port),
        case_sensitive_users=configuration.authentication.basic.username_case_sensitive,
        memory=MemoryWatch(
            folder=root / expand(named, variables).text if named else default,
            prefix=memory.dump_prefix,
            most_snapshots=int(memory.max_backups),
            limit=int(memory.memory_limit),
            interval=memory.report_interval / 1000,
        ),
        limits=Limits(
            large_message=int(limits.large_msg_threshold),
            connections=None if limits.max_connections is None else int(limits.max_connections),
            stored_bytes=int(limits.max_context_bytes),
            stored_seconds=limits.context_expiry / 1000,
        ),
    )
