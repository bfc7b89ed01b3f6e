"""Apps: definitions and their access lists."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from rostrum.base import json_text
from rostrum.base.errors import Invalid
from rostrum.base.ids import problem_of_spaces
from rostrum.base.offload import offload
from rostrum.base.problems import Problem
from rostrum.contracts.addresses import opens_file
from rostrum.contracts.app_entries import AppChange, AppEntry, AppImport
from rostrum.contracts.fdc3 import HOST, app_name, is_fdc3_record, to_record
from rostrum.contracts.fdc3_import import to_definition
from rostrum.contracts.validation_messages import under
from rostrum.contracts.wrapper import is_wrapper, unwrap
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.access.reasons import Viewer, evaluate_app
from rostrum.manager.apps.guard import check_app
from rostrum.manager.apps.model import App, AppAccess
from rostrum.manager.apps.repository import Apps
from rostrum.manager.audit.preparation import prepares_audit
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, Expected, NotFound, found, same_revision
from rostrum.manager.groups.repository import Groups
from rostrum.manager.history.restore import DocumentService, member_text, stamp_after
from rostrum.manager.kinds import Kind
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.rollouts.serving import candidates
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.desktop_guard import DesktopGuard
from rostrum.manager.users.repository import Users

_RESERVED = frozenset({".", ".."})
"""Path segments that clients remove from an address before they send it."""
_DEPLOYED = frozenset({"clickonce", "onlinenative"})
"""App types whose address is that of a program, which may be on a file server."""


class AppService(DocumentService):
    """The app store."""

    kind = Kind.APP

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def visible(self, identity: Identity, rollouts: Collection[str] | None = None) -> list[str]:
        """Read the definitions that are available to the caller, as JSON texts.

        With ``rollouts``, the roll-outs whose new version the caller receives are given.
        """
        async with self._storage.read() as work:
            visible = await _visible(work, identity, await work.of(Apps).access())
            return await _definitions(work, identity, visible, rollouts)

    async def directory(self, identity: Identity) -> list[dict[str, Any]]:
        """Read the apps of the caller as records of an FDC3 app directory."""
        texts = await self.visible(identity)
        return await offload(sum(map(len, texts)), _records, texts)

    async def directory_record(self, identity: Identity, app_id: str) -> dict[str, Any]:
        """Read one record of the FDC3 app directory; a qualified ID ``app@host`` is also accepted."""
        async with self._storage.read() as work:
            names = dict.fromkeys((app_id, app_id.rpartition("@")[0]))
            visible = {app.name: app for app in await _visible(work, identity, await work.of(Apps).access(names))}
            chosen = [visible[name] for name in names if name in visible]
            texts = await _definitions(work, identity, chosen)
        if not texts:
            raise NotFound("app", app_id)
        return to_record(json_text.parse(texts[0]))

    async def page(self, identity: Identity, query: Query) -> Page[App]:
        require(identity, Permission.APPS_READ)
        async with self._storage.read() as work:
            return await work.of(Apps).page(query)

    async def get(self, identity: Identity, name: str) -> App:
        require(identity, Permission.APPS_READ)
        async with self._storage.read() as work:
            return found(await work.of(Apps).get(name), "app", name)

    @prepares_audit
    async def create(self, identity: Identity, body: AppEntry) -> App:
        require(identity, Permission.APPS_WRITE)
        await _check(check_definition, body.definition, "definition")
        async with self._storage.write(identity.user) as work:
            name = app_name(body.definition)
            if await work.of(Apps).get(name) is not None:
                raise Conflict(f"the app {name!r} already exists")
            app = _app(work, body.definition, public=body.public, access=body.access_list, disabled=body.disabled)
            await save_app(work, identity, None, app)
            return _stored(app)

    async def replace(self, identity: Identity, name: str, body: AppEntry, expected: Expected = None) -> App:
        given = {field: getattr(body, field) for field in AppEntry.model_fields}
        return await self.change(identity, name, AppChange.model_construct(set(given), **given), expected)

    @prepares_audit
    async def change(self, identity: Identity, name: str, body: AppChange, expected: Expected = None) -> App:
        """Change the members that were sent."""
        require(identity, Permission.APPS_WRITE)
        given = body.given()
        if "definition" in given:
            await _check(check_definition, given["definition"], "definition")
            if app_name(given["definition"]) != name:
                message = f"an app cannot be renamed; it is {name!r}"
                raise Invalid("invalid definition", [Problem(path="definition.name", message=message)])
        async with self._storage.write(identity.user) as work:
            before = found(await work.of(Apps).get(name), "app", name)
            same_revision(expected, before.stamp.revision, "app", name)
            after = replace(
                before,
                public=given.get("public", before.public),
                access=tuple(given.get("access_list", before.access)),
                disabled=given.get("disabled", before.disabled),
                stamp=work.stamp(before.stamp),
            )
            if "definition" in given:
                after = app_with_definition(after, given["definition"])
            await save_app(work, identity, before, after)
            return _stored(after)

    @prepares_audit
    async def remove(self, identity: Identity, name: str, expected: Expected = None) -> None:
        require(identity, Permission.APPS_WRITE)
        async with self._storage.write(identity.user) as work:
            app = found(await work.of(Apps).get(name), "app", name)
            same_revision(expected, app.stamp.revision, "app", name)
            await work.of(Apps).remove(name)

    @prepares_audit
    async def import_all(self, identity: Identity, body: AppImport) -> tuple[list[str], list[str]]:
        """Store many apps, all or none; return the names of new and of replaced apps."""
        require(identity, Permission.APPS_WRITE)
        await _check(_check_all, body.applications)
        definitions = {app_name(definition): definition for definition in body.applications}
        async with self._storage.write(identity.user) as work:
            before = await work.of(Apps).named(list(definitions))
            replaced = [name for name in definitions if name in before]
            if replaced and not body.overwrite:
                raise Conflict(f"these apps already exist: {', '.join(replaced[:20])}; set overwrite to replace them")
            guard = DesktopGuard(work, identity)
            for name in replaced:
                app = before[name]
                after = app_with_definition(app, definitions[name])
                await check_app(guard, after)
                await work.of(Apps).put(replace(after, stamp=work.stamp(app.stamp)))
            created = [name for name in definitions if name not in before]
            new = [_app(work, definitions[name], public=body.public, access=body.access_list) for name in created]
            for app in new:
                await check_app(guard, app)
            await work.of(Apps).add(*new)
            await work.of(Groups).add_missing(body.access_list, work.stamp())
        return created, replaced

    @staticmethod
    async def restore(work: Work, identity: Identity, key: str, body: str | None) -> None:
        """Restore an app with its access list."""
        before = await work.of(Apps).get(key)
        if body is None:
            await work.of(Apps).remove(key)
            return
        members = json_text.parse(body)
        bare = App(
            name=key,
            type="",
            title="",
            definition="",
            public=members["public"],
            access=tuple(members["accessList"]),
            disabled=members["disabled"],
            stamp=stamp_after(work, before),
        )
        after = app_with_definition(bare, members["definition"])
        await save_app(work, identity, before, replace(after, definition=member_text(body, "definition")))


async def _check(check: Callable[..., None], given: Any, *place: str) -> None:
    await offload(len(json_text.dump(given)), check, given, *place)


def _records(texts: Iterable[str]) -> list[dict[str, Any]]:
    return [to_record(json_text.parse(text)) for text in texts]


async def _visible(work: Work, identity: Identity, apps: Iterable[AppAccess]) -> list[AppAccess]:
    viewer = Viewer(user=identity.user, groups=identity.groups, apps=await work.of(Users).apps_of(identity.user))
    return sorted((app for app in apps if evaluate_app(viewer, app).visible), key=lambda app: app.name)


async def _definitions(
    work: Work, identity: Identity, apps: Sequence[AppAccess], rollouts: Collection[str] | None = None
) -> list[str]:
    """Read the definitions of apps, in the version that the caller receives."""
    texts = await work.of(Apps).definitions(app.name for app in apps)
    new = await candidates(work, apps, identity.user, identity.groups, rollouts)
    return [new.get(app.name, text) for app, text in zip(apps, texts, strict=True)] if new else texts


async def save_app(work: Work, identity: Identity, before: App | None, after: App) -> None:
    """Store a new or changed app, and create groups that it names first."""
    guard = DesktopGuard(work, identity)
    await check_app(guard, after)
    if before is not None and before.rollout is not None:
        # The app may become available to further users, who receive its new version.
        for rollout in await work.of(Rollouts).named([before.rollout]):
            await check_app(guard, replace(after, definition=rollout.candidate))
    await (work.of(Apps).add if before is None else work.of(Apps).put)(after)
    await work.of(Groups).add_missing(after.access, work.stamp())


def _stored(app: App) -> App:
    """Return a saved app as it is read again: each group is once in the access list, in alphabetical order."""
    return replace(app, access=tuple(sorted(set(app.access))))


def new_app_name(definition: dict[str, Any]) -> str:
    """Return the name of a new app; stored names may be older than the rules for new ones."""
    name = app_name(definition)
    problem = problem_of_spaces(name)
    if problem is not None:
        raise Invalid(f"the app {name!r} cannot be created", [Problem(path="definition.name", message=problem)])
    return name


def _app(work: Work, definition: dict[str, Any], *, public: bool, access: Iterable[str], disabled: bool = False) -> App:
    bare = App(
        name=new_app_name(definition),
        type="",
        title="",
        definition="",
        public=public,
        access=tuple(access),
        disabled=disabled,
        stamp=work.stamp(),
    )
    return app_with_definition(bare, definition)


def app_with_definition(app: App, definition: dict[str, Any]) -> App:
    """Replace the definition of an app, and the fields in which lists search."""
    title = definition.get("title")
    return replace(
        app,
        type=str(definition.get("type", "")),
        # Used for searches only, so characters that PostgreSQL cannot store are removed; the definition has them.
        title=title.replace("\0", "") if isinstance(title, str) else "",
        definition=json_text.dump(definition).decode(),
    )


def check_definition(definition: Any, path: str) -> None:
    """Refuse an invalid definition, and list all problems."""
    problems = _problems(definition, path)
    if problems:
        raise Invalid("the app definition has problems", problems)


def _check_all(definitions: list[dict[str, Any]]) -> None:
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, definition in enumerate(definitions):
        wrong = _problems(definition, f"applications[{number}]")
        problems += wrong
        if not wrong:
            first = seen.setdefault(app_name(definition), number)
            if first != number:
                message = f"the same name as applications[{first}]"
                problems.append(Problem(path=f"applications[{number}].name", message=message))
    if problems:
        raise Invalid("the app definitions have problems", problems[:1000])


def _files_opened(definition: dict[str, Any], path: str) -> list[Problem]:
    """Refuse pages that are files on the user's machine: apps of a server must not read them."""
    details = definition.get("details")
    opened = isinstance(details, dict) and opens_file(details.get("url"))
    if not opened or str(definition.get("type", "")).lower() in _DEPLOYED:
        return []
    message = "must not be a file; only an app of a local folder may open files"
    return [Problem(path=f"{path}.details.url", message=message)]


def _problems_when_started(definition: dict[str, Any], path: str) -> list[Problem]:
    """Check what a desktop starts: the text inside a wrapper, or an FDC3 record with our manifest."""
    from rostrum.contracts.apps import check_app

    while is_wrapper(definition):
        definition, path = unwrap(definition["manifest"]), f"{path}.manifest"
    problems = _files_opened(definition, path)
    if not problems and is_fdc3_record(definition) and HOST in (definition.get("hostManifests") or {}):
        started = {name: value for name, value in to_definition(definition).items() if name != "fdc3"}
        own = f"{path}.hostManifests.{HOST}"
        problems = under(own, check_app(started)) or _files_opened(started, own)
    return problems


def _problems(definition: Any, path: str) -> list[Problem]:
    # Imported when a definition is first written: the models of windows take a tenth of the start.
    from rostrum.contracts.apps import check_app

    problems = under(path, check_app(definition))
    if not problems:
        problems = _problems_when_started(definition, path)
    if not problems and app_name(definition) in _RESERVED:
        member = "name" if definition.get("name") else "appId"
        return [Problem(path=f"{path}.{member}", message=f"must not be one of {', '.join(sorted(_RESERVED))}")]
    return problems
