"""Determines which version of a document a user receives. Documents without a roll-out cost no query."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from msgspec import Struct

from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.rollouts.model import Rollout
from rostrum.manager.rollouts.repository import Rollouts
from rostrum.manager.storage import Work


class _Staged(Protocol):
    @property
    def rollout(self) -> str | None: ...


class UserVersion(Struct, frozen=True):
    """The version of a document that a user receives during a roll-out."""

    rollout: Rollout
    is_candidate: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.rollout.id,
            "isCandidate": self.is_candidate,
            "stage": self.rollout.stage,
            "stageCount": len(self.rollout.stages),
            "status": self.rollout.status,
            "text": self.rollout.version_text(is_included=self.is_candidate),
        }


async def versions(
    work: Work, documents: Iterable[_Staged], user: str, groups: Collection[str]
) -> dict[str, UserVersion]:
    """Return the version that a user in these effective groups receives, by the ID of the roll-out."""
    ids = {document.rollout for document in documents if document.rollout is not None}
    found = await work.of(Rollouts).named(ids)
    return {each.id: UserVersion(each, each.cohort.includes(user, groups)) for each in found if each.is_open}


async def candidates(
    work: Work,
    documents: Iterable[_Staged],
    user: str,
    groups: Collection[str],
    known: Collection[str] | None = None,
) -> dict[str, str]:
    """Return the new content of the documents that a user receives in the new version, by the key of the document.

    With ``known``, the roll-outs whose new version the user receives are given. A response that is shared by several
    users must be made from the same decision as its key.
    """
    found = await versions(work, documents, user, groups)
    return {
        each.rollout.key: each.rollout.candidate
        for each in found.values()
        if (each.is_candidate if known is None else each.rollout.id in known)
    }


def with_candidates(configs: Iterable[ConfigFile], contents: Mapping[str, str]) -> list[ConfigFile]:
    """Return configuration files with the new contents that a user receives."""
    return [replace(config, contents=contents[config.id]) if config.id in contents else config for config in configs]
