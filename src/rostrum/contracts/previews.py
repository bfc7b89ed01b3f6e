"""What a change would do, as asked for and answered."""

from typing import Any, Literal

from pydantic import Field

from rostrum.contracts.body import Body, View
from rostrum.contracts.config_explanation import FileProblem
from rostrum.contracts.names import LongText, Version


class Proposal(Body):
    """One write that is not made: what would be sent, and to which document."""

    action: Literal["create", "replace", "change", "delete"] = Field(description="POST, PUT, PATCH or DELETE.")
    key: LongText | None = Field(None, description="The id or name in the address; not for create.")
    document: dict[str, Any] | None = Field(None, description="The body that the write would have; not for delete.")


class PreviewRequest(Body):
    """Writes to one kind of document, all of them or none."""

    changes: list[Proposal] = Field(min_length=1, max_length=1000)
    versions: list[Version] | None = Field(
        None, max_length=20, description="Versions of the platform; without them, those that have files of their own."
    )
    limit: int = Field(50, ge=1, le=1000, description="How many different outcomes at most.")
    offset: int = Field(0, ge=0, le=10_000_000)
    names: int = Field(20, ge=0, le=1000, description="How many users of each outcome are named at most.")
    names_offset: int = Field(0, ge=0, le=10_000_000)
    only: LongText | None = Field(None, description="The id of one outcome.")


class Shift(View):
    """What is gained, lost and still there but different, by name."""

    gained: list[str]
    lost: list[str]
    changed: list[str]


class LayoutName(View):
    """A layout as people know it."""

    type: str
    name: str


class LayoutShift(View):
    """The same of layouts."""

    gained: list[LayoutName]
    lost: list[LayoutName]
    changed: list[LayoutName]


class ChangedDefault(View):
    """The layout a desktop starts with."""

    before: LayoutName | None
    after: LayoutName | None


class ChangedValue(View):
    """One value of a merged configuration file."""

    file: str
    path: str
    versions: list[str] = Field(description="For which versions of the platform; * stands for all others.")
    change: str = Field(description="added, removed or changed")
    before: Any
    after: Any
    large: bool = Field(description="The values are too large to be shown.")


class PreviewedChange(View):
    """One outcome, and the users it is the same for; parts that the caller may not read are null."""

    id: str
    count: int
    users: list[str] | None = Field(description="Some of them by id; null for those who may not read users.")
    account: str | None = Field(description="created, deleted, enabled or disabled")
    groups: Shift | None
    apps: Shift | None
    layouts: LayoutShift | None
    default_layout: ChangedDefault | None
    configs: list[ChangedValue] | None
    more_values: int = Field(description="How many values of configuration are not listed.")


class TouchedProblem(FileProblem):
    """Something the catalogue says of merged files, and for how many users."""

    versions: list[str]
    count: int
    users: list[str] | None


class PreviewView(View):
    """What the writes would do; nothing was written."""

    users: int = Field(description="How many users there are.")
    affected: int = Field(description="For how many of them something changes.")
    items: list[PreviewedChange] = Field(description="The outcomes that differ, the most frequent first.")
    total: int
    unlisted: int = Field(description="Users whose outcome is not listed because there are too many different ones.")
    versions: list[str] = Field(description="The versions that were compared; * stands for all others.")
    problems: list[TouchedProblem] = Field(description="Validation problems that the change would introduce.")
    solved: list[TouchedProblem] = Field(description="Validation problems that the change would resolve.")
