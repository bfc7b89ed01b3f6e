"""The protocol of existing browser platforms, below `/user`; their clients prescribe all names."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from rostrum.contracts.body import ClientBody, View
from rostrum.contracts.names import Id, Name, ShortText

TOKEN_HEADER = "serverx-token"  # noqa: S105 - the name of a header
"""The header in which clients send the token of their session, in addition to ``Authorization`` or instead of it."""

INVALID_TOKEN = "invalid-glue42-server-token"  # noqa: S105 - a message
"""The message, with status 400, on which clients open a new session. No other response causes this."""

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
    """The state of a collection on the client: `info` of an earlier response."""

    last: Annotated[int, Field(ge=0, le=2**53)] | None = None
    checksum: ShortText | None = None


class KindRequest(ClientBody):
    """Whether a collection is requested, and its state on the client."""

    include: bool = False
    latest_data_info: DataInfo | None = None


class InitialDataRequest(ClientBody):
    """The collections that the client requests with hello."""

    applications: KindRequest | None = None
    layouts: KindRequest | None = None


class Hello(ClientBody):
    """The first request of a platform."""

    machine: dict[str, Any] = Field(default={}, description="Data about the client's computer.")
    glue: PlatformDetails | None = None
    initial_data_request: InitialDataRequest | None = None
    include_server_info: bool = False


class LatestDataInfo(ClientBody):
    """The state of each collection on the client."""

    applications: DataInfo | None = None
    layouts: DataInfo | None = None


class Poll(ClientBody):
    """A request for changes."""

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
    """Data that one app stores for the caller."""

    app: Name
    data: Any = None
    merge: bool = Field(default=False, description="Keep the members of the stored object that are not sent.")


class UserLayoutView(View):
    """A layout in the format of browser platforms."""

    id: str
    name: str
    type: str
    definition: str = Field(description="The layout as JSON text.")
    owner: str | None = Field(None, description="The user who owns it; left out if it belongs to all.")
    default: bool


class InfoView(View):
    """The state of the returned collection; clients send it with the next poll."""

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
    """The requested collections."""

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
    """The opened session."""

    token: str = Field(description="A JWT with the members session, user, iat and exp.")
    data: HelloData
    server_info: ServerInfoView | None = None


class PollView(View):
    """The changes."""

    applications: AppsData
    layouts: LayoutsData


class TokenRefreshView(View):
    """A new token of the same session."""

    token: str


class UserPreferenceView(View):
    """Data that one app stores for the caller."""

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
    apps: list[str] = Field(description="Names of apps assigned directly to this user.")
