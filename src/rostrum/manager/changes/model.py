"""The rules for changes by administrators, from the settings."""

from collections.abc import Iterable

from msgspec import Struct

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.audit.origin import Reason
from rostrum.manager.config import ManagerConfig
from rostrum.manager.configs.model import ConfigFile, Scope
from rostrum.manager.document import Document
from rostrum.manager.groups.model import Graph, expand
from rostrum.manager.kinds import DOCUMENT_KINDS, Kind


class ChangeRules(Struct, frozen=True, kw_only=True):
    """What changes by administrators require.

    Attributes:
        comment_required: Kinds of documents that can only be changed with a comment.
        approval_kinds: Kinds of documents whose changes require the approval of a second administrator.
        approval_groups: If there are any, only changes that concern these groups require approval.

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

    def requires_approval(self, documents: Iterable[Document | None], graph: Graph) -> bool:
        """Return whether the change of a document, given before and after, requires approval."""
        states = [document for document in documents if document is not None]
        if not any(document.kind in self.approval_kinds for document in states):
            return False
        if not self.approval_groups:
            return True
        groups = [_groups_of(document) for document in states]
        return any(names is None or self.approval_groups & expand(names, graph) for names in groups)

    def require_comment(self, kinds: Iterable[Kind], reason: Reason) -> None:
        """Refuse a change of these kinds without a comment, if one of them requires a comment."""
        if reason.comment:
            return
        found = [DOCUMENT_KINDS[kind].many for kind in sorted(self.comment_required.intersection(kinds))]
        if found:
            message = f"is required for changes of {' and '.join(found)}"
            raise Invalid("the change requires a comment", [Problem(path="comment", message=message)])


def _groups_of(document: Document) -> set[str] | None:
    """Return the groups that a document concerns; ``None`` for documents that concern all users."""
    names: set[str] = set()
    for member in ("groups", "access", "expands_to"):
        names.update(getattr(document, member, ()))
    if document.kind is Kind.GROUP:
        names.add(document.key)
    if isinstance(document, ConfigFile):
        if document.scope is Scope.GROUP:
            names.add(document.target)
        elif document.scope is not Scope.USER:
            return None
    return None if getattr(document, "public", False) else names


NO_RULES = ChangeRules()
