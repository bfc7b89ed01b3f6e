"""Machines."""

from rostrum.manager.kinds import Kind
from rostrum.manager.machines.repository import Machines
from rostrum.manager.machines.service import MachineService
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {"machines": MachineService(parts.storage)},
    routes=("machines.routes",),
    repositories={Kind.MACHINE: Machines},
    on_removed={Kind.USER: lambda work, user: work.of(Machines).disown(user)},
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_sessions_after_days, work.of(Machines).purge),
            "machines",
            Kind.MACHINE,
        ),
    ),
)
