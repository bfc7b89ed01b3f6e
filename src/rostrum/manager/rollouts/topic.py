"""Roll-outs in stages."""

from dataclasses import replace

from rostrum.contracts.rollouts import Status
from rostrum.manager.configs.checks import ConfigChecks
from rostrum.manager.kinds import Kind
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.rollouts.service import RolloutService
from rostrum.manager.storage import Work
from rostrum.manager.topic import Purge, Topic, older_than


async def _halt(work: Work, user: str, reason: str) -> int:
    """Halt the roll-outs of a user: others can resume or withdraw them."""
    rollouts = await work.of(Rollouts).running_of(user)
    for rollout in rollouts:
        after = replace(rollout, status=Status.HALTED, reason=reason, updated=work.now)
        await work.of(Rollouts).put(rollout, after)
    return len(rollouts)


TOPIC = Topic(
    services=lambda parts: {
        "rollouts": RolloutService(
            parts.storage, ConfigChecks(parts.config.config_check), idle_seconds=parts.config.session_idle
        )
    },
    routes=("rollouts.routes",),
    stop_planned=_halt,
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_history_after_days, work.of(Rollouts).purge),
            "roll-outs",
            Kind.ROLLOUT,
        ),
    ),
)
