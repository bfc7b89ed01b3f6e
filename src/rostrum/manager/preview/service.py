"""Calculates the effect of writes on all users; nothing is written."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import replace

from msgspec import Struct, field

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.previews import PreviewRequest
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.apps.repository import Apps
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.effective.snapshot import APPS, CONFIGS, LAYOUTS, AccessSnapshot, read_snapshot
from rostrum.manager.errors import Conflict, NotFound
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.preview.config_differences import Remark, versions_of
from rostrum.manager.preview.differences import Comparison, Difference, Remarks
from rostrum.manager.preview.proposals import ProposedSnapshot, write
from rostrum.manager.storage import Storage, Work

_PERMISSIONS = {
    "apps": Permission.APPS_READ,
    "layouts": Permission.LAYOUTS_READ,
    "configs": Permission.SYSTEM_CONFIGS_READ,
    "users": Permission.USERS_READ,
    "groups": Permission.GROUPS_READ,
}
_PARTS = (APPS, LAYOUTS, CONFIGS)
_MOST_VERSIONS = 32
_MOST_OUTCOMES = 2000
_MOST_PROBLEMS = 200
_AT_ONCE = 2
_SLICE_SECONDS = 0.05
_PROGRESS_SECONDS = 0.2


class Progress(Struct, frozen=True):
    """The number of processed users."""

    done: int
    of: int


class Outcome(Struct, frozen=True):
    """One difference, and the users to whom it applies."""

    difference: Difference
    users: tuple[str, ...]

    @property
    def id(self) -> str:
        """Return a stable ID of the outcome."""
        digest = hashlib.blake2b(repr(replace(self.difference, configs=())).encode(), digest_size=8)
        # One at a time: nothing else runs while C code writes the text of a value, and there can be thousands of them.
        for change in self.difference.configs:
            digest.update(repr(change).encode())
        return digest.hexdigest()


class Noted(Struct, frozen=True):
    """New or resolved validation problems, with their versions and users."""

    remark: Remark
    versions: tuple[str, ...]
    users: tuple[str, ...]


class Preview(Struct, frozen=True, kw_only=True):
    """The effect of the writes; the most frequent outcome comes first.

    Attributes:
        unlisted: The number of users whose outcome is not listed, because there are too many.
        parts: The compared parts: apps, layouts, configuration.

    """

    users: int
    affected: int
    outcomes: tuple[Outcome, ...]
    unlisted: int
    notes: tuple[Noted, ...]
    versions: tuple[str, ...]
    parts: frozenset[str]


class _Tally(Struct):
    """Collects the users of each outcome."""

    outcomes: dict[Difference, list[str]] = field(default_factory=dict)
    notes: dict[Remark, tuple[dict[str, None], list[str]]] = field(default_factory=dict)
    affected: int = 0
    unlisted: int = 0

    def add(self, user: str, difference: Difference | None, remarks: Remarks) -> None:
        """Note what changes for a user."""
        if difference is not None:
            self.affected += 1
            known = self.outcomes.get(difference)
            if known is not None:
                known.append(user)
            elif len(self.outcomes) < _MOST_OUTCOMES:
                self.outcomes[difference] = [user]
            else:
                self.unlisted += 1
        for remark, versions in remarks:
            seen, users = self.notes.setdefault(remark, ({}, []))
            seen.update(dict.fromkeys(versions))
            users.append(user)


class Trial:
    """Writes that have been tried out; what they do to whom is still to be found out."""

    def __init__(self, comparison: Comparison, versions: Collection[str], parts: Collection[str]) -> None:
        self._comparison = comparison
        self._versions = tuple(versions)
        self._parts = frozenset(parts)

    async def run(self) -> AsyncIterator[Progress | Preview]:
        """Compare all users, in slices between other requests; yield the progress, and then the result."""
        users = self._comparison.users
        tally = _Tally()
        now = asyncio.get_running_loop().time
        told = now()
        done = 0
        while done < len(users):
            if now() - told >= _PROGRESS_SECONDS:
                told = now()
                yield Progress(done, len(users))
            # With large documents one user alone can take a second.
            done = await asyncio.to_thread(self._look, tally, done)
        yield Progress(len(users), len(users))
        yield Preview(
            users=len(users),
            affected=tally.affected,
            outcomes=_by_frequency(Outcome(each, tuple(named)) for each, named in tally.outcomes.items()),
            unlisted=tally.unlisted,
            notes=tuple(Noted(remark, tuple(seen), tuple(named)) for remark, (seen, named) in tally.notes.items()),
            versions=self._versions,
            parts=self._parts,
        )

    def _look(self, tally: _Tally, done: int) -> int:
        """Compare the next users for the duration of a slice; return how many were compared."""
        until = time.monotonic() + _SLICE_SECONDS
        users = self._comparison.users
        while True:
            tally.add(users[done], *self._comparison.of(users[done]))
            done += 1
            if done == len(users) or time.monotonic() >= until:
                return done


class PreviewService:
    """Tries writes out on a copy of the access snapshot in memory."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        # Each preview has a copy of the snapshot; more at once would only be slower.
        self._turn = asyncio.Semaphore(_AT_ONCE)

    async def run(self, trial: Trial) -> AsyncIterator[Progress | Preview]:
        """Calculate the effect of the writes."""
        async with self._turn:
            async for step in trial.run():
                yield step

    async def result(self, trial: Trial) -> Preview:
        """Return the effect of the writes, without the progress."""
        async for step in self.run(trial):
            if isinstance(step, Preview):
                return step
        raise AssertionError("a trial ends with its result")

    async def attempt(self, identity: Identity, kind: str, request: PreviewRequest) -> Trial:
        """Apply writes to one document kind, with the same refusals as real writes."""
        require(identity, _PERMISSIONS[kind])
        parts = [kind] if kind in _PARTS else [part for part in _PARTS if _PERMISSIONS[part] in identity.permissions]
        async with self._turn:
            async with self._storage.read() as work:
                files = await _files(work, request) if kind == CONFIGS else None
                before = await read_snapshot(work, parts, files)
                stored = await _definitions(work, kind, before, request)
                now = work.now
            proposed = ProposedSnapshot.of(before, stored, now)
            return await asyncio.to_thread(_tried, proposed, before, kind, request, parts)


