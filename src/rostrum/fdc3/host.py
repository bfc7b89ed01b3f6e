"""Messages between an agent and its platform: the platform opens apps, shows the resolver and transports messages.

The agent returns the messages of the first half; the platform responds to two of them with those of the second half.
All are plain records, so that a platform in another process can exchange them as JSON.
"""

from typing import Annotated

import msgspec

from rostrum.fdc3.limits import DEFAULT_LIMITS

Name = Annotated[str, msgspec.Meta(max_length=DEFAULT_LIMITS.name_length)]
"""A text from a platform, which may be stored."""


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="kind", rename="camel"):
    """A message between agent and platform."""


class Deliver(_Message, frozen=True, kw_only=True):
    """Send a message to the app of a connection."""

    connection: str
    payload: bytes


class Close(_Message, frozen=True, kw_only=True):
    """Close a connection: its instance is treated as ended."""

    connection: str
    reason: str


class Refusal(_Message, frozen=True, kw_only=True):
    """Log that a message was rejected, or ignored if no response is possible; ``error`` is then empty.

    The responses of the standard contain only the name of an error, so the explanation is for the platform's log.
    """

    connection: str
    type: str
    error: str
    text: str


class OpenApp(_Message, frozen=True, kw_only=True):
    """Open an app. Respond with ``Opened`` or ``OpenFailed``; the agent stops waiting at its own deadline.

    Attributes:
        instance_id: Proposed id of the new instance; the platform may use another one that is unique across machines.
        source: The instance that sent the request.
    """

    request: str
    app_id: str
    instance_id: str
    source: str


class Choose(_Message, frozen=True, kw_only=True):
    """Prompt the user to choose the app for an intent.

    Respond with ``Chosen``, ``ChoiceCancelled`` or ``ChoiceUnavailable``.

    Attributes:
        source: The instance that raised the intent.
        app_intents: The choices, as ``AppIntent`` objects of the standard. Without ``instanceId``, an app is opened.
        context: The context, as JSON.
    """

    request: str
    source: str
    app_intents: msgspec.Raw
    context: msgspec.Raw


class ChoiceEnded(_Message, frozen=True, kw_only=True):
    """Close the resolver: the choice is no longer needed."""

    request: str


class ChannelChanged(_Message, frozen=True, kw_only=True):
    """Show that an instance is now on a user channel, or on none."""

    instance_id: str
    channel_id: str | None


class ContextBroadcast(_Message, frozen=True, kw_only=True):
    """Forward a context of a user channel to clients that use the platform's channels without FDC3.

    Attributes:
        source: The instance that sent it.
        context: The context, as JSON.
    """

    channel_id: str
    source: str
    context: msgspec.Raw


class Routed(_Message, frozen=True, kw_only=True):
    """Report the receivers of a sender's broadcasts, of one type on a channel, to its platform; valid until a change.

    Attributes:
        connection: The connection of the sender.
        source: The sender as receivers see it.
        receivers: The connections of the receivers.
    """

    connection: str
    channel_id: str
    context_type: str
    source: dict[str, str]
    receivers: tuple[str, ...]


class IntentListenersChanged(_Message, frozen=True, kw_only=True):
    """Report changes of the intents that an instance handles to clients that raise intents without FDC3.

    Attributes:
        added: Intents that it handles now. All intents would be a long list for each of a thousand listeners.
        removed: Intents that it no longer handles.
    """

    instance_id: str
    app_id: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Opened(_Message, frozen=True, kw_only=True):
    """The app was opened; the instance with this id is connected or will connect."""

    request: Name
    instance_id: Name


class OpenFailed(_Message, frozen=True, kw_only=True):
    """The app could not be opened.

    Attributes:
        error: An ``OpenError`` of the standard; any other name counts as ``ErrorOnLaunch``.

    """

    request: Name
    error: Name = "ErrorOnLaunch"


class Chosen(_Message, frozen=True, kw_only=True):
    """The user chose an app or one of its instances."""

    request: Name
    intent: Name
    app_id: Name
    instance_id: Name | None = None


class ChoiceCancelled(_Message, frozen=True, kw_only=True):
    """The user closed the resolver without a choice."""

    request: Name


class ChoiceUnavailable(_Message, frozen=True, kw_only=True):
    """The platform cannot show a resolver."""

    request: Name


Output = (
    Deliver
    | Close
    | Refusal
    | OpenApp
    | Choose
    | ChoiceEnded
    | ChannelChanged
    | ContextBroadcast
    | Routed
    | IntentListenersChanged
)
HostReply = Opened | OpenFailed | Chosen | ChoiceCancelled | ChoiceUnavailable
