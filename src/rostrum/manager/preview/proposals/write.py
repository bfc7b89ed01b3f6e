"""One proposed write, decoded and tried out."""

from collections.abc import Mapping

from pydantic import ValidationError

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.contracts.app_entries import AppChange, AppEntry
from rostrum.contracts.body import Body, Change
from rostrum.contracts.groups import GroupChange, GroupDocument, NewGroup
from rostrum.contracts.layout_entries import LayoutChange, LayoutEntry
from rostrum.contracts.previews import Proposal
from rostrum.contracts.system_config import ConfigChange, ConfigDocument
from rostrum.contracts.users import NewUser, UserChange, UserDocument
from rostrum.contracts.validation_messages import problems_of, under
from rostrum.manager.preview.proposals.apps import AppRules
from rostrum.manager.preview.proposals.configs import ConfigRules
from rostrum.manager.preview.proposals.groups import GroupRules
from rostrum.manager.preview.proposals.layouts import LayoutRules
from rostrum.manager.preview.proposals.snapshot import Given, ProposedSnapshot, Rules
from rostrum.manager.preview.proposals.users import UserRules

_RULES: Mapping[str, type[Rules]] = {
    "configs": ConfigRules,
    "apps": AppRules,
    "layouts": LayoutRules,
    "users": UserRules,
    "groups": GroupRules,
}
KINDS = frozenset(_RULES)

_BODIES: Mapping[str, Mapping[str, type[Body]]] = {
    "configs": {"create": ConfigDocument, "replace": ConfigDocument, "change": ConfigChange},
    "apps": {"create": AppEntry, "replace": AppEntry, "change": AppChange},
    "layouts": {"create": LayoutEntry, "replace": LayoutEntry, "change": LayoutChange},
    "users": {"create": NewUser, "replace": UserDocument, "change": UserChange},
    "groups": {"create": NewGroup, "replace": GroupDocument, "change": GroupChange},
}


def write(proposed: ProposedSnapshot, kind: str, place: str, proposal: Proposal) -> None:
    """Try a write of one kind of document; the place names it in problems."""
    try:
        key = "" if proposal.action == "create" else _key(proposal)
        given = {} if proposal.action == "delete" else _given(kind, proposal)
    except Invalid as error:
        raise Invalid(str(error), under(place, error.problems)) from None
    try:
        _try(_RULES[kind](proposed), proposal.action, key, given)
    except Invalid as error:
        raise Invalid(str(error), under(f"{place}.document", error.problems)) from None


def _try(rules: Rules, action: str, key: str, given: Given) -> None:
    match action:
        case "create":
            rules.create(given)
        case "delete":
            rules.delete(key)
        case _:
            # Replacing is changing every member.
            rules.change(key, given)


def _key(proposal: Proposal) -> str:
    if not proposal.key:
        raise Invalid("which one?", [Problem(path="key", message=f"is required for {proposal.action}")])
    return proposal.key


def _given(kind: str, proposal: Proposal) -> Given:
    if proposal.document is None:
        raise Invalid("no document", [Problem(path="document", message=f"is required for {proposal.action}")])
    try:
        body = _BODIES[kind][proposal.action].model_validate(proposal.document)
    except ValidationError as error:
        raise Invalid("the change has problems", under("document", problems_of(error, proposal.document))) from None
    return body.given() if isinstance(body, Change) else dict(body)
