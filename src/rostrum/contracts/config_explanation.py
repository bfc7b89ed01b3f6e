"""Where each value of the configuration comes from, as answered to administrators."""

from datetime import datetime
from typing import Any

from pydantic import Field

from rostrum.contracts.body import View
from rostrum.contracts.system_config import ConfigProblem


class Membership(View):
    """A group that somebody is in, and how they come to be in it."""

    name: str
    priority: int = Field(description="Configuration of a higher priority wins.")
    via: list[str] = Field(
        description="The path from the user's direct group to this group; each group inherits from the next."
    )


class LayerView(View):
    """One stored file of a scope, and who changed it last."""

    id: str
    file: str
    scope: str = Field(description="base, version, group or user")
    target: str = Field(description="The version, group or user; empty for base.")
    revision: int
    modified: datetime
    modified_by: str


class LostValue(LayerView):
    """What a weaker file has at the same place."""

    path: str = Field(description="Path of the value; a parent path of the effective value if a parent was overridden.")
    value: Any


class DroppedValue(LayerView):
    """What is gone without a successor, because a stronger file put something else where its object was."""

    path: str
    value: Any
    by: LayerView


class FileProblem(ConfigProblem):
    """One thing to say about a merged file."""

    file: str


class SettingView(View):
    """What the catalogue says of a setting."""

    path: str
    type: str
    text: str
    enum: list[str]
    minimum: float | None
    maximum: float | None
    unit: str | None
    since: str | None
    stream: str | None
    mode: str | None
    local_only: bool = Field(description="Clients take it out of what a server sends.")
    reapplied: bool = Field(description="A change counts while the platform runs.")


class ExplainedValue(View):
    """One value, who set it, and who else did."""

    file: str
    path: str
    value: Any = Field(description="Value in the merged file; null if it is not configured.")
    status: str = Field(
        description="set: effective; default: not configured, or set to null; ignored: clients do not use it."
    )
    in_force: Any = Field(description="The value or the default; null for what only a local file can set.")
    default: Any = Field(description="The default of the catalogue.")
    winner: LayerView | None = Field(description="The file that sets the value; null if none does.")
    losers: list[LostValue] = Field(description="Weaker files that have it too, strongest first.")
    setting: SettingView | None = Field(description="Null for what the catalogue does not know.")
    problems: list[ConfigProblem]


class Asked(View):
    """For whom the files were merged."""

    user: str | None
    group: str | None
    version: str | None
    file: str | None
    path: str | None


class Explanation(View):
    """The configuration of a user, a group or a version, value by value."""

    asked: Asked
    groups: list[Membership]
    layers: list[LayerView] = Field(description="The files that count, by name and weakest first.")
    items: list[ExplainedValue]
    total: int
    dropped: list[DroppedValue] = Field(description="Values that were overridden by files with higher precedence.")
    more_dropped: int = Field(description="How many more were dropped; 0 unless there are thousands.")
    problems: list[FileProblem] = Field(description="Validation problems of the merged files.")
