"""Preferences as the admin API and the public preference-store contract send and answer them."""

from datetime import datetime
from typing import Any

from pydantic import Field

from rostrum.contracts.body import Body, Change, ClientBody, ListView, Stamped, View
from rostrum.contracts.names import Name, UserId


class PreferenceDocument(Body):
    """What an app keeps for a user."""

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
    """A preference as answered to administrators."""

    id: str
    user: str
    app: str
    data: Any


class PreferenceList(ListView):
    """One page of preferences."""

    items: list[PreferenceView]


class PreferenceSave(ClientBody):
    """Keep what one app wants kept; ``data`` may be a whole preferences object already."""

    app: Name
    data: Any = None


class PreferenceRemoval(ClientBody):
    """Clear one app's preferences, or all of them."""

    app: Name | None = None


class PreferenceQuestion(ClientBody):
    """Which preferences are wanted, in the body that existing desktops send with GET."""

    app: Name | None = None
    apps: list[Name] | None = Field(None, max_length=10_000)
    last_known_update: str | None = None


class PreferenceAnswer(View):
    """One app's preferences; empty when there are none."""

    app: str | None = None
    data: Any = None
    last_update: datetime | None = None
    last_known_update: datetime | None = None
