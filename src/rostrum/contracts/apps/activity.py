"""``details`` of type activity, an older kind: several windows around an owner."""

from typing import Literal

from pydantic import Field

from rostrum.contracts.choice import OneOf
from rostrum.contracts.shape import Maybe, Open, member
from rostrum.contracts.values import Free, Many, Number


class ActivityWindow(Open):
    """A window of an activity."""

    type: str = Field(description="Kind of window, as registered by an app.")
    name: str = Field(description="Name in the activity.")
    left: Number = Field(description="Left edge.")
    top: Number = Field(description="Top edge.")
    width: Number = Field(description="Width.")
    height: Number = Field(description="Height.")


class ActivityLayout(Open):
    """The grid the windows lie in."""

    mode: Maybe[Literal["pixels", "percents"]] = member("Unit of the windows' sizes.")
    cell_size: Maybe[Number] = member("Size of a cell.")
    cell_width: Maybe[Number] = member("Width of a cell.")
    cell_height: Maybe[Number] = member("Height of a cell.")
    screen: Maybe[OneOf[str | Number]] = member("Screen meant, by number or word.")


class ActivityDetails(Open):
    """Several windows around an owner."""

    activity_type: Maybe[str] = member("Kind of activity.")
    owner: ActivityWindow = Field(description="The window the activity belongs to.")
    windows: Maybe[Many[ActivityWindow]] = member("The other windows.")
    layout: Maybe[ActivityLayout] = member("The grid the windows lie in.")
    initial_context: Maybe[Free] = member("Context it starts with.")
    hide_group_header: Maybe[bool] = member("Has no group header.")
    auto_save_context: Maybe[bool] = member("Layouts keep the context.")
    save_owner_only: bool = member("Layouts keep only the owner.", default=True)
    include_types_to_layout: Maybe[str] = member("Comma list of window types that layouts keep.")
    ignore_types_from_layout: Maybe[str] = member("Comma list of window types that layouts leave out; wins.")
