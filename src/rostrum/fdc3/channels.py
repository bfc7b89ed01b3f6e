"""User, app and private channels: access, contexts and broadcasts."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from rostrum.fdc3 import messages
from rostrum.fdc3.host import ChannelChanged, ContextBroadcast, Routed
from rostrum.fdc3.launches import context_listener_added
from rostrum.fdc3.listeners import add_listener, hearing, notify_private, remove_listener
from rostrum.fdc3.messages import Context, Refused, Request
from rostrum.fdc3.state import Channel, Instance, Listener, State
from rostrum.fdc3.user_channels import UserChannel


def replace_user_channels(state: State, channels: Iterable[UserChannel]) -> None:
    """Set the user channels; instances leave removed channels."""
    wanted = {one.id: one for one in channels}
    for gone in [one.id for one in state.channels.values() if one.kind == "user" and one.id not in wanted]:
        for instance in state.connected():
            if instance.channel == gone:
                put_on_channel(state, instance, None)
        _remove(state, gone)
    for one in wanted.values():
        display = {"name": one.name, "color": one.color}
        if one.glyph is not None:
            display["glyph"] = one.glyph
        known = state.channels.get(one.id)
        if known is not None and known.kind == "user":
            known.display = display
            continue
        if known is not None:
            # An app has created a channel with this name: the settings have precedence, and its listeners stay on the
            # channel.
            _remove(state, one.id)
        state.channels[one.id] = Channel(one.id, "user", display)


def put_on_channel(state: State, instance: Instance, channel_id: str | None) -> None:
    """Assign an instance to a user channel, or to none, and notify it."""
    instance.channel = channel_id
    state.routing += 1
    state.event((instance,), "channelChangedEvent", {"newChannelId": channel_id})
    state.out.append(ChannelChanged(instance_id=instance.id, channel_id=channel_id))


def leave_private(state: State, instance: Instance, channel: Channel) -> None:
    """Remove an instance from a private channel; without instances, the channel is removed."""
    for uuid in list(instance.on_channels.get(channel.id, ())):
        remove_listener(state, instance, uuid)
    channel.members.discard(instance.id)
    notify_private(state, channel, "disconnect", instance)
    if not channel.members:
        _remove(state, channel.id)


def publish(state: State, channel_id: str, text: bytes, source: dict[str, str] | None) -> None:
    """Send a context from outside FDC3 to a user channel."""
    channel = state.channels.get(channel_id)
    if channel is None or channel.kind != "user":
        raise Refused("NoChannelFound", "There is no user channel with this id")
    if len(text) > state.limits.message_bytes:
        raise Refused("MalformedContext", f"The context has more than {state.limits.message_bytes} bytes")
    _send_context(state, channel, messages.read_context(msgspec.Raw(text), state.limits.name_length), source)


def _send_context(state: State, channel: Channel, context: Context, source: dict[str, str] | None) -> None:
    """Store a context, and send it to the listeners of its channel except its source."""
    _store(state, channel, context)
    event: dict[str, Any] = {"channelId": channel.id, "context": context.text}
    if source is not None:
        event["originatingApp"] = source
    sender = "" if source is None else source.get("instanceId", "")
    receivers = hearing(state, channel, context.type, sender)
    if state.delivered:
        receivers = (one for one in receivers if one.connection not in state.delivered)
    state.event(receivers, "broadcastEvent", event)


def get_user_channels(state: State, _instance: Instance, request: Request, _payload: messages.Nothing) -> None:
    """List the user channels."""
    channels = [channel.describe() for channel in state.channels.values() if channel.kind == "user"]
    state.respond(request, {"userChannels": channels})


def get_current_channel(state: State, instance: Instance, request: Request, _payload: messages.Nothing) -> None:
    """Return the user channel of an instance."""
    channel = state.channels.get(instance.channel) if instance.channel is not None else None
    state.respond(request, {"channel": None if channel is None else channel.describe()})


def join_user_channel(state: State, instance: Instance, request: Request, payload: messages.OneChannel) -> None:
    """Assign the instance to a user channel."""
    channel = state.channels.get(payload.channel_id)
    if channel is None or channel.kind != "user":
        raise Refused("NoChannelFound", "There is no user channel with this id")
    put_on_channel(state, instance, channel.id)
    state.respond(request, {})


def leave_current_channel(state: State, instance: Instance, request: Request, _payload: messages.Nothing) -> None:
    """Remove the instance from its user channel."""
    if instance.channel is not None:
        put_on_channel(state, instance, None)
    state.respond(request, {})


def get_or_create_channel(state: State, instance: Instance, request: Request, payload: messages.OneChannel) -> None:
    """Return an app channel; create it if necessary."""
    id_ = payload.channel_id
    channel = state.channels.get(id_)
    if channel is None:
        if not id_ or len(id_) > state.limits.name_length:
            raise Refused("CreationFailed", f"The id of a channel must have 1 to {state.limits.name_length} characters")
        _make_room(state)
        channel = state.channels[id_] = Channel(id_, "app")
    if channel.kind != "app":
        raise Refused("AccessDenied", f"The id belongs to a {channel.kind} channel")
    channel.members.add(instance.id)
    state.respond(request, {"channel": channel.describe()})


def create_private_channel(state: State, instance: Instance, request: Request, _payload: messages.Nothing) -> None:
    """Create a private channel that only its creator may use at first."""
    if sum(channel.kind == "private" for channel in state.channels.values()) >= state.limits.private_channels:
        raise Refused("CreationFailed", "The limit of private channels is reached; disconnect from unused ones")
    channel = Channel(state.new_id(), "private")
    channel.members.add(instance.id)
    state.channels[channel.id] = channel
    state.respond(request, {"privateChannel": channel.describe()})


def add_context_listener(
    state: State, instance: Instance, request: Request, payload: messages.AddContextListener
) -> None:
    """Listen on a channel, or on the current user channel of the instance."""
    type_ = payload.context_type
    if type_ is not None and len(type_) > state.limits.name_length:
        raise Refused("CreationFailed", f"The type of a context has at most {state.limits.name_length} characters")
    channel = None if payload.channel_id is None else _usable(state, instance, payload.channel_id)
    # Clients of version 2.2.0 send their current user channel where later ones send none, and expect that the listener
    # follows the instance to other channels. Clients ignore events of other channels.
    follows = channel is None or (channel.kind == "user" and channel.id == instance.channel)
    listener = Listener("context", None if channel is None else channel.id, type_, follows)
    uuid = add_listener(state, instance, listener, "CreationFailed")
    if channel is not None and channel.kind == "app":
        channel.members.add(instance.id)
    state.respond(request, {"listenerUUID": uuid})
    if channel is not None and channel.kind == "private":
        notify_private(state, channel, "addContextListener", instance, type_)
    if follows:
        context_listener_added(state, instance)


def broadcast(state: State, instance: Instance, request: Request, payload: messages.Broadcast) -> None:
    """Send a context to the listeners of a channel, and store it as the newest of its type."""
    channel = _usable(state, instance, payload.channel_id)
    context = messages.read_context(payload.context, state.limits.name_length)
    _send_context(state, channel, context, instance.identifier)
    state.respond(request, {})
    if state.wants_route and channel.kind != "private":
        state.out.append(_route(state, instance, channel, context.type))
    if channel.kind == "user":
        state.out.append(ContextBroadcast(channel_id=channel.id, source=instance.id, context=context.text))


def get_current_context(state: State, instance: Instance, request: Request, payload: messages.CurrentContext) -> None:
    """Return the newest context of a channel, of one type or of all types."""
    contexts = _usable(state, instance, payload.channel_id).contexts
    if payload.context_type is not None:
        context = contexts.get(payload.context_type)
    else:
        context = contexts[next(reversed(contexts))] if contexts else None
    state.respond(request, {"context": context})


def add_private_listener(
    state: State, instance: Instance, request: Request, payload: messages.PrivateChannelAddEventListener
) -> None:
    """Listen for events of a private channel."""
    channel = _usable(state, instance, payload.private_channel_id)
    if channel.kind != "private":
        raise Refused("NoChannelFound", "There is no private channel with this id")
    listener = Listener("private", channel.id, payload.listener_type)
    state.respond(request, {"listenerUUID": add_listener(state, instance, listener, "CreationFailed")})


def disconnect_private_channel(
    state: State, instance: Instance, request: Request, payload: messages.OneChannel
) -> None:
    """Leave a private channel."""
    channel = _usable(state, instance, payload.channel_id)
    if channel.kind != "private":
        raise Refused("NoChannelFound", "There is no private channel with this id")
    leave_private(state, instance, channel)
    state.respond(request, {})


def _route(state: State, sender: Instance, channel: Channel, context_type: str) -> Routed:
    receivers = (one.connection for one in hearing(state, channel, context_type, sender.id))
    return Routed(
        connection=sender.connection or "",
        channel_id=channel.id,
        context_type=context_type,
        source=sender.identifier,
        receivers=tuple(one for one in receivers if one is not None),
    )


def _usable(state: State, instance: Instance, channel_id: str) -> Channel:
    channel = state.channels.get(channel_id)
    if channel is None:
        raise Refused("NoChannelFound", "There is no channel with this id")
    if channel.kind == "private" and instance.id not in channel.members:
        raise Refused("AccessDenied", "The private channel was not given to this instance")
    return channel


def _store(state: State, channel: Channel, context: Context) -> None:
    key = (channel.id, context.type)
    _forget(state, key)
    size = memoryview(context.text).nbytes
    channel.contexts[context.type] = context.text
    state.stored[key] = size
    state.context_bytes += size
    while len(state.stored) > state.limits.contexts or state.context_bytes > state.limits.context_bytes:
        _forget(state, next(iter(state.stored)))


def _forget(state: State, key: tuple[str, str]) -> None:
    size = state.stored.pop(key, None)
    if size is not None:
        state.context_bytes -= size
        state.channels[key[0]].contexts.pop(key[1], None)


def _remove(state: State, channel_id: str) -> None:
    for type_ in list(state.channels[channel_id].contexts):
        _forget(state, (channel_id, type_))
    del state.channels[channel_id]
    state.routing += 1


def _make_room(state: State) -> None:
    apps = [channel for channel in state.channels.values() if channel.kind == "app"]
    if len(apps) < state.limits.app_channels:
        return
    unused = next((channel for channel in apps if not channel.members), None)
    if unused is None:
        raise Refused("CreationFailed", "The limit of app channels is reached, and all are used by running apps")
    _remove(state, unused.id)


HANDLERS: dict[str, Callable[[State, Instance, Request, Any], None]] = {
    "getUserChannels": get_user_channels,
    "getCurrentChannel": get_current_channel,
    "joinUserChannel": join_user_channel,
    "leaveCurrentChannel": leave_current_channel,
    "getOrCreateChannel": get_or_create_channel,
    "createPrivateChannel": create_private_channel,
    "addContextListener": add_context_listener,
    "broadcast": broadcast,
    "getCurrentContext": get_current_context,
    "privateChannelAddEventListener": add_private_listener,
    "privateChannelDisconnect": disconnect_private_channel,
}
