"""The agent of one user with the links of its platforms: routes each output of the agent to a platform."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Protocol

import msgspec
from msgspec import Raw

from rostrum.agents.delivery_lease import DeliveryLease
from rostrum.agents.link_messages import (
    AppMessage,
    Connect,
    Delivered,
    Disconnect,
    FromPlatform,
    LeaseReturned,
    SelectChannel,
)
from rostrum.agents.profile import Profile
from rostrum.base.signal import Signal
from rostrum.fdc3 import DesktopAgent
from rostrum.fdc3.host import (
    ChannelChanged,
    ChoiceEnded,
    ChoiceUnavailable,
    Choose,
    Close,
    ContextBroadcast,
    Deliver,
    IntentListenersChanged,
    OpenApp,
    OpenFailed,
    Output,
    Refusal,
    Routed,
)
from rostrum.gateway.sessions import user_of_owner

_log = logging.getLogger("rostrum.agents")


class _Typed(msgspec.Struct):
    type: str


_typed = msgspec.json.Decoder(_Typed)
_LONGEST_ID = 100
_SHOWN_TEXT = 300


class Link(Protocol):
    """The connection of the agent to a platform or a program.

    Attributes:
        id: Identifies the link among those of the user.
        is_platform: Whether apps can be opened and intents resolved there.
        is_external: Whether the agent must keep running for this link.
        can_deliver: Whether the platform delivers broadcasts between its own apps while it has the lease.
    """

    id: str
    is_platform: bool
    is_external: bool
    can_deliver: bool

    def send(self, event: dict[str, Any]) -> None:
        """Send an event."""
        ...


class UserAgent:
    """The agent of one user, with its links.

    Attributes:
        user: The user, with the account, as the gateway returns it.
        broadcast: Emitted with each context that an app broadcasts on a user channel.
        listeners_changed: Emitted when the intents that an instance handles have changed.
    """

    def __init__(self, user: str, profile: Profile, now: Callable[[], float], version: str) -> None:
        self.user = user
        self._name = user_of_owner(user)[0]
        self.profile = profile
        self.broadcast: Signal[ContextBroadcast] = Signal()
        self.listeners_changed: Signal[IntentListenersChanged] = Signal()
        self._now = now
        self._agent = DesktopAgent(
            profile.directory, (one.user_channel for one in profile.channels), provider_version=version
        )
        # The newest platform is the last one.
        self._links: dict[str, Link] = {}
        self._takes_lists: set[str] = set()
        self._connections: dict[str, tuple[Link, str]] = {}
        # The same by link: an ended link must not look at the connections of all others.
        self._of_link: dict[str, dict[str, None]] = {}
        self._lease = DeliveryLease(now)
        # The number of processed messages of each link, without those that the link has delivered itself.
        self._counts: Counter[str] = Counter()
        self._waiting: list[tuple[str, bytes]] = []

    @property
    def is_idle(self) -> bool:
        """Return whether the agent is unused, so that it can be removed."""
        return not any(link.is_external for link in self._links.values()) and self._agent.is_idle

    @property
    def instances(self) -> list[dict[str, Any]]:
        """List the running instances, with the channel of each."""
        return self._agent.instances

    def attach(self, link: Link, *, takes_lists: bool = False) -> None:
        """Add a link, and send it the initial state.

        With ``takes_lists``, one event may be for several apps; older platforms expect one event for each app.
        """
        self._links[link.id] = link
        if takes_lists:
            self._takes_lists.add(link.id)
        link.send({"kind": "linked", "link": link.id, **self._surroundings()})

    def detach(self, link: Link) -> None:
        """Remove a link that has ended: apps of a platform may reconnect, programs have ended."""
        if self._links.pop(link.id, None) is None:
            return
        self._takes_lists.discard(link.id)
        if self._lease.is_recalled and not self._lease.is_held_by(link):
            # Process the messages of the link first.
            self._lease.hold(partial(self._end_connections, link))
        else:
            self._end_connections(link)
            self._lease.left(link)

    def _end_connections(self, link: Link) -> None:
        del self._counts[link.id]
        ended = self._agent.suspend if link.is_platform else self._agent.disconnect
        for connection in self._of_link.pop(link.id, {}):
            del self._connections[connection]
            self._carry_out(ended(connection, self._now()))

    def _forget_connection(self, connection: str) -> tuple[Link, str] | None:
        known = self._connections.pop(connection, None)
        if known is not None:
            of_link = self._of_link[known[0].id]
            del of_link[connection]
            if not of_link:
                del self._of_link[known[0].id]
        return known

    def handle(self, link: Link, messages: Iterable[FromPlatform]) -> None:
        """Process messages of a link, in order."""
        for message in messages:
            self.handle_one(link, message)
        self.report(link)

    def handle_one(self, link: Link, message: FromPlatform) -> None:
        """Process a message of a link, or hold it until the lease was returned."""
        if link.id not in self._links:
            return
        if self._lease.must_wait(link, partial(_is_broadcast, message)):
            size = len(message.message) if isinstance(message, (AppMessage, Delivered)) else 0
            self._lease.hold(partial(self._handle, link, message), size)
            self._disconnect_late()
        else:
            self._handle(link, message)

    def report(self, link: Link) -> None:
        """Report to the holder of the lease what was processed."""
        if link.id in self._links:
            self._lease.report(link, self._counts[link.id], self._agent.routing)

    def publish(self, channel_id: str, context: bytes, source: Mapping[str, str] | None) -> None:
        """Send a context of a client without FDC3 to the listeners of a user channel."""

        def publish() -> None:
            known = None if source is None else dict(source)
            self._carry_out(self._agent.publish(channel_id, context, self._now(), known))

        def publish_later() -> None:
            self._waiting.remove((channel_id, context))
            publish()

        if self._lease.must_wait(None, lambda: True):
            self._waiting.append((channel_id, context))
            self._lease.hold(publish_later, len(context))
            self._disconnect_late()
        else:
            publish()

    def waiting_types(self, channel_id: str) -> set[str]:
        """Return the types of contexts that were published on a channel and wait for their place in the order."""
        return {_typed.decode(context).type for channel, context in self._waiting if channel == channel_id}

    def select_channel(self, instance_id: str, channel_id: str | None) -> None:
        """Assign an instance to a channel that was selected outside FDC3."""
        self._carry_out(self._agent.select_channel(instance_id, channel_id, self._now()))

    def replace_profile(self, profile: Profile) -> None:
        """Replace the apps and channels of the user."""
        before, self.profile = self.profile, profile
        now = self._now()
        if profile.directory is not before.directory:
            self._carry_out(self._agent.replace_directory(profile.directory, now))
        if profile.channels != before.channels:
            channels = [one.user_channel for one in profile.channels]
            self._carry_out(self._agent.replace_user_channels(channels, now))
            for link in list(self._links.values()):
                link.send({"kind": "channels", "channels": self._surroundings()["channels"]})

    def expire(self) -> bool:
        """Remove what has exceeded its time limit, or some of it; return whether there is more."""
        self._disconnect_late()
        now, deadline = self._now(), self._agent.deadline
        if deadline is None or deadline > now:
            return False
        self._carry_out(self._agent.expire(now))
        deadline = self._agent.deadline
        return deadline is not None and deadline <= now

    def _surroundings(self) -> dict[str, Any]:
        channels = [{**one.user_channel._asdict(), "platformName": one.name} for one in self.profile.channels]
        return {"channels": channels, "instances": self._agent.instances}

    def _disconnect_late(self) -> None:
        holder = self._lease.overdue
        link = None if holder is None else self._links.get(holder.id)
        if link is not None:
            _log.info("a platform of %s does not answer and is disconnected", self._name)
            link.send({"kind": "unavailable", "reason": "The page did not answer the FDC3 agent in time"})
            self.detach(link)

    def _handle(self, link: Link, message: FromPlatform) -> None:
        now = self._now()
        self._counts[link.id] += not isinstance(message, Delivered)
        if isinstance(message, AppMessage):
            connection, text = _id(link, message.connection), message.message.encode()
            self._carry_out(self._agent.receive(connection, text, now, wants_route=link.can_deliver))
        elif isinstance(message, Delivered):
            if self._lease.accepts(link, message.lease, message.number):
                connection, text = _id(link, message.connection), message.message.encode()
                delivered = frozenset(_id(link, one) for one in message.receivers)
                self._carry_out(self._agent.receive(connection, text, now, delivered=delivered))
        elif isinstance(message, LeaseReturned):
            self._lease.returned(link, message.lease)
        elif isinstance(message, Connect):
            self._connect(link, message)
        elif isinstance(message, Disconnect):
            connection = _id(link, message.connection)
            if self._forget_connection(connection) is not None:
                self._carry_out(self._agent.disconnect(connection, now))
        elif isinstance(message, SelectChannel):
            self._carry_out(self._agent.select_channel(message.instance_id, message.channel_id, now))
        else:
            self._carry_out(self._agent.answer(message, now))

    def _connect(self, link: Link, message: Connect) -> None:
        connection, now = _id(link, message.connection), self._now()
        is_new = len(message.connection) <= _LONGEST_ID and self._agent.connect(
            connection,
            now,
            place=message.place,
            origin=message.origin,
            app_id=message.app_id,
            instance_id=message.instance_id,
        )
        if not is_new:
            reason = "The connection exists already, too many apps are connected, or a text is too long"
            link.send({"kind": "close", "connection": message.connection, "reason": reason})
            return
        self._connections[connection] = (link, message.connection)
        self._of_link.setdefault(link.id, {})[connection] = None
        if message.instance_uuid is None:
            return
        resumed = self._agent.resume(connection, message.instance_id or "", message.instance_uuid, now)
        if resumed is None:
            self._forget_connection(connection)
            self._carry_out(self._agent.disconnect(connection, now))
            reason = "The agent no longer knows this instance; reload the page of the app"
            link.send({"kind": "close", "connection": message.connection, "reason": reason})
            return
        link.send({"kind": "resumed", "connection": message.connection})
        self._carry_out(resumed)

    def _carry_out(self, outputs: list[Output]) -> None:
        number = 0
        while number < len(outputs):
            output = outputs[number]
            number += 1
            if isinstance(output, Deliver):
                connections = [output.connection]
                while number < len(outputs) and _is_same(outputs[number], output):
                    connections.append(outputs[number].connection)  # type: ignore[union-attr]
                    number += 1
                self._deliver(connections, Raw(output.payload))
            elif isinstance(output, Routed):
                self._routed(output)
            else:
                self._carry_out_other(output)

    def _deliver(self, connections: list[str], payload: Raw) -> None:
        """Send a message to apps: one event for each link."""
        by_link: dict[str, tuple[Link, list[str]]] = {}
        for connection in connections:
            owner = self._connections.get(connection)
            if owner is not None:
                by_link.setdefault(owner[0].id, (owner[0], []))[1].append(owner[1])
        for link, receivers in by_link.values():
            if len(receivers) > 1 and link.id in self._takes_lists:
                link.send({"kind": "message", "connections": receivers, "payload": payload})
            else:
                for receiver in receivers:
                    link.send({"kind": "message", "connection": receiver, "payload": payload})

    def _carry_out_other(self, output: Output) -> None:
        if isinstance(output, Close):
            owner = self._forget_connection(output.connection)
            self._carry_out(self._agent.disconnect(output.connection, self._now()))
            if owner is not None:
                owner[0].send({"kind": "close", "connection": owner[1], "reason": output.reason})
        elif isinstance(output, Refusal):
            _log.debug("%s of %s refused: %s", output.type, self._name, output.text[:_SHOWN_TEXT])
        elif isinstance(output, OpenApp):
            self._ask(output, output.source, OpenFailed(request=output.request))
        elif isinstance(output, Choose):
            self._ask(output, output.source, ChoiceUnavailable(request=output.request))
        elif isinstance(output, ChannelChanged):
            self._tell_platforms(
                {"kind": "channelChanged", "instanceId": output.instance_id, "channelId": output.channel_id}
            )
        elif isinstance(output, ChoiceEnded):
            self._tell_platforms({"kind": "choiceEnded", "request": output.request})
        elif isinstance(output, ContextBroadcast):
            self.broadcast.emit(output)
        elif isinstance(output, IntentListenersChanged):
            self.listeners_changed.emit(output)

    def _routed(self, route: Routed) -> None:
        owner = self._connections.get(route.connection)
        if owner is None:
            return
        link, sender = owner
        receivers = [self._connections[one][1] for one in route.receivers if self._connections[one][0] is link]
        known = {"connection": sender, "channelId": route.channel_id, "contextType": route.context_type}
        self._lease.routed(link, {**known, "source": route.source, "receivers": receivers})

    def _tell_platforms(self, event: dict[str, Any]) -> None:
        for link in [one for one in self._links.values() if one.is_platform]:
            link.send(event)

    def _ask(self, question: OpenApp | Choose, source: str, otherwise: OpenFailed | ChoiceUnavailable) -> None:
        """Send a request to the platform that shows the source, or to the newest one if the source is a program."""
        link = self._platform_of(source)
        if link is None:
            _log.info("no platform of %s is connected that could open an app or show the resolver", self._name)
            self._carry_out(self._agent.answer(otherwise, self._now()))
        elif isinstance(question, OpenApp):
            event = {"kind": "open", "request": question.request, "appId": question.app_id}
            link.send({**event, "instanceId": question.instance_id, "source": question.source})
        else:
            event = {"kind": "choose", "request": question.request, "source": question.source}
            link.send({**event, "appIntents": question.app_intents, "context": question.context})

    def _platform_of(self, instance_id: str) -> Link | None:
        connection = self._agent.connection_of(instance_id)
        owner = self._connections.get(connection or "")
        if owner is not None and owner[0].is_platform:
            return owner[0]
        return next((one for one in reversed(self._links.values()) if one.is_platform), None)


def _is_same(output: Output, first: Deliver) -> bool:
    """Return whether an output is the same message for another app."""
    return isinstance(output, Deliver) and output.payload is first.payload


def _is_broadcast(message: FromPlatform) -> bool:
    return isinstance(message, AppMessage) and DesktopAgent.is_broadcast(message.message.encode())


def _id(link: Link, connection: str) -> str:
    return f"{link.id}/{connection}"