def _tried(
    proposed: ProposedSnapshot, before: AccessSnapshot, kind: str, request: PreviewRequest, parts: Collection[str]
) -> Trial:
    _try_all(proposed, kind, request)
    after = proposed.snapshot()
    versions = request.versions or newest(versions_of(before, after))
    return Trial(Comparison(before, after, parts, versions), versions, parts)


def _try_all(proposed: ProposedSnapshot, kind: str, request: PreviewRequest) -> None:
    """Apply all writes; if some are invalid, report the problems of all of them."""
    failures: list[Invalid | Conflict | NotFound] = []
    problems: list[Problem] = []
    for number, proposal in enumerate(request.changes):
        place = f"changes[{number}]"
        try:
            write(proposed, kind, place, proposal)
        except Invalid as error:
            failures.append(error)
            problems += error.problems
        except (Conflict, NotFound) as error:
            failures.append(error)
            problems.append(Problem(path=place, message=str(error)))
    if not failures:
        return
    # The type of the error is that of the first write, as without a preview.
    first = failures[0]
    if len(failures) > 1:
        if isinstance(first, Invalid):
            first = type(first)(f"{len(failures)} of {len(request.changes)} changes have problems")
        first.problems = tuple(problems[:_MOST_PROBLEMS])
    raise first


def newest(versions: list[str]) -> list[str]:
    """Limit the versions that are compared to the newest ones."""
    return versions if len(versions) <= _MOST_VERSIONS else [versions[0], *versions[1 - _MOST_VERSIONS :]]


async def _files(work: Work, request: PreviewRequest) -> set[str]:
    """Return the names of the written configuration files; no others change."""
    documents = [proposal.document for proposal in request.changes if proposal.document is not None]
    names = {document["file"] for document in documents if isinstance(document.get("file"), str)}
    keys = [proposal.key for proposal in request.changes if proposal.key]
    known = [await work.of(ConfigFiles).get(key) for key in keys]
    return names | {config.file for config in known if config is not None}


async def _definitions(work: Work, kind: str, snapshot: AccessSnapshot, request: PreviewRequest) -> dict[str, str]:
    """Read the stored definitions of the written documents, to determine whether they change."""
    keys = [proposal.key for proposal in request.changes if proposal.key]
    if kind == APPS:
        known = [key for key in dict.fromkeys(keys) if key in snapshot.apps]
        return dict(zip(known, await work.of(Apps).definitions(known), strict=True))
    if kind == LAYOUTS:
        known = [key for key in dict.fromkeys(keys) if key in snapshot.layouts]
        return dict(zip(known, await work.of(Layouts).definitions(known), strict=True))
    return {}


def _by_frequency(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    return tuple(sorted(outcomes, key=lambda outcome: (-len(outcome.users), outcome.users[0])))
