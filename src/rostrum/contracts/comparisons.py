"""Comparison of two users or groups, or of one of them at two points in time."""

from typing import Any

from pydantic import Field

from rostrum.contracts.body import View


class ComparedSide(View):
    """One side of a comparison."""

    id: str
    revision: int | None = Field(description="The revision that is compared; null for the current state.")
    exists: bool = Field(description="Whether the user or group existed at that time.")
    disabled: bool = Field(description="Whether the user was disabled; a disabled user receives nothing.")


class ComparedState(View):
    """Whether something is available on one side, with the reason."""

    given: bool
    text: str = Field(description="The reason in words.")


class ComparedItem(View):
    """An app, a layout or a group that only one side has."""

    key: str = Field(description="The name of the app or group, or the ID of the layout.")
    name: str
    left: ComparedState
    right: ComparedState


class ComparedItems(View):
    """The differences of one kind."""

    items: list[ComparedItem] = Field(description="The first 1,000 differences.")
    total: int = Field(description="Number of differences.")
    same: int = Field(description="Number of apps, layouts or groups that both sides have.")


class ComparedValueState(View):
    """The value of a setting on one side, with its origin."""

    given: bool = Field(description="Whether the value is set.")
    value: Any = None
    config: str | None = Field(description="ID of the configuration file that sets the value.")
    text: str = Field(description="The origin of the value in words.")


class ComparedValue(View):
    """A setting with different values."""

    file: str
    path: str
    left: ComparedValueState
    right: ComparedValueState


class ComparedValues(View):
    """The differences of the effective configuration."""

    items: list[ComparedValue] = Field(description="The first 1,000 differences.")
    total: int = Field(description="Number of differences.")
    same: int = Field(description="Number of equal values.")


class AccessComparison(View):
    """Both sides and their differences. Parts that the caller may not read are null."""

    left: ComparedSide
    right: ComparedSide
    groups: ComparedItems
    apps: ComparedItems | None
    layouts: ComparedItems | None
    configs: ComparedValues | None
