"""The effect of changes that wait for approval: who would receive what else, and which new versions of roll-outs."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, structs

from rostrum.base import json_text
from rostrum.base.json_text import raw
from rostrum.contracts.system_config import Scope
from rostrum.manager.approval.repository import Reach
from rostrum.manager.apps.model import App, AppAccess
from rostrum.manager.changes.model import ChangeRules
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.document import Document
from rostrum.manager.effective.snapshot import APPS, CONFIGS, LAYOUTS, AccessSnapshot, read_snapshot
from rostrum.manager.groups.model import Group, expand, leading_to
from rostrum.manager.history.journal import Journal
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts.model import Layout, LayoutAccess
from rostrum.manager.preferences.model import Preference
from rostrum.manager.preview.config_differences import versions_of
from rostrum.manager.preview.differences import Comparison
from rostrum.manager.preview.outcomes import OutcomeViews
from rostrum.manager.preview.service import Preview, Trial, newest
from rostrum.manager.rollouts.content import name_of
from rostrum.manager.rollouts.model import Cohort, Rollout
from rostrum.manager.rollouts.receivers import access_of
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.storage import Work
from rostrum.manager.users.model import Person, User

Subject = tuple[Kind, str]
_PARTS = (APPS, LAYOUTS, CONFIGS)
_MOST_OUTCOMES = 20
_MOST_NAMES = 20
_MOST_VALUES = 1000
_MOST_DOCUMENTS = 20
_LARGE = 20_000
_NEW = "new to the groups"


class TriedEffect(Struct, frozen=True, kw_only=True):
    """The effect of changes that a transaction has tried out.

    Attributes:
        documents: What users receive by the changes besides the changed documents, for people.
        omitted: The number of further documents.
        is_limited: Whether the users are the members of groups; members that are new receive everything as new.

    """

    digest: str
    rollouts: tuple[str, ...]
    documents: tuple[dict[str, Any], ...]
    omitted: int
    before: AccessSnapshot
    after: AccessSnapshot
    is_limited: bool

    async def text(self) -> str:
        """Compare the users, and write the effect with limits."""
        versions = newest(versions_of(self.before, self.after))
        trial = Trial(Comparison(self.before, self.after, _PARTS, versions), versions, _PARTS)
        (preview,) = [step async for step in trial.run() if isinstance(step, Preview)]
        views = OutcomeViews(_PARTS, _MOST_VALUES)
        shown = [views.of(each, each.users[:_MOST_NAMES]) for each in preview.outcomes[:_MOST_OUTCOMES]]
        listed = sum(item["count"] for item in shown)
        for item in shown:
            if self.is_limited and item["account"] == "created":
                item["account"] = _NEW
        effect = {
            "users": preview.affected,
            "items": shown,
            "unlisted": preview.affected - listed,
            "documents": self.documents,
            "moreDocuments": self.omitted,
        }
        return json_text.dump(effect).decode()


async def describe_effect(work: Work, rules: ChangeRules) -> TriedEffect:
    """Describe what the changes of a transaction do to the members of the groups of the rules, or to all users."""
    after = await read_snapshot(work, _PARTS)
    before = _earlier(after, work.journal)
    new: list[str] = []
    if rules.approval_groups:
        had, has = (_members(side, rules.approval_groups) for side in (before, after))
        new = sorted(has.keys() - had.keys())
        # For new members, everything that they receive is new to the group.
        before = structs.replace(before, users=had)
        after = structs.replace(after, users={key: after.users[key] for key in {*had, *has} if key in after.users})
    pairs = [pair for kind in Kind for pair in work.journal.documents(kind)]
    changed = {(document.kind, document.key) for pair in pairs for document in pair if document is not None}
    cohorts = {one.id: one for one in await work.of(Rollouts).cohorts()}
    gained = _gained(before, after, cohorts) if rules.approval_groups else set()
    personal = await work.of(Reach).personal_documents_by_others(new)
    revisions, staged = _state(after)
    revisions |= personal
    others = sorted((gained | personal.keys()) - changed)
    concerned = [*others, *sorted(changed)]
    ids = {key: staged[key] for key in concerned if key in staged}
    rollouts = {one.id: one for one in await work.of(Rollouts).named(set(ids.values()))}
    open_ones = {key: rollouts[each] for key, each in ids.items() if each in rollouts and rollouts[each].is_open}
    listed = sorted(others, key=lambda key: key not in open_ones)
    shown = [*(key for key in changed if key in open_ones), *listed]
    own = {(before.kind, before.key) for before, _ in pairs if before is not None and _is_own(work.journal, before)}
    # A user can name an app that does not exist; another one must not take its place before the approval.
    facts = [
        [*key, "" if key in changed else revisions.get(key, 0), _step(open_ones.get(key))]
        for key in concerned
        if key not in own
    ]
    return TriedEffect(
        digest=hashlib.sha256(json_text.dump(facts)).hexdigest(),
        rollouts=tuple(sorted(one.id for one in open_ones.values())),
        documents=tuple(
            [await _shown(work, key, open_ones.get(key), is_changed=key in changed) for key in shown[:_MOST_DOCUMENTS]]
        ),
        omitted=max(0, len(shown) - _MOST_DOCUMENTS),
        before=before,
        after=after,
        is_limited=bool(rules.approval_groups),
    )


def _members(snapshot: AccessSnapshot, groups: Iterable[str]) -> dict[str, Person]:
    """Return the members of groups, directly and through inheritance."""
    leading = {name for group in groups for name in leading_to(group, snapshot.groups)}
    return {key: person for key, person in snapshot.users.items() if not leading.isdisjoint(person.groups)}


def _earlier(now: AccessSnapshot, journal: Journal) -> AccessSnapshot:
    """Return the data as they were before the changes of a transaction."""
    stores: dict[Kind, dict[str, Any]] = {
        Kind.USER: dict(now.users),
        Kind.GROUP: dict(now.groups),
        Kind.APP: dict(now.apps),
        Kind.LAYOUT: dict(now.layouts),
        Kind.CONFIG: dict(now.configs),
    }
    priorities = dict(now.priorities)
    for kind, records in stores.items():
        for before, after in journal.documents(kind):
            if after is not None:
                del records[after.key]
            if before is not None:
                records[before.key] = _record(before)
            if isinstance(before, Group):
                priorities[before.key] = before.priority
    return AccessSnapshot(
        users=stores[Kind.USER],
        groups=stores[Kind.GROUP],
        priorities=priorities,
        apps=stores[Kind.APP],
        layouts=stores[Kind.LAYOUT],
        chosen=now.chosen,
        configs=stores[Kind.CONFIG],
    )


def _is_own(journal: Journal, before: Document) -> bool:
    """Return whether a document is deleted with its user, and nobody else has received it."""
    is_own = isinstance(before, Preference) or (isinstance(before, Layout) and before.is_private and not before.public)
    return is_own and journal.is_implied(before.kind, before.key)


def _record(document: Document) -> Any:
    """Return a document as snapshots contain it."""
    match document:
        case User(id=key, groups=groups, apps=apps, layouts=layouts, disabled=disabled):
            return Person(id=key, groups=groups, apps=apps, layouts=layouts, disabled=disabled)
        case Group():
            return document.expands_to
        case App():
            return _app(document)
        case Layout():
            return access_of(document)
        case _:
            return document


def _app(app: App) -> AppAccess:
    return AppAccess(
        name=app.name,
        title=app.title,
        public=app.public,
        access=app.access,
        disabled=app.disabled,
        revision=app.stamp.revision,
        rollout=app.rollout,
    )


def _gained(before: AccessSnapshot, after: AccessSnapshot, cohorts: Mapping[str, Cohort]) -> set[Subject]:
    """Return the documents that a user receives after the changes, and that none of the users has received before.

    The new version of a roll-out counts as another document.
    """
    had, has = _Given(before, cohorts), _Given(after, cohorts)
    known = set[Subject]().union(*(had.to(person) for person in before.users.values()))
    gained = set[Subject]().union(*(has.to(person) for person in after.users.values())) - known
    versions = {key: had.new_versions(person) for key, person in before.users.items()}
    known_versions = set[Subject]().union(*versions.values())
    for key, person in after.users.items():
        new = has.new_versions(person)
        gained |= (new ^ versions[key]) & has.to(person) if key in versions else new - known_versions
    return gained


class _Given:
    """What each user receives, also while the user or the document is disabled."""

    def __init__(self, snapshot: AccessSnapshot, cohorts: Mapping[str, Cohort]) -> None:
        self._groups = snapshot.groups
        staged = _state(snapshot)[1]
        self._staged = {key: cohorts[rollout] for key, rollout in staged.items() if rollout in cohorts}
        self._to_all: set[Subject] = set()
        self._to_group: dict[str, set[Subject]] = {}
        self._to_user: dict[str, set[Subject]] = {}
        self._shared: dict[tuple[str, ...], set[Subject]] = {}
        shared: dict[Subject, AppAccess | LayoutAccess] = {
            **{(Kind.APP, name): app for name, app in snapshot.apps.items()},
            **{(Kind.LAYOUT, key): layout for key, layout in snapshot.layouts.items()},
        }
        for key, one in shared.items():
            # Personal layouts are their owners' own data, unless others have saved them.
            self._add(key, one.access, "", is_public=one.public)
        for name, config in snapshot.configs.items():
            group = (config.target,) if config.scope is Scope.GROUP else ()
            user = config.target if config.scope is Scope.USER else ""
            self._add((Kind.CONFIG, name), group, user, is_public=config.scope in (Scope.BASE, Scope.VERSION))

    def _add(self, key: Subject, groups: Iterable[str], user: str, *, is_public: bool) -> None:
        if is_public:
            self._to_all.add(key)
        for group in groups:
            self._to_group.setdefault(group, set()).add(key)
        self._to_user.setdefault(user, set()).add(key)

    def to(self, person: Person) -> set[Subject]:
        """Return the documents that a user receives."""
        shared = self._shared.get(person.groups)
        if shared is None:
            lists = (self._to_group.get(group, ()) for group in expand(person.groups, self._groups))
            shared = self._shared[person.groups] = self._to_all.union(*lists)
        named = [*((Kind.APP, name) for name in person.apps), *((Kind.LAYOUT, key) for key in person.layouts)]
        own = self._to_user.get(person.id, ())
        return shared.union(named, own) if named or own else shared

    def new_versions(self, person: Person) -> set[Subject]:
        """Return the documents that a user receives in the new version of a roll-out."""
        if not self._staged:
            return set()
        received, groups = self.to(person), expand(person.groups, self._groups)
        return {key for key, one in self._staged.items() if key in received and one.includes(person.id, groups)}


def _state(snapshot: AccessSnapshot) -> tuple[dict[Subject, int], dict[Subject, str]]:
    """Return the revision of each document, and its roll-out."""
    each: list[tuple[Subject, int, str | None]] = [
        *(((Kind.APP, one.name), one.revision, one.rollout) for one in snapshot.apps.values()),
        *(((Kind.LAYOUT, one.id), one.revision, one.rollout) for one in snapshot.layouts.values()),
        *(((Kind.CONFIG, one.id), one.stamp.revision, one.rollout) for one in snapshot.configs.values()),
    ]
    revisions = {key: revision for key, revision, _ in each}
    return revisions, {key: rollout for key, _, rollout in each if rollout is not None}


async def _shown(work: Work, key: Subject, rollout: Rollout | None, *, is_changed: bool) -> dict[str, Any]:
    """Describe a document that users receive. Changed documents are shown by the proposal itself."""
    document: Document | None = await work.documents(key[0]).get(key[1])
    text = None if document is None or is_changed else document.content
    shown = {
        "kind": key[0],
        "id": key[1],
        "name": name_of(document) if isinstance(document, App | Layout | ConfigFile) else key[1],
        "content": _limited(text),
        "large": text is not None and len(text) > _LARGE,
    }
    if rollout is None:
        return {**shown, "rollout": None}
    return {
        **shown,
        "rollout": {
            "id": rollout.id,
            "stage": rollout.stage,
            "stageCount": len(rollout.stages),
            "createdBy": rollout.created_by,
            "candidate": _limited(rollout.candidate),
            "large": len(rollout.candidate) > _LARGE,
        },
    }


def _step(rollout: Rollout | None) -> str:
    return "" if rollout is None else f"{rollout.id} {rollout.stage}"


def _limited(text: str | None) -> Any:
    return None if text is None or len(text) > _LARGE else raw(text)
