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
    uuid = state.new_id()
    instance.listeners[uuid] = listener
    state.listener_count += 1
    state.routing += 1
    if listener.kind == "intent":
        _report_intents(state, instance)
    return uuid


def remove_listener(state: State, instance: Instance, uuid: str) -> None:
    """Remove a listener, and notify the other instances if it was on a private channel."""
    listener = instance.listeners.pop(uuid)
    state.listener_count -= 1
    state.routing += 1
    if listener.kind == "context" and listener.channel is not None:
        channel = state.channels.get(listener.channel)
        if channel is not None and channel.kind == "private":
            notify_private(state, channel, "unsubscribe", instance, listener.type)
    elif listener.kind == "intent":
        _report_intents(state, instance)


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
        instance
        for instance in state.connected()
        if instance is not by
        and any(
            one.kind == "private" and one.channel == channel.id and one.type in (None, event)
            for one in instance.listeners.values()
        )
    )
    payload = {"privateChannelId": channel.id}
    state.event(
        receivers, _EVENTS[event], payload if event == "disconnect" else {**payload, "contextType": context_type}
    )


def add_event_listener(state: State, instance: Instance, request: Request, payload: AddEventListener) -> None:
    """Listen for events of the agent."""
    uuid = add_listener(state, instance, Listener("event", type=payload.type), "CreationFailed")
    state.respond(request, {"listenerUUID": uuid})


def _report_intents(state: State, instance: Instance) -> None:
    intents = {one.type: None for one in instance.listeners.values() if one.kind == "intent" and one.type is not None}
    state.out.append(IntentListenersChanged(instance_id=instance.id, app_id=instance.app_id, intents=tuple(intents)))


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
