"""Identity of connections: validation, reconnection, disconnection and heartbeats."""

import hmac
from collections import deque
from collections.abc import Callable
from typing import Any

from rostrum.fdc3 import messages
from rostrum.fdc3.apps import implementation
from rostrum.fdc3.channels import leave_private
from rostrum.fdc3.directory import App, origin_of
from rostrum.fdc3.host import ChannelChanged, Close, Deliver, Refusal
from rostrum.fdc3.launches import instance_connected, instance_gone
from rostrum.fdc3.listeners import remove_all_listeners
from rostrum.fdc3.messages import Envelope, HeartbeatAcknowledgement, Refused, Request, Validate
from rostrum.fdc3.state import Connection, Departed, Instance, State

_EFFORT_OF_END = 10
"""The effort of ending an instance, in removed listeners."""
_MOST_EFFORT = 300
"""The effort above which further instances end at the next call, so that other users do not wait."""


def validate(state: State, connection: Connection, envelope: Envelope) -> None:
    """Respond to WCP4: accept the app of a connection as a new instance, or as its earlier instance."""
    attempt = messages.attempt_uuid(envelope)
    meta = {"connectionAttemptUuid": attempt, "timestamp": messages.timestamp(state.now)}
    try:
        said = messages.decode(Validate, envelope.payload)
        app = _app(state, connection, said)
        instance = _instance(state, connection, app, said)
    except (Refused, messages.Malformed) as error:
        payload = {"message": str(error)}
        state.out.append(
            Refusal(connection=connection.id, type="WCP4ValidateAppIdentity", error="AccessDenied", text=str(error))
        )
        answer = {"type": "WCP5ValidateAppIdentityFailedResponse", "payload": payload, "meta": meta}
        state.out.append(Deliver(connection=connection.id, payload=messages.encode(answer)))
        return
    _bind(state, connection, instance)
    content = {
        "appId": app.id,
        "instanceId": instance.id,
        "instanceUuid": instance.secret,
        "implementationMetadata": implementation(state, instance),
    }
    answer = {"type": "WCP5ValidateAppIdentityResponse", "payload": content, "meta": meta}
    state.send(instance, messages.encode(answer))
    if instance.channel is not None:
        # A reloaded page stays on its channel; the platform may not have stored it.
        state.out.append(ChannelChanged(instance_id=instance.id, channel_id=instance.channel))
    instance_connected(state, instance)


def end(state: State, instance: Instance, *, may_return: bool = True) -> None:
    """Remove an instance and its data; its window may reconnect with the same identity for a while."""
    for channel in [one for one in state.channels.values() if instance.id in one.members]:
        if channel.kind == "private":
            leave_private(state, instance, channel)
        else:
            channel.members.discard(instance.id)
    remove_all_listeners(state, instance)
    del state.instances[instance.id]
    state.routing += 1
    instance_gone(state, instance)
    connection = state.connections.get(instance.connection or "")
    if connection is not None:
        connection.instance = None
    instance.connection = None
    if may_return:
        until = state.now + state.timeouts.reconnection
        state.departed[instance.id] = Departed(
            instance.app_id, instance.secret, instance.place, instance.channel, until
        )
        if len(state.departed) > state.limits.departed:
            del state.departed[next(iter(state.departed))]
    if not state.instances:
        state.next_heartbeat = None


def suspend(state: State, instance: Instance) -> None:
    """Store the messages for an instance whose transport is interrupted, until it reconnects or expires."""
    connection = state.connections.get(instance.connection or "")
    if connection is not None:
        connection.instance = None
    instance.connection = None
    state.routing += 1
    instance.queue = deque()
    instance.queued = 0
    instance.until = state.now + state.timeouts.reconnection


def resume(state: State, connection: Connection, instance_id: str, secret: str) -> bool:
    """Connect a suspended instance to a new connection; return whether it existed."""
    instance = state.instances.get(instance_id)
    if instance is None or instance.queue is None or connection.instance is not None:
        return False
    if instance.place != connection.place or not hmac.compare_digest(instance.secret.encode(), secret.encode()):
        return False
    queue = instance.queue
    _bind(state, connection, instance)
    for payload in queue:
        state.send(instance, payload)
    return True


