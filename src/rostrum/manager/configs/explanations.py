"""Explains the effective configuration of a user, a group or a version."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from msgspec import Struct

from rostrum.base import json_text
from rostrum.base.offload import offload
from rostrum.contracts.system_config import ConfigDocument
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.configs.explained_values import ExplainedFile, ExplainedValue, explain_file
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.configs.scopes import Client, layers, prefixes, scope_of
from rostrum.manager.document import Stamp
from rostrum.manager.errors import NotFound, found
from rostrum.manager.groups.model import reach
from rostrum.manager.groups.repository import Groups
from rostrum.manager.rollouts.serving import UserVersion, versions, with_candidates
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.repository import Users
from rostrum.settings.catalogue import nearest
from rostrum.settings.kinds import kind_of

_MAIN = "system.json"


class Question(Struct, frozen=True, kw_only=True):
    """The request for an explanation.

    Attributes:
        user: The user whose scope applies; without a user, no user scope applies.
        group: The group that replaces the groups of the user.
        file: One file; all files by default.
        path: The path of a setting; values inside it are included.
        defaults: Whether settings that are not set are listed too.
        draft: A file that is not saved; it replaces the stored file of the same name and scope.

    """

    user: str | None = None
    group: str | None = None
    version: str | None = None
    file: str | None = None
    path: str | None = None
    defaults: bool = False
    limit: int = 200
    offset: int = 0
    draft: ConfigDocument | None = None


class ConfigExplanation(Struct, frozen=True, kw_only=True):
    """The explanation that a question is answered with.

    Attributes:
        reached: Each effective group, and the group through which it is inherited; ``None`` for direct groups.
        layers: The stored files that apply, by name, lowest precedence first.
        rollouts: The version that the user receives, for files that are being rolled out, by the ID of the roll-out.

    """

    question: Question
    reached: Mapping[str, str | None]
    priorities: Mapping[str, int]
    layers: Mapping[str, tuple[ConfigFile, ...]]
    rollouts: Mapping[str, UserVersion]
    files: tuple[ExplainedFile, ...]
    values: tuple[ExplainedValue, ...]
    total: int


class ExplanationService:
    """Explains where the values of configuration files come from."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def explain(self, identity: Identity, question: Question) -> ConfigExplanation:
        """Explain the values of all files of a user, group or version."""
        require(identity, Permission.SYSTEM_CONFIGS_READ)
        async with self._storage.read() as work:
            reached = await _reached(work, question)
            priorities = await work.of(Groups).priorities(reached)
            client = Client(user=question.user, groups=reached.keys(), version=question.version or "")
            stored = await work.of(ConfigFiles).in_scopes(prefixes(client.version), client.groups, client.user)
            if question.draft is not None:
                stored = _with_draft(stored, question.draft, identity.user)
            received = await versions(work, stored, client.user or "", client.groups)
        new = {each.rollout.key: each.rollout.candidate for each in received.values() if each.is_candidate}
        stored = with_candidates(stored, new)
        by_file = layers(stored, client, priorities)
        # Settings that are not set belong to the main file, even if it does not exist.
        main = {_MAIN} if question.path or question.defaults else set()
        names = [question.file] if question.file else sorted({*by_file, *main})
        chosen = {name: by_file.get(name, ()) for name in names}
        size = sum(len(config.contents) for configs in chosen.values() for config in configs)
        files = await offload(size, _explained, chosen, question)
        if question.path:
            files = tuple(file for file in files if file.total or file.dropped)
            if not files:
                raise NotFound("setting", question.path, hint=_hint(names, question.path))
        return ConfigExplanation(
            question=question,
            reached=reached,
            priorities=priorities,
            layers={file.file: chosen[file.file] for file in files},
            rollouts=received,
            files=files,
            values=tuple(value for file in files for value in file.values),
            total=sum(file.total for file in files),
        )


async def _reached(work: Work, question: Question) -> Mapping[str, str | None]:
    """Find the groups whose scopes apply: those of the named group, or else of the user."""
    direct: Iterable[str] = ()
    if question.user is not None:
        direct = found(await work.of(Users).get(question.user), "user", question.user).groups
    if question.group is not None:
        direct = [found(await work.of(Groups).get(question.group), "group", question.group).name]
    return reach(direct, await work.of(Groups).graph())


def _with_draft(stored: Iterable[ConfigFile], draft: ConfigDocument, author: str) -> list[ConfigFile]:
    """Replace the stored file with the draft, or add the draft as a new file without an ID."""
    place = (draft.file, *scope_of(draft))
    contents = json_text.dump(draft.contents).decode()
    found = {(config.file, config.scope, config.target): config for config in stored}
    if place in found:
        found[place] = replace(found[place], contents=contents)
    else:
        now = datetime.now(UTC)
        stamp = Stamp(revision=0, created=now, created_by=author, modified=now, modified_by=author)
        file, scope, target = place
        found[place] = ConfigFile(id="", file=file, scope=scope, target=target, contents=contents, stamp=stamp)
    return list(found.values())


def _explained(chosen: Mapping[str, tuple[ConfigFile, ...]], question: Question) -> tuple[ExplainedFile, ...]:
    version = next(reversed(prefixes(question.version or "")), None)
    path = question.path or ""
    defaults = question.defaults or bool(path)
    start, end = question.offset, question.offset + question.limit
    found: list[ExplainedFile] = []
    for name, configs in chosen.items():
        page = slice(max(0, start), max(0, end))
        found.append(explain_file(name, configs, version=version, path=path, defaults=defaults, page=page))
        start, end = start - found[-1].total, end - found[-1].total
    return tuple(found)


def _hint(names: Iterable[str], path: str) -> str | None:
    kinds = [kind for kind in map(kind_of, names) if kind is not None]
    return next((close for kind in kinds if (close := nearest(path, kind))), None)
