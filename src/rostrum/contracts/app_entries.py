"""Apps in the admin API: the definition, and who may see it."""

from typing import Any

from pydantic import Field

from rostrum.contracts.body import Body, Change, ListView, Stamped, View
from rostrum.contracts.names import GroupName

Definition = dict[str, Any]


class AppEntry(Body):
    """A complete app, identified by ``definition.name``."""

    server_filled = Body.server_filled | {"name"}

    definition: Definition
    public: bool = Field(default=False, description="Available to all users.")
    access_list: list[GroupName] = Field(default=[], max_length=1000, description="Groups that may see it.")
    disabled: bool = Field(default=False, description="Not available to any user.")


class AppChange(Change):
    """Some members of an app."""

    server_filled = Body.server_filled | {"name"}

    definition: Definition = Field(default={})
    public: bool = False
    access_list: list[GroupName] = Field(default=[], max_length=1000)
    disabled: bool = False


class AppImport(Body):
    """Many apps at once: all of them are imported, or none."""

    applications: list[Definition] = Field(min_length=1, max_length=5000)
    public: bool = False
    access_list: list[GroupName] = Field(default=[], max_length=1000)
    overwrite: bool = Field(default=False, description="Replace existing definitions.")


class ImportView(View):
    """The result of an import."""

    created: list[str]
    replaced: list[str]


class AppView(Stamped):
    """An app in responses."""

    name: str
    definition: Definition
    public: bool
    access_list: list[str]
    disabled: bool


class AppList(ListView):
    """One page of apps."""

    items: list[AppView]


class Applications(View):
    """The response of an app store."""

    applications: list[Definition]
    message: str | None = Field(None, description="Only in the FDC3 directory.")
