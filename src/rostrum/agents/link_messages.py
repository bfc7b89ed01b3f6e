"""Messages between a platform and the agent of its user, on the gateway.

A platform subscribes to the stream to receive events, and sends messages by calling the method. Messages of apps are
sent as text, so that the agent gets the exact bytes of the app, and received as JSON.

The arguments of the subscription state what the platform can do: ``delivers`` to deliver broadcasts under the lease,
and ``lists`` to accept one event for several of its apps, with ``connections`` instead of ``connection``.
"""

from typing import Annotated

import msgspec

from rostrum.fdc3.host import ChoiceCancelled, ChoiceUnavailable, Chosen, Name, Opened, OpenFailed

CONNECT_STREAM = "Rostrum.FDC3.Connect"
SEND_METHOD = "Rostrum.FDC3.Send"
MOST_MESSAGES = 200
"""Maximum number of messages in one call of the method."""
MOST_RECEIVERS = 500
"""Maximum number of connections of one platform."""


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="kind", rename="camel"):
    """A message from a platform."""


class Connect(_Message, frozen=True, kw_only=True):
    """A new connection to an app; with the secret, it continues an existing instance.

    Attributes:
        connection: Id of the connection, unique among those of the platform.
        place: Identifies the window or frame, also after its page was reloaded; unique among all platforms.
        origin: Origin of the page, as the browser reports it.
        app_id: The app that was opened there.
        instance_id: The instance that was opened there.
        instance_uuid: The secret of the instance, to continue after an interruption.
    """

    connection: Name
    place: Name | None = None
    origin: Name | None = None
    app_id: Name | None = None
    instance_id: Name | None = None
    instance_uuid: Name | None = None


class AppMessage(_Message, frozen=True, kw_only=True):
    """A message from an app, as JSON text."""

    connection: Name
    message: str


class Disconnect(_Message, frozen=True, kw_only=True):
    """The window or frame of a connection was closed."""

    connection: Name


class SelectChannel(_Message, frozen=True, kw_only=True):
    """The user selected a channel for an instance, or no channel."""

    instance_id: Name
    channel_id: Name | None = None


class Delivered(_Message, frozen=True, kw_only=True):
    """A broadcast that the platform has delivered to its other apps under the lease.

    Attributes:
        message: The request of the app, as JSON text.
        number: Increases with each broadcast under the same lease.
        receivers: The connections of this platform that have received it.
    """

    connection: Name
    message: str
    lease: Name
    number: int
    receivers: Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_RECEIVERS)] = ()


class LeaseReturned(_Message, frozen=True, kw_only=True):
    """The platform no longer delivers under this lease."""

    lease: Name


FromPlatform = (
    Connect
    | AppMessage
    | Delivered
    | LeaseReturned
    | Disconnect
    | SelectChannel
    | Opened
    | OpenFailed
    | Chosen
    | ChoiceCancelled
    | ChoiceUnavailable
)


class Sent(msgspec.Struct, frozen=True):
    """The arguments of the method."""

    link: Name
    messages: list[FromPlatform]
