"""The protocol of existing browser platforms, below `/user`: every name that is prescribed by their clients."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from rostrum.contracts.body import ClientBody, View
from rostrum.contracts.names import Id, Name, ShortText

TOKEN_HEADER = "serverx-token"  # noqa: S105 - the name of a header
"""The header in which clients send the token of their session, beside ``Authorization`` or instead of it."""

INVALID_TOKEN = "invalid-glue42-server-token"  # noqa: S105 - a message
"""The message, with status 400, on which clients open a new session. They do not do so on any other answer."""

PRODUCT = "browser"
"""The product of the sessions that are opened with this protocol."""

Token = Annotated[str, Field(max_length=8192)]


class CorePlatform(ClientBody):
    """The library behind the platform."""

    version: ShortText | None = None


class Core(ClientBody):
    """The core of the platform."""

    platform: CorePlatform | None = None


class PlatformDetails(ClientBody):
    """Data that a platform sends about itself."""

    version: ShortText | None = None
    build: ShortText | None = None
    region: ShortText | None = None
    env: ShortText | None = None
    core: Core | None = None


class DataInfo(ClientBody):
    """Which state of a collection the client has: `info` of an earlier answer."""

    last: Annotated[int, Field(ge=0, le=2**53)] | None = None
    checksum: ShortText | None = None


class KindRequest(ClientBody):
    """Whether a collection is wanted, and which state of it the client has."""

    include: bool = False
    latest_data_info: DataInfo | None = None


class InitialDataRequest(ClientBody):
    """What the client wants with the answer to hello."""

    applications: KindRequest | None = None
    layouts: KindRequest | None = None


class Hello(ClientBody):
    """What a platform sends when it starts."""

    machine: dict[str, Any] = Field(default={}, description="Data about the client's computer.")
    glue: PlatformDetails | None = None
    initial_data_request: InitialDataRequest | None = None
    include_server_info: bool = False


class LatestDataInfo(ClientBody):
    """Which state of each collection the client has."""

    applications: DataInfo | None = None
    layouts: DataInfo | None = None


class Poll(ClientBody):
    """The question whether something has changed."""

    latest_data_info: LatestDataInfo | None = None
    applications: KindRequest | None = None
    layouts: KindRequest | None = None


class TokenRefresh(ClientBody):
    """The token that is to be replaced."""

    token: Token


class Goodbye(ClientBody):
    """The session that ends; without it, the session of the token."""

    session: Id | None = None


class UserLayoutSave(ClientBody):
    """Create or replace a personal layout of the caller, by type and name."""

    type: Name
    name: Name
    definition: str = Field(description="The layout as JSON text.")


class LayoutNewName(ClientBody):
    """The new name of a layout."""

    new_name: Name


class DefaultLayoutChoice(ClientBody):
    """The layout that becomes the default; without an id the choice is cleared."""

    id: Id | None = None


class UserPreferenceSave(ClientBody):
    """What one app stores for the caller."""

    app: Name
    data: Any = None
    merge: bool = Field(default=False, description="Keep the members of the stored object that are not sent.")


class UserLayoutView(View):
    """A layout as browser platforms read it."""

    id: str
    name: str
    type: str
    definition: str = Field(description="The layout as JSON text.")
    owner: str | None = Field(None, description="The user who owns it; left out if it belongs to all.")
    default: bool


class InfoView(View):
    """Which state of a collection was answered; clients send it with the next poll."""

    last: int
    checksum: str = Field(description="The ETag of the collection.")


class AppsData(View):
    """The apps, if they have changed."""

    has_changes: bool
    data: list[dict[str, Any]]
    info: InfoView


class LayoutsData(View):
    """The layouts, if they have changed."""

    has_changes: bool
    data: list[UserLayoutView]
    info: InfoView


class HelloData(View):
    """The collections that were wanted."""

    applications: AppsData | None = None
    layouts: LayoutsData | None = None


class ServerInfoView(View):
    """This server."""

    version: str
    capabilities: list[str]
    gateway_url: str | None = Field(
        default=None, description="Address of the caller's central gateway, absolute or a path of this server."
    )


class HelloView(View):
    """The session that was opened."""

    token: str = Field(description="A JWT with the members session, user, iat and exp.")
    data: HelloData
    server_info: ServerInfoView | None = None


class PollView(View):
    """What has changed."""

    applications: AppsData
    layouts: LayoutsData


class TokenRefreshView(View):
    """A new token of the same session."""

    token: str


class UserPreferenceView(View):
    """What one app stores for the caller."""

    id: str
    app: str
    user: str
    data: Any
    last_update: datetime


class WhoAmI(View):
    """The caller."""

    id: str
    email: str | None
    groups: list[str] = Field(description="All groups, nested ones expanded.")
    apps: list[str] = Field(description="Names of apps given to this user directly.")
