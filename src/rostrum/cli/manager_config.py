"""rostrum manager config: sets or removes one value of a stored configuration file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rostrum.cli.manager_parts import CommentOption, TicketOption, json_values, require_database, run_or_fail
from rostrum.cli.output import fail, say, show_json, warn
from rostrum.cli.settings_file import ConfigOption

if TYPE_CHECKING:
    from rostrum.contracts.system_config import ConfigDocument
    from rostrum.manager.configs.model import ConfigFile

app = typer.Typer(help="Set or remove one setting in a stored configuration file.", no_args_is_help=True)

FileArgument = Annotated[
    str, typer.Argument(help="Name of the file, such as system.json.", metavar="FILE", show_default=False)
]
PathArgument = Annotated[
    str, typer.Argument(help="The setting, such as notifications.toastExpiry.", metavar="PATH", show_default=False)
]
GroupOption = Annotated[str | None, typer.Option(help="The file of this group.", show_default=False)]
UserOption = Annotated[str | None, typer.Option(help="The file of this user.", show_default=False)]
VersionOption = Annotated[
    str | None, typer.Option("--for-version", help="The file of this platform version.", show_default=False)
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show the result without saving it.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("set")
def set_value(
    document: FileArgument,
    path: PathArgument,
    value: Annotated[
        str,
        typer.Argument(
            help="The value as JSON. Any other value is stored as text.", metavar="VALUE", show_default=False
        ),
    ],
    *,
    group: GroupOption = None,
    user: UserOption = None,
    version: VersionOption = None,
    dry_run: DryRunOption = False,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Set one setting in a file of the manager; without a group, user or version, in the file for all users.

    The file is created if it does not exist.
    """
    scope = {"group": group, "user": user, "version": version}
    edit = _Edit(document, scope, path, _read(document, path, value), is_dry=dry_run)
    _run(edit, "config set", (comment, ticket), config, json=json)


@app.command("unset")
def unset_value(
    document: FileArgument,
    path: PathArgument,
    *,
    group: GroupOption = None,
    user: UserOption = None,
    version: VersionOption = None,
    dry_run: DryRunOption = False,
    comment: CommentOption = "",
    ticket: TicketOption = "",
    json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Remove one setting from a file of the manager; files with lower precedence then apply."""
    edit = _Edit(document, {"group": group, "user": user, "version": version}, path, _NOTHING, is_dry=dry_run)
    _run(edit, "config unset", (comment, ticket), config, json=json)


_NOTHING: Any = object()


class _Edit:
    """One change of one file."""

    def __init__(self, file: str, scope: dict[str, str | None], path: str, value: Any, *, is_dry: bool) -> None:
        self._file = file
        self._scope = {name: target for name, target in scope.items() if target is not None}
        self._path = path.split(".")
        self._value = value
        self._is_dry = is_dry

    async def run(self, parts: dict[str, Any]) -> dict[str, Any]:
        from rostrum.base import json_text
        from rostrum.contracts.system_config import ConfigChange
        from rostrum.manager.access.identity import SYSTEM
        from rostrum.manager.configs.checks import problem_view

        service = parts["configs"]
        empty = self._document({})
        stored = await self._stored(service, empty)
        before = {} if stored is None else json_values(stored.as_json())["contents"]
        if not isinstance(before, dict):
            fail(f"{self._file} contains a list. Only files that contain an object have settings.")
        after = _changed(before, self._path, self._value)
        draft = self._document(after)
        problems = await service.validate(SYSTEM, draft) or []
        is_changed = json_text.dump(after) != json_text.dump(before)
        if is_changed and not self._is_dry:
            if stored is None:
                stored = await service.create(SYSTEM, draft)
            else:
                expected = frozenset({stored.stamp.revision})
                stored = await service.change(SYSTEM, stored.id, ConfigChange(contents=after), expected)
        path = ".".join(self._path)
        return {
            "file": self._file,
            **self._scope,
            "id": None if stored is None else stored.id,
            "path": path,
            "before": _at(before, self._path),
            "after": _at(after, self._path),
            "changed": is_changed,
            "saved": is_changed and not self._is_dry,
            "problems": [problem_view(problem) for problem in problems if _concerns(problem.path, path)],
        }

    def _document(self, contents: dict[str, Any]) -> "ConfigDocument":
        from rostrum.base.errors import Invalid
        from rostrum.contracts.system_config import ConfigDocument
        from rostrum.contracts.validation_messages import problems_in

        members = {"file": self._file, "contents": contents, **self._scope}
        if problems := problems_in(members, ConfigDocument):
            raise Invalid("the file cannot be changed", problems)
        return ConfigDocument.model_validate(members)

    async def _stored(self, service: Any, document: "ConfigDocument") -> "ConfigFile | None":
        from rostrum.manager.access.identity import SYSTEM
        from rostrum.manager.configs.scopes import scope_of
        from rostrum.manager.database.paging import Query

        scope, target = scope_of(document)
        filters = {"file": document.file, "scope": scope.value, **({"target": target} if target else {})}
        page = await service.page(SYSTEM, Query(limit=1000, filters=filters))
        same = (config for config in page.items if (config.file, config.target) == (document.file, target))
        return next(same, None)


def _run(edit: _Edit, command: str, reason: tuple[str, str], config: Path | None, *, json: bool) -> None:
    from rostrum.base import json_text

    found = json_values(run_or_fail(require_database(config, quiet=json), command, edit.run, *reason))
    if json:
        show_json(found)
        return
    for problem in found["problems"]:
        warn(f"{problem['path']}: {problem['message']}")
    before, after = ("not set" if found[side] is None else json_text.dump(found[side]).decode() for side in _SIDES)
    state = "saved" if found["saved"] else "not saved, dry run" if found["changed"] else "nothing to change"
    say(f"{found['file']} {found['path']}: {before} -> {after} ({state})")


_SIDES = ("before", "after")


def _read(file: str, path: str, value: str) -> Any:
    """Read a value: JSON, or a text, which settings of the type text take literally."""
    from rostrum.base import json_text
    from rostrum.base.errors import Invalid
    from rostrum.settings.catalogue import catalogue
    from rostrum.settings.kinds import kind_of

    kind = kind_of(file)
    declared = None if kind is None else catalogue(kind).get(path)
    if declared is not None and declared.type == "string":
        return value
    try:
        return json_text.parse(value)
    except Invalid:
        return value


def _changed(document: dict[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """Return the document with another value; objects that become empty are removed."""
    name, *rest = path
    if not rest:
        kept = {key: member for key, member in document.items() if key != name or value is not _NOTHING}
        return kept if value is _NOTHING else {**kept, name: value}
    inner = document.get(name)
    if not isinstance(inner, dict):
        if value is _NOTHING:
            return document
        inner = {}
    changed = _changed(inner, rest, value)
    if not changed and inner:
        return {key: member for key, member in document.items() if key != name}
    return {**document, name: changed}


def _at(document: Any, path: list[str]) -> Any:
    for name in path:
        document = document.get(name) if isinstance(document, dict) else None
    return document


def _concerns(path: str, setting: str) -> bool:
    """Return whether a problem is at the setting, inside it, or around it."""
    return any(one == other or one.startswith((f"{other}.", f"{other}[")) for one, other in _both(path, setting))


def _both(path: str, setting: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return (path, setting), (setting, path)
