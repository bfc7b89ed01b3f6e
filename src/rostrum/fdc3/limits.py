"""Limits of stored data and waiting times of one user's agent."""

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of the data that the apps of one user can store in an agent.

    Attributes:
        message_bytes: Size of one message of an app.
        name_length: Characters of a name that an app chooses: of a channel, an intent, a type of context, a request.
            The same applies to the facts about a connection.
        connections: Open connections.
        instances: Connected app instances.
        departed: Ended instances that may reconnect with the same identity.
        listeners: Listeners of all instances together.
        instance_listeners: Listeners of one instance.
        app_channels: App channels; unused ones are removed when needed.
        private_channels: Private channels.
        private_events: Events that the end of one instance can cause on its private channels: for each of its
            listeners, one for each instance that is notified.
        contexts: Stored current contexts of all channels; the oldest ones are removed when needed.
        context_bytes: Their size together.
        pending: Requests that wait for an app, for the user or for the platform.
        pending_bytes: Size of the contexts of these requests.
        results: Raised intents whose result is awaited.
        queued_bytes: Size of the messages stored for one instance whose transport is interrupted.
    """

    message_bytes: int = 1_048_576
    name_length: int = 500
    connections: int = 500
    instances: int = 300
    departed: int = 100
    listeners: int = 10_000
    instance_listeners: int = 1_000
    app_channels: int = 500
    private_channels: int = 500
    private_events: int = 1_000
    contexts: int = 2_000
    context_bytes: int = 8_388_608
    pending: int = 200
    pending_bytes: int = 4_194_304
    results: int = 2_000
    queued_bytes: int = 262_144


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """Waiting times in seconds.

    Attributes:
        app_launch: For an opened app to connect and to add its listener. Clients wait 100 seconds for their response.
        choice: For the user to choose the app that handles an intent.
        heartbeat: Between two heartbeat events; none are sent with 0.
        heartbeat_answer: Until an instance that acknowledges no heartbeat is treated as ended. Browsers slow timers of
            hidden pages down to one a minute, so less than two minutes would remove running apps.
        reconnection: How long the window of an ended instance can use its identity again.
    """

    app_launch: float = 30.0
    choice: float = 60.0
    heartbeat: float = 30.0
    heartbeat_answer: float = 180.0
    reconnection: float = 60.0


DEFAULT_LIMITS = Limits()
DEFAULT_TIMEOUTS = Timeouts()
