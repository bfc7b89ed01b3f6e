"""Configuration files in scopes, merged for each client."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.ids import new_id
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.contracts.system_config import ConfigChange, ConfigDocument, Scope, may_be_array
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.configs.checks import ConfigChecks, ConfigKey, key_of
from rostrum.manager.configs.guard import check_config
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.configs.scopes import Client, layers, merged_text, prefixes, scope_of
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Expected, NotFound, found, same_revision
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.restore import DocumentService, member_text, stamp_after
from rostrum.manager.kinds import Kind
from rostrum.manager.rollouts.serving import candidates, with_candidates
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.desktop_guard import DesktopGuard
from rostrum.manager.users.repository import Users
from rostrum.settings.problems import SettingProblem

ALL_GROUPS = "*"
"""Requests the files of all groups of the user."""
NOBODY = "*"
"""Requests no particular user: files of users do not apply, and files of groups apply only if a group is named."""


class RequestedScope(Struct, frozen=True, kw_only=True):
    """The user, group and version of a request; by default those of the caller."""

    user: str | None = None
    group: str | None = None
    version: str | None = None


class SystemConfigService(DocumentService):
    """The configuration files, and their merged contents for each client."""

    kind = Kind.CONFIG

    def __init__(self, storage: Storage, checks: ConfigChecks | None = None) -> None:
        self._storage = storage
        self._checks = checks or ConfigChecks()

    async def effective(
        self, identity: Identity, asked: RequestedScope, files: Iterable[str] = ()
    ) -> Mapping[str, str]:
        """Merge the files of a client into JSON texts; requested files are included even if they do not exist."""
        async with self._storage.read() as work:
            user, groups = await _requested(work, identity, asked)
            found = await _layers(work, Client(user=user, groups=groups, version=asked.version or ""))
        return await _merge(found, files)

    async def for_nobody(self, version: str, files: Iterable[str]) -> Mapping[str, str]:
        """Merge the files of the base scope and of a version. The caller checks which files may be read."""
        async with self._storage.read() as work:
            found = await _layers(work, Client(version=version))
        return await _merge(found, files)

    async def may_ask_for(self, identity: Identity, user: str) -> bool:
        """Return whether another user exists and the caller may read the configuration of that user."""
        if Permission.SYSTEM_CONFIGS_READ not in identity.permissions:
            return False
        async with self._storage.read() as work:
            return await work.of(Users).login(user) is not None

    async def page(self, identity: Identity, query: Query) -> Page[ConfigFile]:
        require(identity, Permission.SYSTEM_CONFIGS_READ)
        async with self._storage.read() as work:
            return await work.of(ConfigFiles).page(query)

    async def get(self, identity: Identity, config_id: str) -> ConfigFile:
        require(identity, Permission.SYSTEM_CONFIGS_READ)
        async with self._storage.read() as work:
            return found(await work.of(ConfigFiles).get(config_id), "configuration file", config_id)

    async def problems(self, config: ConfigFile) -> list[SettingProblem] | None:
        """Validate a file against the settings catalogue; return ``None`` if validation is disabled."""
        return await self._checks.problems(config)

    async def validate(self, identity: Identity, body: ConfigDocument) -> list[SettingProblem] | None:
        """Validate unsaved contents against the settings catalogue; return ``None`` if validation is disabled."""
        require(identity, Permission.SYSTEM_CONFIGS_READ)
        return await self._checks.problems_at(_place(body), json_text.dump(body.contents).decode())

    async def create(self, identity: Identity, body: ConfigDocument) -> ConfigFile:
        require(identity, Permission.SYSTEM_CONFIGS_WRITE)
        place, contents = _place(body), json_text.dump(body.contents).decode()
        await self._checks.refuse_errors(place, contents)
        return await self._create(identity, place, contents)

    @prepares_audit
    async def _create(self, identity: Identity, place: ConfigKey, contents: str) -> ConfigFile:
        async with self._storage.write(identity.user) as work:
            config = ConfigFile(id=new_id(), **place._asdict(), contents=contents, stamp=work.stamp())
            await save_config(work, identity, None, config)
            return config

    async def replace(
        self, identity: Identity, config_id: str, body: ConfigDocument, expected: Expected = None
    ) -> ConfigFile:
        """Replace a file; it may move to another scope."""
        require(identity, Permission.SYSTEM_CONFIGS_WRITE)
        place, contents = _place(body), json_text.dump(body.contents).decode()
        await self._checks.refuse_errors(place, contents)
        return await self._replace(identity, config_id, place, contents, expected)

    @prepares_audit
    async def _replace(
        self, identity: Identity, config_id: str, place: ConfigKey, contents: str, expected: Expected
    ) -> ConfigFile:
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(ConfigFiles).get(config_id), "configuration file", config_id)
            same_revision(expected, before.stamp.revision, "configuration file", config_id)
            after = replace(before, **place._asdict(), contents=contents, stamp=work.stamp(before.stamp))
            await save_config(work, identity, before, after)
            return after

    async def change(
        self, identity: Identity, config_id: str, body: ConfigChange, expected: Expected = None
    ) -> ConfigFile:
        """Change the contents of a file, if any were sent."""
        require(identity, Permission.SYSTEM_CONFIGS_WRITE)
        contents = json_text.dump(body.contents).decode() if "contents" in body.given() else None
        # Validation can take a second, and must not block other writers.
        evaluated = None if contents is None else await self._validated(config_id, body, contents)
        return await self._change(identity, config_id, evaluated, contents, expected)

    @prepares_audit
    async def _change(
        self, identity: Identity, config_id: str, evaluated: ConfigKey | None, contents: str | None, expected: Expected
    ) -> ConfigFile:
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(ConfigFiles).get(config_id), "configuration file", config_id)
            same_revision(expected, before.stamp.revision, "configuration file", config_id)
            if contents is None:
                return before
            if key_of(before) != evaluated:
                raise Conflict("the configuration file was moved in the meantime; read it again")
            after = replace(before, contents=contents, stamp=work.stamp(before.stamp))
            await check_config(DesktopGuard(work, identity), before, after)
            await work.of(ConfigFiles).put(after)
            return after

    @prepares_audit
    async def remove(self, identity: Identity, config_id: str, expected: Expected = None) -> None:
        require(identity, Permission.SYSTEM_CONFIGS_WRITE)
        async with self._storage.write(identity.user) as work:
            config = found(await work.of(ConfigFiles).get(config_id), "configuration file", config_id)
            same_revision(expected, config.stamp.revision, "configuration file", config_id)
            await check_config(DesktopGuard(work, identity), config)
            await work.of(ConfigFiles).remove(config_id)

    async def _validated(self, config_id: str, body: ConfigChange, contents: str) -> ConfigKey:
        """Validate contents and refuse invalid ones; return the file name and scope for which they were validated."""
        async with self._storage.read() as work:
            place = key_of(found(await work.of(ConfigFiles).get(config_id), "configuration file", config_id))
        if isinstance(body.contents, list) and not may_be_array(place.file):
            raise Invalid("invalid contents", [Problem(path="contents", message="must be an object")])
        await self._checks.refuse_errors(place, contents)
        return place

    @staticmethod
    async def restore(work: Work, identity: Identity, key: str, body: str | None) -> None:
        """Restore a configuration file in its scope."""
        before = await work.of(ConfigFiles).get(key)
        if body is None:
            if before is not None:
                await check_config(DesktopGuard(work, identity), before)
            await work.of(ConfigFiles).remove(key)
            return
        members = json_text.parse(body)
        scope = next((scope for scope in Scope if scope.value in members), Scope.BASE)
        after = ConfigFile(
            id=key,
            file=members["file"],
            scope=scope,
            target=members.get(scope.value, ""),
            contents=member_text(body, "contents"),
            stamp=stamp_after(work, before),
        )
        await save_config(work, identity, before, after)

    @staticmethod
    async def release_name(work: Work, key: str) -> None:
        """Rename a file temporarily, so that another file can have its name and scope."""
        if config := await work.of(ConfigFiles).get(key):
            await work.of(ConfigFiles).put(replace(config, target="", file=key))


def _place(body: ConfigDocument) -> ConfigKey:
    scope, target = scope_of(body)
    return ConfigKey(file=body.file, scope=scope, target=target)


async def _layers(work: Work, client: Client) -> dict[str, tuple[ConfigFile, ...]]:
    stored = await work.of(ConfigFiles).in_scopes(prefixes(client.version), client.groups, client.user)
    new = await candidates(work, stored, client.user or "", client.groups)
    return layers(with_candidates(stored, new), client, await work.of(Groups).priorities(client.groups))


async def _merge(found_layers: Mapping[str, tuple[ConfigFile, ...]], files: Iterable[str]) -> Mapping[str, str]:
    chosen = {name: found_layers.get(name, ()) for name in sorted({*files, *found_layers})}
    # A file that exists in only one scope is returned unchanged, so it is not counted.
    size = sum(len(config.contents) for configs in chosen.values() if len(configs) > 1 for config in configs)
    return await offload(size, _merged, chosen)


def _merged(chosen: Mapping[str, tuple[ConfigFile, ...]]) -> dict[str, str]:
    return {name: merged_text(name, configs) for name, configs in chosen.items()}


async def save_config(work: Work, identity: Identity, before: ConfigFile | None, after: ConfigFile) -> None:
    """Store a new or changed file. The user of its scope must exist; a missing group is created."""
    await _require_target(work, after.scope, after.target)
    await check_config(DesktopGuard(work, identity), *(() if before is None else (before,)), after)
    await _refuse_duplicate(work, after)
    await (work.of(ConfigFiles).add if before is None else work.of(ConfigFiles).put)(after)


async def _requested(work: Work, identity: Identity, asked: RequestedScope) -> tuple[str, frozenset[str]]:
    """Determine which user and group scopes apply, and check that the caller may request them."""
    user = asked.user or identity.user
    graph = await work.of(Groups).graph()
    if user == NOBODY:
        user, groups = "", frozenset[str]()
    elif user == identity.user:
        groups = identity.groups
    else:
        require(identity, Permission.SYSTEM_CONFIGS_READ)
        if await work.of(Users).login(user) is None:
            raise NotFound("user", user)
        groups = expand(await work.of(Users).groups_of(user), graph)
    if asked.group and asked.group != ALL_GROUPS:
        # A request for no particular user may still name a group of the caller.
        if asked.group not in (groups if user else identity.groups):
            require(identity, Permission.SYSTEM_CONFIGS_READ)
            if await work.of(Groups).get(asked.group) is None:
                raise NotFound("group", asked.group)
        groups = expand([asked.group], graph)
    return user, groups


async def _require_target(work: Work, scope: Scope, target: str) -> None:
    if scope is Scope.USER and await work.of(Users).login(target) is None:
        raise Invalid("unknown user", [Problem(path="user", message=f"there is no user {target!r}")])
    if scope is Scope.GROUP:
        await work.of(Groups).add_missing([target], work.stamp())


async def _refuse_duplicate(work: Work, config: ConfigFile) -> None:
    other: Any = await work.of(ConfigFiles).find(config.file, config.scope, config.target)
    if other is not None and other.id != config.id:
        where = f"{config.scope.value} {config.target}".strip()
        raise Conflict(f"{config.file} already exists in the scope {where}; its ID is {other.id}")
