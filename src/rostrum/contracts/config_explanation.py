"""The origin of each configuration value, for administrators."""

from datetime import datetime
from typing import Any

from pydantic import Field

from rostrum.contracts.body import Body, View
from rostrum.contracts.names import GroupName, UserId, Version
from rostrum.contracts.rollouts import UserRollout
from rostrum.contracts.system_config import ConfigDocument, ConfigProblem


class DraftQuestion(Body):
    """A file that is not saved, and the user, group or version for which it is explained."""

    draft: ConfigDocument = Field(description="Replaces the stored file of the same name and scope, if there is one.")
    user: UserId | None = None
    group: GroupName | None = Field(None, description="A group that counts instead of the user's groups.")
    version: Version | None = None


class Membership(View):
    """A group of a user, and how the user inherits it."""

    name: str
    priority: int = Field(description="Configuration with a higher priority wins.")
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
    rollout: UserRollout | None = Field(
        None, description="The version that the user receives, if the file is being rolled out in stages."
    )


class LostValue(LayerView):
    """The overridden value of a file with a lower precedence."""

    path: str = Field(description="Path of the value; a parent path of the effective value if a parent was overridden.")
    value: Any


class DroppedValue(LayerView):
    """A value that was removed because a file with a higher precedence replaced its parent object."""

    path: str
    value: Any
    by: LayerView


class FileProblem(ConfigProblem):
    """A problem of a merged file."""

    file: str


class SettingView(View):
    """The definition of a setting."""

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
    local_only: bool = Field(description="Clients ignore values from a server.")
    reapplied: bool = Field(description="A change takes effect while the platform runs.")


class ExplainedValue(View):
    """A value, its origin, and overridden values."""

    file: str
    path: str
    value: Any = Field(description="Value in the merged file; null if it is not configured.")
    status: str = Field(
        description="set: effective; default: not configured, or set to null; ignored: clients do not use it."
    )
    in_force: Any = Field(description="The value or the default; null if only a local file can set it.")
    default: Any = Field(description="The default value.")
    winner: LayerView | None = Field(description="The file that sets the value; null if none does.")
    losers: list[LostValue] = Field(description="Files with lower precedence that also set it, highest first.")
    setting: SettingView | None = Field(description="Null for unknown settings.")
    problems: list[ConfigProblem]


class Asked(View):
    """The user, group or version for which the files were merged."""

    user: str | None
    group: str | None
    version: str | None
    file: str | None
    path: str | None


class Explanation(View):
    """The configuration of a user, a group or a version, value by value."""

    asked: Asked
    groups: list[Membership]
    layers: list[LayerView] = Field(description="The applied files, by name, lowest precedence first.")
    items: list[ExplainedValue]
    total: int
    more: int = Field(description="How many values follow those of this response; 0 if it contains the last one.")
    dropped: list[DroppedValue] = Field(description="Values that were overridden by files with higher precedence.")
    more_dropped: int = Field(description="How many more were dropped; 0 unless there are thousands.")
    problems: list[FileProblem] = Field(description="Validation problems of the merged files.")
