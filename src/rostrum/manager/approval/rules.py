"""Decides whether a change requires approval, before it is made, and refuses changes that cannot wait for it."""

from msgspec import structs

from rostrum.manager.approval.repository import Reach
from rostrum.manager.changes.origin import current_origin
from rostrum.manager.document import Document
from rostrum.manager.errors import Conflict
from rostrum.manager.kinds import Kind
from rostrum.manager.storage import Storage, Work
from rostrum.manager.users.model import Person, User
from rostrum.manager.users.repository import Users

TOO_MANY_STEPS = (
    "The changes require the approval of a second administrator. Select fewer documents, so that they are changed in "
    "one step."
)
_NO_CREDENTIALS = (
    "changes of this user require the approval of a second administrator, and an API token cannot wait for it: "
    "create the token on the server with `rostrum manager tokens create`"
)
_NOT_IN_STAGES = (
    "Changes of this document require the approval of a second administrator, so they cannot be rolled out in stages. "
    "Save the change instead: it becomes a proposal."
)


def refuse_steps(storage: Storage, kind: Kind) -> None:
    """Refuse changes of a kind that requires approval: in several transactions they cannot become one proposal."""
    rules = storage.rules
    if current_origin().can_propose and kind in rules.approval_kinds and not rules.approval_groups:
        raise Conflict(TOO_MANY_STEPS)


async def refuse_stages(work: Work, before: Document, after: Document) -> None:
    """Refuse to give users a changed document that is not saved and therefore cannot become a proposal."""
    if await requires_approval(work, before, after):
        raise Conflict(_NOT_IN_STAGES)


async def requires_approval(work: Work, before: Document, after: Document) -> bool:
    """Return whether a change by this caller requires the approval of a second administrator."""
    return current_origin().can_propose and await is_protected(work, before, after)


async def refuse_credentials_of_members(work: Work, user: User) -> None:
    """Refuse to give an administrator credentials with which they could act as a member of a protected group."""
    if work.rules.approval_groups and await requires_approval(work, user, structs.replace(user, password_hash="")):
        raise Conflict(_NO_CREDENTIALS)


async def is_protected(work: Work, before: Document, after: Document) -> bool:
    """Return whether a change requires approval if an administrator makes it."""
    return bool(await work.of(Reach).requiring_approval(work.rules, [(before, after)]))


async def protected_people(work: Work) -> list[Person]:
    """Return the users for whom changes require approval: the members of the groups, or all."""
    people, groups = await work.of(Users).people(), work.rules.approval_groups
    circle = await work.of(Reach).circle(groups) if groups else None
    return [person for person in people if circle is None or circle.includes(person)]
