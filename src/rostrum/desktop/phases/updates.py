"""Checks for updates at an interval."""

import logging
from contextlib import AsyncExitStack

from rostrum import __version__
from rostrum.desktop.hosts.port import WindowHost
from rostrum.desktop.phases.configuration import RemoteConfiguration
from rostrum.desktop.steps import Progress
from rostrum.desktop.updates.checker import Apply, Update, Updates
from rostrum.installation.versions import no_updates_reason, running_installation

_log = logging.getLogger(__name__)


async def check_updates(
    step: Progress,
    configuration: RemoteConfiguration,
    host: WindowHost,
    apply_update: Apply | None,
    parts: AsyncExitStack,
) -> Updates:
    """Start to check for updates; ``apply_update`` installs one, if this build supports it."""

    async def ask(update: Update) -> bool:
        return await host.ask(f"Version {update.version} is ready. Apply it now?", ("Later", "Now")) == "Now"

    installation = running_installation()
    updates = Updates(
        configuration.settings.auto_updater,
        version=__version__,
        folder=configuration.loaded.early.folders.cache / "updates",
        ask=ask,
        apply=apply_update,
        unavailable=no_updates_reason(),
        state=None if installation is None else installation.state,
    )
    updates.start()
    parts.push_async_callback(updates.stop)
    if updates.unavailable:
        _log.warning("%s", updates.unavailable)
        step.degrade(updates.unavailable)
        return updates
    if installation is not None:
        for version, reason in installation.state().failed.items():
            step.degrade(f"version {version} did not start and was rolled back: {reason}")
    if not updates.active:
        step.skip()
    return updates
