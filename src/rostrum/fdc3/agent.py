"""The FDC3 2.2 desktop agent of one user, without sockets, clock or log: each call returns the resulting messages."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import uuid4

from rostrum.fdc3 import apps, channels, identity, intents, launches, listeners, messages
from rostrum.fdc3.directory import Directory
from rostrum.fdc3.host import (
    ChoiceCancelled,
    ChoiceEnded,
    ChoiceUnavailable,
    Chosen,
    HostReply,
    Opened,
    OpenFailed,
    Output,
    Refusal,
)
from rostrum.fdc3.limits import DEFAULT_LIMITS, DEFAULT_TIMEOUTS, Limits, Timeouts
from rostrum.fdc3.messages import REQUESTS, Envelope, Malformed, Refused, Request
from rostrum.fdc3.state import Connection, Instance, State
from rostrum.fdc3.user_channels import UserChannel

_Handler = Callable[[State, Instance, Request, Any], None]
_HANDLERS: Mapping[str, _Handler] = {
    **listeners.HANDLERS,
    **channels.HANDLERS,
    **apps.HANDLERS,
    **intents.HANDLERS,
    **identity.HANDLERS,
}
_LONGEST_TYPE = 60


class DesktopAgent:
    """The agent that all apps of one user share, in windows, pages and programs on all machines.

    Methods take the time as seconds since 1970 that never decrease, and return the actions to perform, in order.
    """

    __slots__ = ("_state",)

    def __init__(
        self,
        directory: Directory,
        user_channels: Iterable[UserChannel] = (),
        *,
        provider_version: str = "0",
        limits: Limits = DEFAULT_LIMITS,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        """Start without apps.

        Args:
            directory: The apps of the user.
            user_channels: The channels that users select.
            provider_version: The version of the product.
            limits: Limits of stored data.
            timeouts: Time limits.
            new_id: Creates ids that are unique across machines and cannot be guessed; for tests.
        """
        self._state = State(directory, limits, timeouts, _metadata(provider_version), new_id or _uuid)
        channels.replace_user_channels(self._state, user_channels)

    def connect(
        self,
        connection: str,
        now: float,
        *,
        place: str | None = None,
        origin: str | None = None,
        app_id: str | None = None,
        instance_id: str | None = None,
    ) -> bool:
        """Add a connection, with the verified facts about its app.

        Returns False if a connection with this id exists, if there are too many connections, or if a text is too long.

        Args:
            connection: Its id, unique among the connections of the user.
            now: The time.
            place: Identifies the window or program, also after its page was reloaded.
            origin: Origin of the page, as the browser reports it; none for programs.
            app_id: The app that was opened there. Required for programs.
            instance_id: The instance that was opened there.
        """
        state = self._state
        state.now = now
        if connection in state.connections or len(state.connections) >= state.limits.connections:
            return False
        place = place or instance_id or connection
        facts = (connection, place, origin, app_id, instance_id)
        if any(fact is not None and len(fact) > state.limits.name_length for fact in facts):
            return False
        state.connections[connection] = Connection(
            id=connection, place=place, origin=origin, app_id=app_id, instance_id=instance_id
        )
        return True

    def receive(
        self,
        connection: str,
        payload: bytes,
        now: float,
        *,
        delivered: frozenset[str] = frozenset(),
        wants_route: bool = False,
    ) -> list[Output]:
        """Process a message of an app.

        Args:
            connection: The connection of the app.
            payload: The message.
            now: The time.
            delivered: If the message is a broadcast: the connections that have already received it.
            wants_route: Whether to return ``Routed`` for a broadcast.
        """
        state = self._state
        state.now = now
        known = state.connections.get(connection)
        if known is not None:
            state.delivered, state.wants_route = delivered, wants_route
            try:
                self._carry_out(known, payload)
            finally:
                state.delivered, state.wants_route = frozenset(), False
        return self._done()

    @staticmethod
    def is_broadcast(payload: bytes) -> bool:
        """Return whether a message of an app is a broadcast request."""
        try:
            return bool(messages.read_envelope(payload).type == "broadcastRequest")
        except Malformed:
            return False

    @property
    def routing(self) -> int:
        """Return a number that increases when the receivers of broadcasts may have changed."""
        return self._state.routing

    def disconnect(self, connection: str, now: float) -> list[Output]:
        """Remove a connection whose window or program has ended, and its instance."""
        self._state.now = now
        known = self._state.connections.pop(connection, None)
        if known is not None and known.instance is not None:
            identity.end(self._state, known.instance)
        return self._done()

    def suspend(self, connection: str, now: float) -> list[Output]:
        """Remove a connection whose transport was interrupted; its instance keeps its state and can be resumed."""
        self._state.now = now
        known = self._state.connections.pop(connection, None)
        if known is not None and known.instance is not None:
            identity.suspend(self._state, known.instance)
        return self._done()

    def resume(self, connection: str, instance_id: str, instance_uuid: str, now: float) -> list[Output] | None:
        """Connect a suspended instance to a new connection of the same window or program, or return ``None``."""
        self._state.now = now
        known = self._state.connections.get(connection)
        if known is None or not identity.resume(self._state, known, instance_id, instance_uuid):
            return None
        return self._done()

    def answer(self, answer: HostReply, now: float) -> list[Output]:
        """Process the platform's response to ``OpenApp`` or ``Choose``; late and unknown ones have no effect."""
        state = self._state
        state.now = now
        if isinstance(answer, Opened):
            launches.launched(state, answer)
        elif isinstance(answer, OpenFailed):
            launches.launch_failed(state, answer)
        elif isinstance(answer, Chosen):
            intents.chosen(state, answer)
        else:
            self._no_choice(answer)
        return self._done()

    def select_channel(self, instance_id: str, channel_id: str | None, now: float) -> list[Output]:
        """Assign an instance to the user channel that the user selected, or to none."""
        state = self._state
        state.now = now
        instance = state.instances.get(instance_id)
        channel = state.channels.get(channel_id or "")
        is_possible = channel_id is None or (channel is not None and channel.kind == "user")
        if instance is not None and is_possible and instance.channel != channel_id:
            channels.put_on_channel(state, instance, channel_id)
        return self._done()

    def publish(
        self, channel_id: str, context: bytes, now: float, source: dict[str, str] | None = None
    ) -> list[Output]:
        """Send a context from a client without FDC3 to the listeners of a user channel.

        Args:
            channel_id: The user channel.
            context: The context, as JSON.
            now: The time.
            source: ``appId`` and, if there is one, ``instanceId`` of the sender.
        """
        state = self._state
        state.now = now
        try:
            channels.publish(state, channel_id, context, source)
        except Refused as refused:
            state.out.append(Refusal(connection="", type="publish", error=refused.error, text=refused.text))
        return self._done()

    def replace_directory(self, directory: Directory, now: float) -> list[Output]:
        """Replace the apps of the user; running instances of removed apps stay."""
        self._state.now = now
        self._state.directory = directory
        return self._done()

    def replace_user_channels(self, user_channels: Iterable[UserChannel], now: float) -> list[Output]:
        """Replace the user channels; instances on removed channels leave them."""
        self._state.now = now
        channels.replace_user_channels(self._state, user_channels)
        return self._done()

    def expire(self, now: float) -> list[Output]:
        """End requests whose time limit has passed, and send heartbeats."""
        state = self._state
        state.now = now
        for pending in [one for one in state.pending.values() if one.deadline <= now]:
            launches.fail(state, pending, launches.TIMEOUTS[pending.kind])
            if pending.kind == "choice":
                state.out.append(ChoiceEnded(request=pending.id))
        identity.give_up(state)
        identity.beat(state)
        return self._done()

    @property
    def deadline(self) -> float | None:
        """Return when ``expire`` must be called next; it may be called earlier."""
        state = self._state
        times = [one.deadline for one in state.pending.values()]
        times.extend(one.until for one in state.departed.values())
        times.extend(one.until for one in state.connected() if one.until is not None)
        if state.next_heartbeat is not None:
            times.append(state.next_heartbeat)
        return min(times, default=None)

    @property
    def instances(self) -> list[dict[str, Any]]:
        """List the running instances, with the channel of each."""
        return [{**one.identifier, "channelId": one.channel} for one in self._state.connected()]

    def connection_of(self, instance_id: str) -> str | None:
        """Return the connection of a running instance; ``None`` while its transport is interrupted."""
        instance = self._state.instances.get(instance_id)
        return None if instance is None else instance.connection

    @property
    def is_idle(self) -> bool:
        """Return whether the agent has no connections and no pending requests, so that it can be removed."""
        state = self._state
        return not (state.connections or state.instances or state.pending or state.departed)

    def _carry_out(self, connection: Connection, payload: bytes) -> None:
        limit = self._state.limits.message_bytes
        try:
            if len(payload) > limit:
                self._refuse_large(connection, payload, limit)
                return
            envelope = messages.read_envelope(payload)
            kind = envelope.type if isinstance(envelope.type, str) else ""
            if kind == "WCP4ValidateAppIdentity":
                identity.validate(self._state, connection, envelope)
            elif kind == "WCP6Goodbye":
                if connection.instance is not None:
                    identity.end(self._state, connection.instance)
            else:
                self._request(connection, kind, envelope)
        except Malformed as error:
            self._ignore(connection, "", f"The message is malformed: {error}")

    def _request(self, connection: Connection, type_: str, envelope: Envelope) -> None:
        name = type_.removesuffix("Request")
        kind = REQUESTS.get(name) if type_ != name else None
        instance = connection.instance
        if kind is None or instance is None:
            why = (
                "The type is not one of an app's messages"
                if kind is None
                else "WCP4ValidateAppIdentity must come first"
            )
            self._ignore(connection, type_[:_LONGEST_TYPE], why)
            return
        uuid = messages.request_uuid(envelope)
        if not uuid or len(uuid) > self._state.limits.name_length:
            raise Malformed("requestUuid is empty or too long")
        request = Request(name, uuid, instance.id, instance.app_id)
        try:
            _HANDLERS[name](self._state, instance, request, messages.decode(kind.payload, envelope.payload))
        except Refused as refused:
            self._refuse(connection, request, refused.error, refused.text)
        except Malformed as error:
            self._refuse(connection, request, kind.malformed, f"The payload is malformed: {error}")

    def _refuse(self, connection: Connection, request: Request, error: str, text: str) -> None:
        if error:
            self._state.fail(request, error)
        self._state.out.append(Refusal(connection=connection.id, type=request.kind + "Request", error=error, text=text))

    def _refuse_large(self, connection: Connection, payload: bytes, limit: int) -> None:
        """Respond to a message that is too large, so that its sender does not wait for a timeout."""
        envelope = messages.read_envelope(payload)
        name = envelope.type.removesuffix("Request") if isinstance(envelope.type, str) else ""
        text = f"The message has more than {limit} bytes"
        if name not in REQUESTS or connection.instance is None:
            self._ignore(connection, name[:_LONGEST_TYPE], text)
            return
        uuid = messages.request_uuid(envelope)
        if len(uuid) > self._state.limits.name_length:
            raise Malformed("requestUuid is too long")
        request = Request(name, uuid, connection.instance.id, connection.instance.app_id)
        self._refuse(connection, request, REQUESTS[name].malformed, text)

    def _ignore(self, connection: Connection, type_: str, text: str) -> None:
        self._state.out.append(Refusal(connection=connection.id, type=type_, error="", text=text))

    def _no_choice(self, answer: ChoiceCancelled | ChoiceUnavailable) -> None:
        pending = self._state.pending.get(answer.request)
        if pending is not None and pending.kind == "choice":
            is_cancelled = isinstance(answer, ChoiceCancelled)
            launches.fail(self._state, pending, "UserCancelledResolution" if is_cancelled else "ResolverUnavailable")

    def _done(self) -> list[Output]:
        out = self._state.out
        self._state.out = []
        return out


def _uuid() -> str:
    return str(uuid4())


def _metadata(provider_version: str) -> dict[str, Any]:
    return {
        "fdc3Version": "2.2",
        "provider": "Rostrum",
        "providerVersion": provider_version,
        "optionalFeatures": {
            "OriginatingAppMetadata": True,
            "UserChannelMembershipAPIs": True,
            "DesktopAgentBridging": False,
        },
    }
