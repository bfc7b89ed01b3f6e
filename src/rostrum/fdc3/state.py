"""The state of an agent: connections, instances, listeners, channels, and pending requests."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from rostrum.fdc3 import messages
from rostrum.fdc3.directory import Directory
from rostrum.fdc3.host import Deliver, Output
from rostrum.fdc3.limits import Limits, Timeouts
from rostrum.fdc3.messages import Context, Request


class Connection(msgspec.Struct, kw_only=True):
    """A connection to one app, with the facts that the platform has verified.

    Attributes:
        place: What identifies the window or program; the secret of an instance is valid in its place only.
        origin: Origin of the page; ``None`` for programs.
        app_id: The app that the platform opened there, if it knows.
        instance_id: The instance that the platform opened there, if it did.
        instance: The instance, after validation.
    """

    id: str
    place: str
    origin: str | None
    app_id: str | None
    instance_id: str | None
    instance: "Instance | None" = None


class Listener(NamedTuple):
    """A listener of an instance.

    Attributes:
        channel: The channel; ``None`` for the user channel that the instance is in, and for intents and events.
        type: Type of context, name of intent or type of event; ``None`` for all.
        follows: Whether it listens on the current user channel of its instance.
    """

    kind: Literal["context", "intent", "event", "private"]
    channel: str | None = None
    type: str | None = None
    follows: bool = False


class Instance:
    """A running, validated app.

    Attributes:
        intents: The number of its listeners for each intent.
        on_channels: The ids of its listeners on each channel.
        queue: Messages that are stored while the transport is interrupted.
        until: When an interrupted instance expires.
    """

    __slots__ = (
        "acknowledged",
        "app_id",
        "channel",
        "connection",
        "id",
        "intents",
        "listeners",
        "on_channels",
        "place",
        "queue",
        "queued",
        "secret",
        "until",
    )

    def __init__(self, id_: str, app_id: str, secret: str, place: str, now: float) -> None:
        self.id = id_
        self.app_id = app_id
        self.secret = secret
        self.place = place
        self.connection: str | None = None
        self.channel: str | None = None
        self.listeners: dict[str, Listener] = {}
        self.intents: dict[str, int] = {}
        self.on_channels: dict[str, dict[str, None]] = {}
        self.acknowledged = now
        self.queue: deque[bytes] | None = None
        self.queued = 0
        self.until: float | None = None

    @property
    def identifier(self) -> dict[str, str]:
        """Return its identifier in the format of the standard."""
        return {"appId": self.app_id, "instanceId": self.id}

    def handles(self, intent: str) -> bool:
        """Return whether it has a listener for an intent."""
        return intent in self.intents


class Departed(NamedTuple):
    """The identity of an ended instance, which its window may use again."""

    app_id: str
    secret: str
    place: str
    channel: str | None
    until: float


class Channel:
    """A channel and its newest contexts.

    Attributes:
        contexts: The newest context of each type, ordered by age.
        members: Instances that use an app channel, or may use a private one.
        observers: The instances that listen for events of a private channel, with the number of these listeners for
            each type of event; ``None`` is for all types.
    """

    __slots__ = ("contexts", "display", "id", "kind", "members", "observers")

    def __init__(
        self, id_: str, kind: Literal["user", "app", "private"], display: dict[str, str] | None = None
    ) -> None:
        """Make a channel without contexts."""
        self.id = id_
        self.kind = kind
        self.display = display
        self.contexts: dict[str, msgspec.Raw] = {}
        self.members: set[str] = set()
        self.observers: dict[str, dict[str | None, int]] = {}

    def describe(self) -> dict[str, Any]:
        """Return its description in the format of the standard."""
        described: dict[str, Any] = {"id": self.id, "type": self.kind}
        return described if self.display is None else {**described, "displayMetadata": self.display}


class Pending(msgspec.Struct, kw_only=True):
    """A request that waits for the platform, the user or an app.

    Attributes:
        target: The instance that it waits for, if known.
        options: For a choice: the apps and instances to choose from, for each intent.
    """

    id: str
    kind: Literal["open", "intent", "choice"]
    request: Request
    context: Context | None
    deadline: float
    app_id: str = ""
    intent: str = ""
    target: str | None = None
    options: dict[str, frozenset[tuple[str, str | None]]] = {}


class Result(NamedTuple):
    """A delivered intent whose result is pending."""

    request: Request
    handler: str


class State:
    """The state of one user's agent, and its pending output."""

    __slots__ = (
        "channels",
        "connections",
        "context_bytes",
        "delivered",
        "departed",
        "directory",
        "instances",
        "limits",
        "listener_count",
        "metadata",
        "new_id",
        "next_heartbeat",
        "now",
        "out",
        "pending",
        "results",
        "routing",
        "stored",
        "timeouts",
        "wants_route",
    )

    def __init__(
        self,
        directory: Directory,
        limits: Limits,
        timeouts: Timeouts,
        metadata: Mapping[str, Any],
        new_id: Callable[[], str],
    ) -> None:
        """Start without apps."""
        self.directory = directory
        self.limits = limits
        self.timeouts = timeouts
        self.metadata = metadata
        self.new_id = new_id
        self.now = 0.0
        self.out: list[Output] = []
        self.connections: dict[str, Connection] = {}
        self.instances: dict[str, Instance] = {}
        self.departed: dict[str, Departed] = {}
        self.channels: dict[str, Channel] = {}
        self.pending: dict[str, Pending] = {}
        self.results: dict[str, Result] = {}
        self.listener_count = 0
        # The stored contexts ordered by age: (channel, type) and size.
        self.stored: dict[tuple[str, str], int] = {}
        self.context_bytes = 0
        self.next_heartbeat: float | None = None
        # Counts changes of the receivers of broadcasts.
        self.routing = 0
        # For the current broadcast: the connections that have already received it, and whether to report the others.
        self.delivered: frozenset[str] = frozenset()
        self.wants_route = False

    def connected(self) -> Iterator[Instance]:
        """Return the running instances."""
        return iter(self.instances.values())

    def of_app(self, app_id: str) -> list[Instance]:
        """List the instances of an app."""
        return [instance for instance in self.instances.values() if instance.app_id == app_id]

    def send(self, instance: Instance, payload: bytes) -> None:
        """Send a message to an instance; store it while its transport is interrupted."""
        if instance.connection is not None:
            self.out.append(Deliver(connection=instance.connection, payload=payload))
        elif instance.queue is not None and instance.queued + len(payload) <= self.limits.queued_bytes:
            instance.queue.append(payload)
            instance.queued += len(payload)

    def event(self, receivers: Iterable[Instance], type_: str, payload: dict[str, Any]) -> str:
        """Send an event to instances; return its id."""
        uuid = self.new_id()
        meta = {"timestamp": messages.timestamp(self.now), "eventUuid": uuid}
        text: bytes | None = None
        for receiver in receivers:
            if text is None:
                text = messages.encode({"type": type_, "payload": payload, "meta": meta})
            self.send(receiver, text)
        return uuid

    def respond(self, request: Request, payload: dict[str, Any], type_: str | None = None) -> None:
        """Respond to a request, if the instance that sent it still exists."""
        instance = self.instances.get(request.instance)
        if instance is None:
            return
        meta = {
            "timestamp": messages.timestamp(self.now),
            "requestUuid": request.uuid,
            "responseUuid": self.new_id(),
            "source": instance.identifier,
        }
        kind = type_ or request.kind + "Response"
        self.send(instance, messages.encode({"type": kind, "payload": payload, "meta": meta}))

    def fail(self, request: Request, error: str) -> None:
        """Respond to a request with an error."""
        self.respond(request, {"error": error})