def acknowledge(state: State, instance: Instance, _request: Request, _payload: HeartbeatAcknowledgement) -> None:
    """Record that an instance responds to heartbeats; there is no response."""
    instance.acknowledged = state.now


def beat(state: State) -> None:
    """Send pending heartbeats, and end the instances that do not respond."""
    if state.next_heartbeat is None or state.now < state.next_heartbeat:
        return
    state.next_heartbeat = state.now + state.timeouts.heartbeat
    for instance in list(state.connected()):
        if instance.connection is not None and state.now - instance.acknowledged >= state.timeouts.heartbeat_answer:
            state.out.append(Close(connection=instance.connection, reason="The app does not answer heartbeats"))
            end(state, instance)
    state.event((one for one in state.connected() if one.connection is not None), "heartbeatEvent", {})


def give_up(state: State) -> None:
    """Remove interrupted instances and unused identities that have expired; the others follow at the next call."""
    effort = 0
    for instance in [one for one in state.connected() if one.until is not None and one.until <= state.now]:
        effort += _EFFORT_OF_END + len(instance.listeners)
        end(state, instance, may_return=False)
        if effort > _MOST_EFFORT:
            break
    for id_ in [id_ for id_, one in state.departed.items() if one.until <= state.now]:
        del state.departed[id_]


def _app(state: State, connection: Connection, said: Validate) -> App:
    origin = connection.origin
    if origin is not None and (origin_of(said.identity_url) != origin or origin_of(said.actual_url) != origin):
        raise Refused("AccessDenied", "identityUrl and actualUrl must have the origin of the page that connects")
    if connection.app_id is not None:
        app = state.directory.get(connection.app_id)
        # Programs have no page. A page of another app in this app's window is not this app.
        if app is not None and (origin is None or state.directory.of_page(said.identity_url) == app):
            return app
    elif origin is not None:
        app = state.directory.of_page(said.identity_url)
        if app is not None:
            return app
    raise Refused(
        "AccessDenied", "The page belongs to no app that the user may use here; compare the address in its record"
    )


def _instance(state: State, connection: Connection, app: App, said: Validate) -> Instance:
    id_ = _earlier(state, connection, app, said) or connection.instance_id or state.new_id()
    running = state.instances.get(id_)
    if running is not None and (running.place != connection.place or running.app_id != app.id):
        raise Refused("AccessDenied", "The instance runs elsewhere")
    if connection.instance is not None and connection.instance is not running:
        raise Refused("AccessDenied", "The connection belongs to another instance")
    if running is not None:
        # The page was reloaded and no longer has its earlier listeners.
        remove_all_listeners(state, running)
        return running
    if len(state.instances) >= state.limits.instances:
        raise Refused("AccessDenied", f"The limit of {state.limits.instances} running apps is reached")
    before = state.departed.pop(id_, None)
    if before is None or before.place != connection.place or before.app_id != app.id:
        return Instance(id_, app.id, state.new_id(), connection.place, state.now)
    instance = Instance(id_, app.id, before.secret, before.place, state.now)
    channel = state.channels.get(before.channel or "")
    instance.channel = channel.id if channel is not None and channel.kind == "user" else None
    return instance


def _earlier(state: State, connection: Connection, app: App, said: Validate) -> str | None:
    """Return the earlier id of the app, if it proves its identity with the secret of its window.

    A window that the browser duplicated has the secret of the original window, but another place.
    """
    if said.instance_id is None or said.instance_uuid is None:
        return None
    known = state.instances.get(said.instance_id) or state.departed.get(said.instance_id)
    if known is None or known.app_id != app.id or known.place != connection.place:
        return None
    return said.instance_id if hmac.compare_digest(known.secret.encode(), said.instance_uuid.encode()) else None


def _bind(state: State, connection: Connection, instance: Instance) -> None:
    earlier = state.connections.get(instance.connection or "")
    if earlier is not None:
        earlier.instance = None
    connection.instance = instance
    instance.connection = connection.id
    state.routing += 1
    instance.acknowledged = state.now
    instance.queue, instance.queued, instance.until = None, 0, None
    state.instances[instance.id] = instance
    if state.next_heartbeat is None and state.timeouts.heartbeat > 0:
        state.next_heartbeat = state.now + state.timeouts.heartbeat


HANDLERS: dict[str, Callable[[State, Instance, Request, Any], None]] = {"heartbeatAcknowledgement": acknowledge}
