"""Command runs."""

from rostrum.manager.command_runs.repository import CommandRuns
from rostrum.manager.command_runs.service import CommandRunService, cancel_run
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Work
from rostrum.manager.topic import Purge, Topic, older_than


async def _cancel(work: Work, user: str, reason: str) -> int:
    runs = await work.of(CommandRuns).open_of(user)
    for run in runs:
        await cancel_run(work, run, reason)
    return len(runs)


TOPIC = Topic(
    services=lambda parts: {"command_runs": CommandRunService(parts.storage, idle_seconds=parts.config.session_idle)},
    routes=("command_runs.routes",),
    stop_planned=_cancel,
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_commands_after_days, work.of(CommandRuns).purge),
            "command runs",
            Kind.COMMAND_RUN,
        ),
    ),
)
