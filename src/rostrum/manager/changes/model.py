"""The rules for changes by administrators, from the settings."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.changes.origin import Reason
from rostrum.manager.config import ManagerConfig
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind


class ChangeRules(Struct, frozen=True, kw_only=True):
    """What changes by administrators require.

    Attributes:
        comment_required: Kinds of documents that can only be changed with a comment.
        approval_kinds: Kinds of documents whose changes require the approval of a second administrator.
        approval_groups: If there are any, only changes that reach members of these groups require approval.

    """

    comment_required: frozenset[Kind] = frozenset()
    approval_kinds: frozenset[Kind] = frozenset()
    approval_groups: frozenset[str] = frozenset()

    @classmethod
    def of(cls, config: ManagerConfig) -> "ChangeRules":
        return cls(
            comment_required=frozenset(map(Kind, config.comment_required)),
            approval_kinds=frozenset(map(Kind, config.approval_kinds)),
            approval_groups=frozenset(config.approval_groups),
        )

    def require_comment(self, kinds: Iterable[Kind], reason: Reason) -> None:
        """Refuse a change of these kinds without a comment, if one of them requires a comment."""
        if reason.comment:
            return
        found = [DOCUMENT_KINDS[kind].many for kind in sorted(self.comment_required.intersection(kinds))]
        if found:
            message = f"is required for changes of {' and '.join(found)}"
            raise Invalid("the change requires a comment", [Problem(path="comment", message=message)])


NO_RULES = ChangeRules()


class Effect(Protocol):
    """What changes do to users.

    Attributes:
        digest: A digest of everything that users receive by the changes, besides the changed documents themselves.
        rollouts: The roll-outs that have not ended and whose new version users receive by the changes.

    """

    @property
    def digest(self) -> str: ...

    @property
    def rollouts(self) -> Sequence[str]: ...

    async def text(self) -> str:
        """Return the effect for people, as JSON text. It is calculated outside transactions."""
        ...
