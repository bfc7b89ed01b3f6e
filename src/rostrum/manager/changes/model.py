"""The rules for changes by administrators, from the settings."""

from collections.abc import Iterable
from dataclasses import dataclass

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.audit.origin import Reason
from rostrum.manager.config import ManagerConfig
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRules:
    """What changes by administrators require.

    Attributes:
        comment_required: Kinds of documents that can only be changed with a comment.

    """

    comment_required: frozenset[Kind] = frozenset()

    @classmethod
    def of(cls, config: ManagerConfig) -> "ChangeRules":
        return cls(comment_required=frozenset(map(Kind, config.comment_required)))

    def require_comment(self, kinds: Iterable[Kind], reason: Reason) -> None:
        """Refuse a change of these kinds without a comment, if one of them requires a comment."""
        if reason.comment:
            return
        found = [DOCUMENT_KINDS[kind].many for kind in sorted(self.comment_required.intersection(kinds))]
        if found:
            message = f"is required for changes of {' and '.join(found)}"
            raise Invalid("The change requires a comment.", [Problem(path="comment", message=message)])


NO_RULES = ChangeRules()
