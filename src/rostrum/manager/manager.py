"""Manager: the parts of a running manager, without HTTP. Commands that need no server load no web framework."""

import logging
from typing import Any

from msgspec import Struct

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.command_line import CommandLine
from rostrum.base.passwords import Passwords
from rostrum.manager.auth.tokens import Tokens
from rostrum.manager.changes.model import ChangeRules
from rostrum.manager.changes.origin import RequestOrigin, acting
from rostrum.manager.config import ManagerConfig
from rostrum.manager.files.file_place import file_place
from rostrum.manager.preview.effects import describe_effect
from rostrum.manager.sign_in.bootstrap import ensure_administrators, sign_in_warnings
from rostrum.manager.storage import Storage
from rostrum.manager.topic import ManagerParts
from rostrum.manager.topics import TOPICS, manager_storage

_log = logging.getLogger(__name__)


class Manager(Struct, frozen=True, kw_only=True):
    """The parts of a running manager, without HTTP.

    Attributes:
        command: Writes the commands in warnings at the start; without it, another process logs these warnings.

    """

    config: ManagerConfig
    clock: Clock
    storage: Storage
    passwords: Passwords
    tokens: Tokens
    command: CommandLine | None = None

    @classmethod
    def of(
        cls,
        config: ManagerConfig,
        clock: Clock | None = None,
        passwords: Passwords | None = None,
        command: CommandLine | None = None,
    ) -> "Manager":
        """Create the parts that all others depend on."""
        clock = clock or SystemClock()
        return cls(
            config=config,
            clock=clock,
            storage=manager_storage(
                config.store,
                clock,
                notify=config.events_notify,
                place=file_place(config.files_folder, config.files_bucket),
                rules=ChangeRules.of(config),
                describe=describe_effect,
            ),
            passwords=passwords or Passwords(),
            tokens=Tokens(config.token_secret, clock),
            command=command,
        )

    def resources(self) -> dict[str, Any]:
        """Create all services, under the names that handlers use."""
        parts = ManagerParts(self.config, self.clock, self.storage, self.passwords, self.tokens)
        for topic in TOPICS:
            parts.services.update(topic.services(parts))
        return {**parts.services, "storage": self.storage}

    async def open(self) -> None:
        """Migrate the database, and ensure that the configured administrators exist."""
        predefined = self.config.predefined_users
        await self.storage.open()
        with acting(RequestOrigin(operation="start")):
            done = await ensure_administrators(
                self.storage, self.passwords, predefined=predefined, exclusive=self.config.auth_exclusive_users
            )
        if self.command is not None:
            for warning in await sign_in_warnings(
                self.storage, self.passwords, predefined=predefined, done=done, command=self.command
            ):
                _log.warning("%s", warning)
        for user_id in done.missing:
            _log.warning("auth_exclusive_users names %r, but there is no such user: add it, then restart", user_id)

    async def close(self) -> None:
        """Close the database and end the threads."""
        await self.storage.close()
        self.passwords.close()
