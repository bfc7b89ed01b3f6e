"""Topic: what the other parts of the manager need to know about one topic, and the parts that its services receive."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from rostrum.base.clock import Clock
from rostrum.base.passwords import Passwords
from rostrum.manager.auth.tokens import Tokens
from rostrum.manager.config import ManagerConfig
from rostrum.manager.database.transaction import OnRemoved, Repository
from rostrum.manager.http.cacheable_routes import CacheableRoute
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import BeforeCommit, StopPlanned, Storage, Work

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

Service = TypeVar("Service")


class ManagerParts:
    """The parts of a manager, without HTTP.

    Attributes:
        services: The services of the topics, by their names in handlers.

    """

    def __init__(
        self, config: ManagerConfig, clock: Clock, storage: Storage, passwords: Passwords, tokens: Tokens
    ) -> None:
        self.config = config
        self.clock = clock
        self.storage = storage
        self.passwords = passwords
        self.tokens = tokens
        self.services: dict[str, object] = {}

    def of(self, service: type[Service]) -> Service:
        """Return the service of a class, from this topic or an earlier one."""
        return next(iter(self.all_of(service)))

    def all_of(self, service: type[Service]) -> list[Service]:
        """Return the services of a class and of classes that are derived from it."""
        return [each for each in self.services.values() if isinstance(each, service)]


class Routes(Struct, frozen=True):
    """The handlers of a topic.

    Attributes:
        large: Handlers of requests with the files of a report.
        huge: Handlers of requests with all data of a server.
        cached: What the responses of polls depend on, by path.

    """

    handlers: "tuple[HTTPRouteHandler, ...]" = ()
    large: "tuple[HTTPRouteHandler, ...]" = ()
    huge: "tuple[HTTPRouteHandler, ...]" = ()
    cached: Mapping[str, CacheableRoute] = {}


class Purge(Struct, frozen=True):
    """One part of the daily deletion of old data.

    Attributes:
        run: Deletes old data, and returns the number; ``None`` if the settings disable it.
        name: The name of the deleted data in the log; empty if it is not mentioned there.
        kind: The kind of the deleted data in the audit log; ``None`` if it is not mentioned there.

    """

    run: Callable[[Work, ManagerConfig], Awaitable[int | None]]
    name: str = ""
    kind: Kind | None = None


class Topic(Struct, frozen=True, kw_only=True):
    """One topic of the manager.

    Attributes:
        services: Creates the services, by their names in handlers.
        routes: The modules with the handlers, each in a member ``ROUTES``. Only a server loads them, because commands
            need no web framework.
        repositories: The repository of each kind of record that is a document or that batches can change.
        on_removed: Deletes what the topic stores for an object of another topic that was deleted, by its kind.
        before_commit: Checks of the changes of each transaction.
        on_disabled: Ends what users have begun who were disabled.
        revoke_credentials: Revokes the credentials of a user, which outlive sessions, and returns their number.
        stop_planned: Stops the work that a user has planned, with a reason, and returns the number of its parts.
        purges: The deletion of old data.

    """

    services: Callable[[ManagerParts], Mapping[str, object]] = lambda _parts: {}
    routes: tuple[str, ...] = ()
    repositories: Mapping[Kind, type[Repository]] = {}
    on_removed: Mapping[Kind, OnRemoved] = {}
    before_commit: tuple[BeforeCommit, ...] = ()
    on_disabled: Callable[[Work, Sequence[str]], Awaitable[object]] | None = None
    revoke_credentials: Callable[[Work, str], Awaitable[int]] | None = None
    stop_planned: StopPlanned | None = None
    purges: tuple[Purge, ...] = ()

    def load_routes(self) -> list[Routes]:
        """Import the handlers."""
        modules: list[Any] = [import_module(f"rostrum.manager.{name}") for name in self.routes]
        return [module.ROUTES for module in modules]


async def older_than(work: Work, days: int, purge: Callable[[datetime], Awaitable[int]]) -> int | None:
    """Purge what is older than some days; -1 disables the deletion."""
    return await purge(work.now - timedelta(days=days)) if days > 0 else None
