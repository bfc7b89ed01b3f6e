"""Refuses configuration files that would let the caller control the desktops of others."""

from rostrum.base import json_text
from rostrum.contracts.system_config import Scope
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.users.desktop_guard import DesktopGuard, Receives
from rostrum.settings.effects import far_reaching
from rostrum.settings.kinds import SettingsFile, kind_of


async def check_config(guard: DesktopGuard, *configs: ConfigFile) -> None:
    """Refuse a configuration file for users who have rights that the writer lacks, in its old and its new scope."""
    if not guard.is_needed:
        return
    for config in configs:
        reason = f"{config.file} configures the desktops of users who have more rights"
        if config.scope is Scope.USER:
            await guard.check_user(config.target, reason)
        if config.scope is Scope.GROUP:
            await guard.check_groups([config.target], reason)
        if _is_far_reaching(config):
            reason = f"{config.file} redirects the desktops of users who have more rights"
            await guard.check_receivers(_receives(config), reason)


def _receives(config: ConfigFile) -> Receives:
    if config.scope is Scope.GROUP:
        return lambda _, groups: config.target in groups
    if config.scope is Scope.USER:
        return lambda person, _: person.id == config.target
    return lambda _, __: True


def _is_far_reaching(config: ConfigFile) -> bool:
    # Desktops ignore letter case in the names of files for an environment and region, and so do some file systems.
    kind = kind_of(config.file.casefold())
    if kind is SettingsFile.SYSTEM:
        return any(far_reaching(kind, json_text.parse(config.contents)))
    return kind is not None
