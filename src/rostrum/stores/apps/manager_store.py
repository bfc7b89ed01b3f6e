"""The server store: what the manager lets this user see, told of changes as they happen."""

import asyncio
from pathlib import Path

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.retry import Sleep
from rostrum.client.changes import ChangeFeed
from rostrum.client.connection import Connection
from rostrum.settings.sections.app_stores import AppDefinitionOverrides
from rostrum.stores.apps.kept_answer import KeptAnswer
from rostrum.stores.apps.remote_store import RemoteAppStore, Timing
from rostrum.stores.manager_copy import POLL_INTERVAL


class ManagerAppStore(RemoteAppStore):
    """Asks when the manager tells of a change; polls only while it cannot tell."""

    def __init__(
        self,
        manager: Connection,
        cache: Path,
        *,
        user: str,
        required: bool = True,
        overrides: AppDefinitionOverrides | None = None,
        timing: Timing | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            manager.name,
            manager.client.apps,
            timing=timing or Timing(poll_interval=POLL_INTERVAL),
            kept=KeptAnswer(cache, manager.client.service.address, user, clock or SystemClock()),
            required=required,
            overrides=overrides,
            feed=ChangeFeed(manager.changes, "apps"),
            sleep=sleep,
        )
