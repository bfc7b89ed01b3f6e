"""Layouts in the admin API and in the public API of layout stores."""

from typing import Any

from pydantic import Field

from rostrum.contracts.body import Body, Change, ClientBody, ListView, Stamped, View
from rostrum.contracts.names import GroupName, LongText, Name, Owner

Definition = dict[str, Any]


class LayoutEntry(Body):
    """A complete layout."""

    server_filled = Body.server_filled | {"id", "name", "type"}

    definition: Definition
    owner: Owner = Field("*", description="A user id, or * for a layout that belongs to all.")
    public: bool = Field(default=False, description="Available to all users.")
    access_list: list[GroupName] = Field(default=[], max_length=1000, description="Groups that may see it.")
    default: bool = Field(default=False, description="The default for users without their own choice.")
    disabled: bool = Field(default=False, description="Not available to any user.")


class LayoutChange(Change):
    """Some members of a layout."""

    server_filled = Body.server_filled | {"id", "name", "type"}

    definition: Definition = Field(default={})
    owner: Owner = "*"
    public: bool = False
    access_list: list[GroupName] = Field(default=[], max_length=1000)
    default: bool = False
    disabled: bool = False


class LayoutImport(Body):
    """Many layouts at once: all of them are imported, or none."""

    layouts: list[Definition] = Field(min_length=1, max_length=5000)
    owner: Owner = "*"
    public: bool = False
    access_list: list[GroupName] = Field(default=[], max_length=1000)
    overwrite: bool = False


class LayoutView(Stamped):
    """A layout in responses to administrators."""

    id: str
    name: str
    type: str
    definition: Definition
    owner: str
    public: bool
    access_list: list[str]
    default: bool
    disabled: bool


class LayoutList(ListView):
    """One page of layouts."""

    items: list[LayoutView]


class Layouts(View):
    """The response of a layout store."""

    layouts: list[Definition]


class LayoutSave(ClientBody):
    """Create or replace a personal layout of the caller, by type and name."""

    layout: Definition


class LayoutRename(ClientBody):
    """Rename a personal layout of the caller, and save the content that is sent."""

    layout: Definition
    new_name: Name


class LayoutRemoval(ClientBody):
    """Remove a layout by name and type, or several by ids of the form ``name (type)``."""

    name: LongText | None = None
    type: LongText | None = None
    ids: list[LongText] | None = Field(None, max_length=500)


class DefaultChoice(ClientBody):
    """Set the default layout. Without name and type, clear it."""

    name: Name | None = None
    type: Name | None = None


class DefaultView(View):
    """The default layout; empty if none is set."""

    name: str | None = None
    type: str | None = None
