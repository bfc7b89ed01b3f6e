"""Preferences in the admin API and in the public API of preference stores."""

from datetime import datetime
from typing import Any

from pydantic import Field

from rostrum.contracts.body import Body, Change, ClientBody, ListView, Stamped, View
from rostrum.contracts.names import Name, UserId


class PreferenceDocument(Body):
    """Data that an app stores for a user."""

    server_filled = Body.server_filled | {"id"}

    user: UserId | None = Field(None, description="May be sent back, but cannot change.")
    app: Name | None = Field(None, description="May be sent back, but cannot change.")
    data: Any


class NewPreference(PreferenceDocument):
    """A preference to be made."""

    user: UserId
    app: Name


class PreferenceChange(Change):
    """New data of a preference."""

    data: Any = None


class PreferenceView(Stamped):
    """A preference in responses to administrators."""

    id: str
    user: str
    app: str
    data: Any


class PreferenceList(ListView):
    """One page of preferences."""

    items: list[PreferenceView]


class PreferenceSave(ClientBody):
    """Store the data of one app; ``data`` may already be a complete preferences object."""

    app: Name
    data: Any = None


class PreferenceRemoval(ClientBody):
    """Clear one app's preferences, or all of them."""

    app: Name | None = None


class PreferenceQuestion(ClientBody):
    """The requested preferences, in the body that existing desktops send with GET."""

    app: Name | None = None
    apps: list[Name] | None = Field(None, max_length=10_000)
    last_known_update: str | None = None


class PreferenceAnswer(View):
    """The preferences of one app; empty if there are none."""

    app: str | None = None
    data: Any = None
    last_update: datetime | None = None
    last_known_update: datetime | None = None
