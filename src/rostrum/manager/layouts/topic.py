"""Layouts."""

from collections.abc import Mapping

from rostrum.manager.database.transaction import Transaction
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.own import OwnLayoutService
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.layouts.service import LayoutService
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.topic import ManagerParts, Topic


def _services(parts: ManagerParts) -> Mapping[str, object]:
    quotas = Quotas.of(parts.config)
    layouts = LayoutService(parts.storage, quotas)
    return {"layouts": layouts, "own_layouts": OwnLayoutService(parts.storage, layouts, quotas)}


async def _forget_user(work: Transaction, user: str) -> None:
    layouts = work.of(Layouts)
    await layouts.forget_default(user)
    for layout in await layouts.of_owner(user):
        # A later user with the same ID must not receive them.
        await layouts.remove(layout.id, implied=True)


TOPIC = Topic(
    services=_services,
    routes=("layouts.routes",),
    repositories={Kind.LAYOUT: Layouts},
    on_removed={
        Kind.USER: _forget_user,
        Kind.GROUP: lambda work, name: work.of(Layouts).drop_group(name, work.stamp()),
    },
)
