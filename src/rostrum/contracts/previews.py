"""Previews of changes: requests and responses."""

from typing import Any, Literal

from pydantic import Field

from rostrum.contracts.body import Body, View
from rostrum.contracts.config_explanation import FileProblem
from rostrum.contracts.names import LongText, Version


class Proposal(Body):
    """A proposed write to a document, which is not performed."""

    action: Literal["create", "replace", "change", "delete"] = Field(description="POST, PUT, PATCH or DELETE.")
    key: LongText | None = Field(None, description="The id or name in the address; not for create.")
    document: dict[str, Any] | None = Field(None, description="The body that the write would have; not for delete.")


class PreviewRequest(Body):
    """Writes to one kind of document, performed together."""

    changes: list[Proposal] = Field(min_length=1, max_length=1000)
    versions: list[Version] | None = Field(
        None, max_length=20, description="Versions of the platform; without them, those that have files of their own."
    )
    limit: int = Field(50, ge=1, le=1000, description="Maximum number of different results.")
    offset: int = Field(0, ge=0, le=10_000_000)
    names: int = Field(20, ge=0, le=1000, description="Maximum number of named users for each result.")
    names_offset: int = Field(0, ge=0, le=10_000_000)
    only: LongText | None = Field(None, description="The id of one result.")


class Shift(View):
    """Added, removed and changed items, by name."""

    gained: list[str]
    lost: list[str]
    changed: list[str]


class LayoutName(View):
    """The type and name of a layout."""

    type: str
    name: str


class LayoutShift(View):
    """Added, removed and changed layouts."""

    gained: list[LayoutName]
    lost: list[LayoutName]
    changed: list[LayoutName]


class ChangedDefault(View):
    """The default layout."""

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
    large: bool = Field(description="Whether the values are too large to be shown.")


class PreviewedChange(View):
    """One result, and the users who share it; parts that the caller may not read are null."""

    id: str
    count: int
    users: list[str] | None = Field(description="Some of them by id; null for those who may not read users.")
    account: str | None = Field(description="created, deleted, enabled, disabled, or (in proposals) new to the groups")
    groups: Shift | None
    apps: Shift | None
    layouts: LayoutShift | None
    default_layout: ChangedDefault | None
    configs: list[ChangedValue] | None
    more_values: int = Field(description="The number of configuration values that are not listed.")


class TouchedProblem(FileProblem):
    """A validation problem of merged files, and the number of affected users."""

    versions: list[str]
    count: int
    users: list[str] | None


class PreviewView(View):
    """The effect of the writes; nothing was written."""

    users: int = Field(description="The total number of users.")
    affected: int = Field(description="The number of affected users.")
    items: list[PreviewedChange] = Field(description="The different results, the most frequent first.")
    total: int
    unlisted: int = Field(description="Users whose result is not listed because there are too many.")
    versions: list[str] = Field(description="The versions that were compared; * stands for all others.")
    problems: list[TouchedProblem] = Field(description="Validation problems that the change would introduce.")
    solved: list[TouchedProblem] = Field(description="Validation problems that the change would resolve.")
