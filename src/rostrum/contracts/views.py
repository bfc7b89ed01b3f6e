"""Saved views of the lists of the admin UI."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from rostrum.contracts.body import Body, Change, ListView, View
from rostrum.contracts.names import Name

ListName = Literal[
    "apps",
    "apps-rollouts",
    "audit",
    "commands",
    "commands-runs",
    "configs",
    "configs-rollouts",
    "crashes",
    "directories",
    "feedback",
    "groups",
    "layouts",
    "layouts-rollouts",
    "machines",
    "preferences",
    "proposals",
    "sessions",
    "tokens-all",
    "tokens-own",
    "users",
]
ViewSearch = Annotated[str, Field(max_length=2000, pattern=r"^[^\x00-\x20\x7f]*$")]


class NewSavedView(Body):
    """A view that is to be saved."""

    server_filled = Body.server_filled | {"id", "owner"}

    list: ListName = Field(description="The list that the view shows.")
    name: Name = Field(description="The name of the view; unique for each user and list.")
    search: ViewSearch = Field(
        description="The query of the address of the list: filters, sorting, columns and density, such as "
        "`status=failed&sort=-created`."
    )
    shared: bool = Field(default=False, description="Whether all users who may read the list can open the view.")


class SavedViewChange(Change):
    """A change of a saved view."""

    server_filled = Change.server_filled | {"id", "owner", "list"}

    name: Name = Field(default="-", description="The new name.")
    search: ViewSearch = Field(default="", description="The new query of the address.")
    shared: bool = Field(default=False, description="Whether all users who may read the list can open the view.")


class SavedViewView(View):
    """A saved view."""

    id: str
    list: str
    name: str
    owner: str
    shared: bool
    search: str
    created: datetime
    modified: datetime


class SavedViewList(ListView):
    """One page of saved views."""

    items: list[SavedViewView]
