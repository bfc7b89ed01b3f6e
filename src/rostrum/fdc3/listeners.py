"""Adding and removing listeners, and selection of the instances that receive a context."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from rostrum.fdc3.host import IntentListenersChanged
from rostrum.fdc3.messages import AddEventListener, Refused, Request, Unsubscribe
from rostrum.fdc3.state import Channel, Instance, Listener, State

_EVENTS = {
    "addContextListener": "privateChannelOnAddContextListenerEvent",
    "unsubscribe": "privateChannelOnUnsubscribeEvent",
    "disconnect": "privateChannelOnDisconnectEvent",
}


def add_listener(state: State, instance: Instance, listener: Listener, error: str) -> str:
    """Add a listener; return its id."""
    limits = state.limits
    if len(instance.listeners) >= limits.instance_listeners or state.listener_count >= limits.listeners:
        raise Refused(error, f"The limit of {len(instance.listeners)} listeners is reached; remove unused listeners")
    _refuse_many_events(state, instance, listener, error)
    uuid = state.new_id()
    instance.listeners[uuid] = listener
    state.listener_count += 1
    state.routing += 1
    if listener.channel is not None:
        instance.on_channels.setdefault(listener.channel, {})[uuid] = None
    if listener.kind == "private":
        _add_observer(state, instance, listener)
    elif listener.kind == "intent" and listener.type is not None:
        instance.intents[listener.type] = count = instance.intents.get(listener.type, 0) + 1
        if count == 1:
            _report_intents(state, instance, added=(listener.type,))
    return uuid


def remove_listener(state: State, instance: Instance, uuid: str) -> None:
    """Remove a listener, and notify the other instances if it was on a private channel."""
    removed = _remove(state, instance, uuid)
    if removed is not None:
        _report_intents(state, instance, removed=(removed,))


def remove_all_listeners(state: State, instance: Instance) -> None:
    """Remove the listeners of an instance; changes of its intents are reported together."""
    removed = [_remove(state, instance, uuid) for uuid in list(instance.listeners)]
    intents = tuple(intent for intent in removed if intent is not None)
    if intents:
        _report_intents(state, instance, removed=intents)


def _remove(state: State, instance: Instance, uuid: str) -> str | None:
    """Remove a listener; return the intent that the instance no longer handles."""
    listener = instance.listeners.pop(uuid)
    state.listener_count -= 1
    state.routing += 1
    if listener.channel is not None:
        _leave_channel(state, instance, listener, listener.channel, uuid)
    if listener.kind != "intent" or listener.type is None:
        return None
    instance.intents[listener.type] -= 1
    if instance.intents[listener.type]:
        return None
    del instance.intents[listener.type]
    return listener.type


def _leave_channel(state: State, instance: Instance, listener: Listener, channel_id: str, uuid: str) -> None:
    others = instance.on_channels[channel_id]
    del others[uuid]
    if not others:
        del instance.on_channels[channel_id]
    channel = state.channels.get(channel_id)
    if channel is None or channel.kind != "private":
        return
    if listener.kind == "private":
        _remove_observer(channel, instance, listener)
    else:
        notify_private(state, channel, "unsubscribe", instance, listener.type)


def _add_observer(state: State, instance: Instance, listener: Listener) -> None:
    channel = state.channels.get(listener.channel or "")
    if channel is not None:
        types = channel.observers.setdefault(instance.id, {})
        types[listener.type] = types.get(listener.type, 0) + 1


def _remove_observer(channel: Channel, instance: Instance, listener: Listener) -> None:
    types = channel.observers[instance.id]
    types[listener.type] -= 1
    if not types[listener.type]:
        del types[listener.type]
    if not types:
        del channel.observers[instance.id]


def _refuse_many_events(state: State, instance: Instance, listener: Listener, error: str) -> None:
    """Refuse a listener with which the end of an instance would cause very many events on private channels."""
    channel = state.channels.get(listener.channel or "")
    if channel is None or channel.kind != "private":
        return
    if listener.kind == "context":
        caused = _events_at_end(state, instance) + len(channel.observers)
    elif instance.id not in channel.observers:
        members = (state.instances.get(one) for one in channel.members)
        caused = max(
            (
                _events_at_end(state, one) + len(one.on_channels.get(channel.id, ()))
                for one in members
                if one is not None and one is not instance
            ),
            default=0,
        )
    else:
        return
    if caused > state.limits.private_events:
        raise Refused(error, "Too many instances listen on the private channel")


def _events_at_end(state: State, instance: Instance) -> int:
    found = ((state.channels.get(id_), uuids) for id_, uuids in instance.on_channels.items())
    return sum(len(uuids) * len(channel.observers) for channel, uuids in found if channel is not None)


def hearing(state: State, channel: Channel, context_type: str, sender: str) -> Iterator[Instance]:
    """Return the instances with a listener for a context on a channel, except its sender."""
    for instance in state.connected():
        if instance.id == sender:
            continue
        is_current = instance.channel == channel.id
        for listener in instance.listeners.values():
            if (
                listener.kind == "context"
                and (listener.channel == channel.id or (listener.follows and is_current))
                and listener.type in (None, context_type)
            ):
                yield instance
                break


def notify_private(
    state: State,
    channel: Channel,
    event: Literal["addContextListener", "unsubscribe", "disconnect"],
    by: Instance,
    context_type: str | None = None,
) -> None:
    """Send an event of a private channel to the other instances that listen for it."""
    receivers = (
        state.instances[id_]
        for id_, types in channel.observers.items()
        if id_ != by.id and (event in types or None in types)
    )
    payload = {"privateChannelId": channel.id}
    state.event(
        receivers, _EVENTS[event], payload if event == "disconnect" else {**payload, "contextType": context_type}
    )


def add_event_listener(state: State, instance: Instance, request: Request, payload: AddEventListener) -> None:
    """Listen for events of the agent."""
    uuid = add_listener(state, instance, Listener("event", type=payload.type), "CreationFailed")
    state.respond(request, {"listenerUUID": uuid})


def _report_intents(
    state: State, instance: Instance, added: tuple[str, ...] = (), removed: tuple[str, ...] = ()
) -> None:
    state.out.append(
        IntentListenersChanged(instance_id=instance.id, app_id=instance.app_id, added=added, removed=removed)
    )


def _unsubscribe(kind: str) -> Callable[[State, Instance, Request, Unsubscribe], None]:
    def handle(state: State, instance: Instance, request: Request, payload: Unsubscribe) -> None:
        listener = instance.listeners.get(payload.listener)
        if listener is None or listener.kind != kind:
            raise Refused("MalformedMessage", f"The instance has no {kind} listener with this id")
        remove_listener(state, instance, payload.listener)
        state.respond(request, {})

    return handle


HANDLERS: dict[str, Callable[[State, Instance, Request, Any], None]] = {
    "addEventListener": add_event_listener,
    "eventListenerUnsubscribe": _unsubscribe("event"),
    "contextListenerUnsubscribe": _unsubscribe("context"),
    "intentListenerUnsubscribe": _unsubscribe("intent"),
    "privateChannelUnsubscribeEventListener": _unsubscribe("private"),
}
