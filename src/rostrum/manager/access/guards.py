"""Refuses permitted changes that would let the caller control the desktops of others, or lock out the caller."""

from collections.abc import Callable

from rostrum.base import json_text
from rostrum.contracts.far_reaching import far_reaching_members
from rostrum.contracts.fdc3_import import to_definition
from rostrum.manager.access.identity import SYSTEM, Identity
from rostrum.manager.access.permissions import permissions_of
from rostrum.manager.access.policy import require_power_over
from rostrum.manager.access.reasons import Viewer, evaluate_app
from rostrum.manager.apps.model import App
from rostrum.manager.configs.model import ConfigFile, Scope
from rostrum.manager.errors import Conflict
from rostrum.manager.events.model import COMMON
from rostrum.manager.groups.model import Group, expand
from rostrum.manager.layouts.model import Layout
from rostrum.manager.storage import Work
from rostrum.manager.users.model import Person
from rostrum.settings.effects import far_reaching
from rostrum.settings.kinds import SettingsFile, kind_of

Receives = Callable[[Person, frozenset[str]], bool]
"""Returns whether a document would be available to a user in these effective groups."""


class DesktopGuard:
    """Checks the documents of one writer in one transaction; the users are read at most once."""

    def __init__(self, work: Work, identity: Identity) -> None:
        self._work = work
        self._identity = identity
        self._powerful: list[tuple[Person, frozenset[str]]] | None = None

    async def check_app(self, app: App) -> None:
        """Refuse an app that reaches further than its page, for users who have rights that the writer lacks."""
        if self._identity.is_admin:
            return
        # Desktops start what a manifest of ours in an FDC3 record says.
        path = next(far_reaching_members(to_definition(json_text.parse(app.definition))), None)
        if path is None:
            return

        def receives(person: Person, groups: frozenset[str]) -> bool:
            viewer = Viewer(user=person.id, groups=groups, apps=person.apps)
            return evaluate_app(viewer, app).visible

        what = "runs a program" if path == "type" else f"reaches further than its page ({path})"
        await self._check(receives, f"the app {app.name!r} {what} on the desktops of users who have more rights")

    async def check_config(self, *configs: ConfigFile) -> None:
        """Refuse a configuration file for users who have rights that the writer lacks, in its old and its new scope."""
        if self._identity.is_admin:
            return
        for config in configs:
            reason = f"{config.file} configures the desktops of users who have more rights"
            if config.scope is Scope.USER:
                groups = await self._work.users.groups_of(config.target)
                require_power_over(self._identity, expand(groups, await self._work.groups.graph()), reason)
            if config.scope is Scope.GROUP:
                reached = expand([config.target], await self._work.groups.graph())
                require_power_over(self._identity, reached, reason)
            if _is_far_reaching(config):
                await self._check(
                    _receives_config(config), f"{config.file} redirects the desktops of users who have more rights"
                )

    async def check_layout(self, *layouts: Layout) -> None:
        """Refuse a layout of a user who has rights that the writer lacks, because the layout starts apps there."""
        if self._identity.is_admin:
            return
        for owner in {layout.owner for layout in layouts} - {COMMON, "", self._identity.user}:
            groups = expand(await self._work.users.groups_of(owner), await self._work.groups.graph())
            require_power_over(self._identity, groups, "the layout belongs to a user who has more rights")

    async def check_group(self, before: Group | None, after: Group) -> None:
        """Refuse inheritance from groups if members have rights that the writer lacks: they would receive programs."""
        if self._identity.is_admin:
            return
        graph = await self._work.groups.graph()
        gained = expand(after.expands_to, graph) - expand(() if before is None else before.expands_to, graph)
        if gained - {after.name}:
            reason = (
                f"members of {after.name!r} with more permissions would inherit the apps and files of further groups"
            )
            await self._check(lambda _, groups: after.name in groups, reason)

    async def _check(self, receives: Receives, reason: str) -> None:
        if self._powerful is None:
            graph = await self._work.groups.graph()
            people = [(one, expand(one.groups, graph)) for one in await self._work.users.people() if one.groups]
            self._powerful = [(one, groups) for one, groups in people if permissions_of(groups)]
        for person, groups in self._powerful:
            if receives(person, groups):
                require_power_over(self._identity, groups, reason)


def _receives_config(config: ConfigFile) -> Receives:
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


async def require_still_admin(work: Work, identity: Identity) -> None:
    """Refuse a change of this transaction that removes the rights of an administrator."""
    if identity is SYSTEM or not identity.is_admin:
        return
    groups = expand(await work.users.groups_of(identity.user), await work.groups.graph())
    if not Identity.of(identity.user, groups).is_admin:
        raise Conflict("you cannot remove yourself from the admin group: ask another administrator")
