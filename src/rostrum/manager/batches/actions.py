"""The actions that a batch can apply to documents: one class for each way to change them, one registry by kind."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rostrum.base.errors import Invalid
from rostrum.manager.access.identity import Identity
from rostrum.manager.api_tokens.topic import ApiTokens, refused_revocations
from rostrum.manager.apps.repository import Apps
from rostrum.manager.apps.service import save_app
from rostrum.manager.batches.model import Outcome, Part
from rostrum.manager.commands.repository import Commands
from rostrum.manager.configs.guard import check_config
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.crash_groups.service import put_triage, review_reports
from rostrum.manager.crashes.repository import Crashes
from rostrum.manager.directories.topic import DirectoryAddresses
from rostrum.manager.document import Document
from rostrum.manager.errors import Conflict, Forbidden, NotFound, QuotaExceeded, Stale, found, same_revision
from rostrum.manager.feedback.repository import Feedbacks
from rostrum.manager.feedback.service import put_review
from rostrum.manager.groups.service import remove_group
from rostrum.manager.kinds import BATCH_KINDS, DOCUMENT_KINDS, Kind
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.layouts.service import save_layout
from rostrum.manager.machines.topic import Machines
from rostrum.manager.preferences.repository import Preferences
from rostrum.manager.reports.model import TriageStatus
from rostrum.manager.sessions.repository import Sessions
from rostrum.manager.storage import Work
from rostrum.manager.users.desktop_guard import DesktopGuard
from rostrum.manager.users.imported import apply_rows
from rostrum.manager.users.many import plan_alike, preview_alike, save_users
from rostrum.manager.users.model import User
from rostrum.manager.users.service import remove_user

Arguments = Mapping[str, Any]
"""Lists of names, and the options that are set, by their names in requests."""

REVIEW = "reviewReports"

IMPORT = "import"
"""The action that ``user_imports`` starts."""

_REFUSALS = (Conflict, Forbidden, Invalid, NotFound, QuotaExceeded, Stale)


@dataclass(frozen=True, slots=True)
class BulkAction(ABC):
    """An action that a batch can apply.

    Attributes:
        argument: The required argument, ``groups``, ``apps`` or ``assignee``; empty if there is none.

    """

    argument: str = ""

    @property
    def options(self) -> frozenset[str]:
        """Arguments that are not required."""
        return frozenset()

    @property
    def needs_details(self) -> bool:
        """Whether the action needs values for each target, which only an import has."""
        return False

    @property
    def writes_to_preview(self) -> bool:
        """Whether a preview needs a transaction that is undone."""
        return True

    @abstractmethod
    async def apply(self, work: Work, identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        """Apply the action to the targets of a part; return the outcome of each."""

    async def preview(self, work: Work, identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        """Return the result that each target would have."""
        return await self.apply(work, identity, part, arguments)


@dataclass(frozen=True, slots=True)
class ChangeUsers(BulkAction):
    """Changes users with a few statements for all of them."""

    edit: Callable[[User, frozenset[str]], Mapping[str, Any]] = lambda _user, _names: {}

    @property
    def writes_to_preview(self) -> bool:
        return False

    async def apply(self, work: Work, identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        names = frozenset(arguments.get(self.argument, ()))
        planned = await plan_alike(work, identity, part.targets, part.revisions, lambda user: self.edit(user, names))
        await save_users(work, planned)
        return [plan.outcome for plan in planned]

    async def preview(self, work: Work, identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        """Return the outcome of each user, without reading what does not matter for it."""
        names = frozenset(arguments.get(self.argument, ()))
        return await preview_alike(work, identity, part.targets, part.revisions, lambda user: self.edit(user, names))


@dataclass(frozen=True, slots=True)
class ImportUsers(BulkAction):
    """Creates and changes users with the values of a file."""

    @property
    def needs_details(self) -> bool:
        return True

    async def apply(self, work: Work, identity: Identity, part: Part, _arguments: Arguments) -> list[Outcome]:
        return await apply_rows(work, identity, part.targets, part.revisions, part.details or {})


@dataclass(frozen=True, slots=True)
class OneByOne(BulkAction):
    """Applies the rules of the single action to each target; a refused target leaves no trace."""

    kind: Kind = Kind.USER
    change: Callable[[Work, Identity, Any, frozenset[str]], Any] = lambda *_: False

    async def apply(self, work: Work, identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        names = frozenset(arguments.get(self.argument, ()))
        outcomes: list[Outcome] = []
        for key in part.targets:
            try:
                async with work.attempt():
                    is_changed = await self._one(work, identity, key, part.revisions.get(key), names)
            except _REFUSALS as error:
                outcomes.append(_reason(error))
            else:
                outcomes.append(None if is_changed else "")
        return outcomes

    async def _one(self, work: Work, identity: Identity, key: str, revision: int | None, names: frozenset[str]) -> bool:
        noun = DOCUMENT_KINDS[self.kind].noun
        document: Document = found(await work.documents(self.kind).get(key), noun, key)
        same_revision(None if revision is None else frozenset({revision}), document.stamp.revision, noun, key)
        is_changed: bool = await self.change(work, identity, document, names)
        return is_changed


async def _nothing(_work: Work, _key: str) -> None:
    """End no record: the default of an action that is not complete."""


async def _none_refused(_work: Work, _identity: Identity, _records: Sequence[Any]) -> Mapping[str, str]:
    """Refuse no record: most kinds only require the permission."""
    return {}


@dataclass(frozen=True, slots=True)
class EndRecords(BulkAction):
    """Ends or deletes records without revisions.

    Attributes:
        end: Ends or deletes one record.
        is_open: Whether there is something to do for a record.
        refusals: Returns why the caller may not end some of the records, by their IDs.

    """

    kind: Kind = Kind.MACHINE
    end: Callable[[Work, str], Awaitable[Any]] = _nothing
    is_open: Callable[[Any], bool] = lambda _record: True
    refusals: Callable[[Work, Identity, Sequence[Any]], Awaitable[Mapping[str, str]]] = _none_refused

    @property
    def writes_to_preview(self) -> bool:
        return False

    async def apply(self, work: Work, identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        outcomes = await self.preview(work, identity, part, arguments)
        for key, outcome in zip(part.targets, outcomes, strict=True):
            if outcome is None:
                await self.end(work, key)
        return outcomes

    async def preview(self, work: Work, identity: Identity, part: Part, _arguments: Arguments) -> list[Outcome]:
        """Return the outcome of each record: it exists, has ended, has changed, or is refused."""
        noun = BATCH_KINDS[self.kind].noun
        repository = work.records(self.kind)
        records = [await repository.get(key) for key in part.targets]
        refusals = await self.refusals(work, identity, [record for record in records if record is not None])
        outcomes: list[Outcome] = []
        for key, record in zip(part.targets, records, strict=True):
            if record is None:
                outcomes.append(str(NotFound(noun, key)))
            elif key in refusals:
                outcomes.append(refusals[key])
            elif part.revisions.get(key) not in (None, getattr(record, "revision", None)):
                outcomes.append(str(Stale(noun, key, getattr(record, "revision", 0))))
            else:
                outcomes.append(None if self.is_open(record) else "")
        return outcomes


@dataclass(frozen=True, slots=True)
class TriageRecords(BulkAction):
    """Sets the status or the assignee of crash groups or feedback.

    Attributes:
        status: The new status; ``None`` does not change it.

    """

    kind: Kind = Kind.CRASH_GROUP
    status: TriageStatus | None = None

    @property
    def options(self) -> frozenset[str]:
        is_resolving = self.kind is Kind.CRASH_GROUP and self.status is TriageStatus.RESOLVED
        return frozenset({REVIEW}) if is_resolving else frozenset()

    @property
    def writes_to_preview(self) -> bool:
        return False

    async def apply(self, work: Work, _identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        return await self._each(work, part, arguments, writes=True)

    async def preview(self, work: Work, _identity: Identity, part: Part, arguments: Arguments) -> list[Outcome]:
        """Say which records exist and have another status or assignee."""
        return await self._each(work, part, arguments, writes=False)

    async def _each(self, work: Work, part: Part, arguments: Arguments, *, writes: bool) -> list[Outcome]:
        noun = BATCH_KINDS[self.kind].noun
        outcomes: list[Outcome] = []
        for key in part.targets:
            record = await work.records(self.kind).get(key)
            if record is None:
                outcomes.append(str(NotFound(noun, key)))
                continue
            if part.revisions.get(key) not in (None, record.revision):
                outcomes.append(str(Stale(noun, key, record.revision)))
                continue
            status = self.status or record.status
            assignee = record.assignee if self.status else next(iter(arguments.get("assignee", ())), None)
            is_changed = (status, assignee) != (record.status, record.assignee)
            reviews = bool(arguments.get(REVIEW)) and await work.of(Crashes).unreviewed(key) > 0
            if is_changed and writes:
                if self.kind is Kind.CRASH_GROUP:
                    await put_triage(work, record, status, assignee)
                else:
                    await put_review(work, record, {"status": status, "assignee": assignee})
            if reviews and writes:
                await review_reports(work, key, f"*{key}")
            outcomes.append(None if is_changed or reviews else "")
        return outcomes


def _triage(kind: Kind) -> dict[str, BulkAction]:
    return {
        "investigate": TriageRecords("", kind, TriageStatus.INVESTIGATING),
        "resolve": TriageRecords("", kind, TriageStatus.RESOLVED),
        "ignore": TriageRecords("", kind, TriageStatus.IGNORED),
        "reopen": TriageRecords("", kind, TriageStatus.NEW),
        "assign": TriageRecords("assignee", kind),
        "unassign": TriageRecords("", kind),
    }


def _reason(error: Exception) -> str:
    problems = error.problems if isinstance(error, Invalid) else ()
    return "; ".join(problem.message for problem in problems) or str(error)


def _user(edit: Callable[[User, frozenset[str]], dict[str, Any]], argument: str = "") -> ChangeUsers:
    return ChangeUsers(argument, edit)


def _with(values: Sequence[str], names: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted({*values, *names}))


def _without(values: Sequence[str], names: frozenset[str]) -> tuple[str, ...]:
    return tuple(value for value in values if value not in names)


async def _delete_user(work: Work, identity: Identity, user: User, _names: frozenset[str]) -> bool:
    await remove_user(work, identity, user)
    return True


async def _delete_group(work: Work, identity: Identity, group: Any, _names: frozenset[str]) -> bool:
    await remove_group(work, identity, group)
    return True


async def _delete_app(work: Work, _identity: Identity, app: Any, _names: frozenset[str]) -> bool:
    await work.of(Apps).remove(app.name)
    return True


async def _delete_layout(work: Work, _identity: Identity, layout: Any, _names: frozenset[str]) -> bool:
    await work.of(Layouts).remove(layout.id)
    return True


async def _delete_preference(work: Work, _identity: Identity, preference: Any, _names: frozenset[str]) -> bool:
    await work.of(Preferences).remove(preference.id)
    return True


async def _delete_config(work: Work, identity: Identity, config: Any, _names: frozenset[str]) -> bool:
    await check_config(DesktopGuard(work, identity), config)
    await work.of(ConfigFiles).remove(config.id)
    return True


def _shared(kind: Kind, edit: Callable[[Any, frozenset[str]], dict[str, Any]], argument: str = "") -> OneByOne:
    """Return an action that changes apps or layouts."""
    keep: Any = save_app if kind is Kind.APP else save_layout

    async def change(work: Work, identity: Identity, before: Any, names: frozenset[str]) -> bool:
        after = replace(before, **edit(before, names))
        if after == before:
            return False
        await keep(work, identity, before, replace(after, stamp=work.stamp(before.stamp)))
        return True

    return OneByOne(argument, kind, change)


def _shared_actions(kind: Kind, remove: Callable[[Work, Identity, Any, frozenset[str]], Any]) -> dict[str, BulkAction]:
    return {
        "enable": _shared(kind, lambda _document, _names: {"disabled": False}),
        "disable": _shared(kind, lambda _document, _names: {"disabled": True}),
        "grant": _shared(kind, lambda document, names: {"access": _with(document.access, names)}, "groups"),
        "revoke": _shared(kind, lambda document, names: {"access": _without(document.access, names)}, "groups"),
        "delete": OneByOne("", kind, remove),
    }


ACTIONS: Mapping[Kind, Mapping[str, BulkAction]] = {
    Kind.USER: {
        "enable": _user(lambda _user, _names: {"disabled": False}),
        "disable": _user(lambda _user, _names: {"disabled": True}),
        "addToGroups": _user(lambda user, names: {"groups": _with(user.groups, names)}, "groups"),
        "removeFromGroups": _user(lambda user, names: {"groups": _without(user.groups, names)}, "groups"),
        "grantApps": _user(lambda user, names: {"apps": _with(user.apps, names)}, "apps"),
        "revokeApps": _user(lambda user, names: {"apps": _without(user.apps, names)}, "apps"),
        "delete": OneByOne("", Kind.USER, _delete_user),
        IMPORT: ImportUsers(),
    },
    Kind.GROUP: {"delete": OneByOne("", Kind.GROUP, _delete_group)},
    Kind.APP: _shared_actions(Kind.APP, _delete_app),
    Kind.LAYOUT: _shared_actions(Kind.LAYOUT, _delete_layout),
    Kind.PREFERENCE: {"delete": OneByOne("", Kind.PREFERENCE, _delete_preference)},
    Kind.CONFIG: {"delete": OneByOne("", Kind.CONFIG, _delete_config)},
    Kind.SESSION: {
        "end": EndRecords(
            "",
            Kind.SESSION,
            lambda work, key: work.of(Sessions).end(key, work.now),
            lambda session: session.ended is None,
        ),
    },
    Kind.MACHINE: {"delete": EndRecords("", Kind.MACHINE, lambda work, key: work.of(Machines).remove(key))},
    Kind.COMMAND: {"delete": EndRecords("", Kind.COMMAND, lambda work, key: work.of(Commands).remove(key))},
    Kind.CRASH: {"delete": EndRecords("", Kind.CRASH, lambda work, key: work.of(Crashes).remove(key))},
    Kind.CRASH_GROUP: _triage(Kind.CRASH_GROUP),
    Kind.FEEDBACK: {
        **_triage(Kind.FEEDBACK),
        "delete": EndRecords("", Kind.FEEDBACK, lambda work, key: work.of(Feedbacks).remove(key)),
    },
    Kind.DIRECTORY: {
        "revoke": EndRecords("", Kind.DIRECTORY, lambda work, key: work.of(DirectoryAddresses).remove(key))
    },
    Kind.API_TOKEN: {
        "revoke": EndRecords(
            "", Kind.API_TOKEN, lambda work, key: work.of(ApiTokens).remove(key), refusals=refused_revocations
        ),
    },
}
"""The actions for each kind, by the names that clients send."""
