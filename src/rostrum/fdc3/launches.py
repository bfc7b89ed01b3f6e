"""Requests that wait for an app: contexts for opened apps, and intents that are not delivered yet."""

from rostrum.fdc3.host import ChoiceEnded, OpenApp, Opened, OpenFailed
from rostrum.fdc3.messages import ERRORS_OF_OPEN, Context, Refused, Request
from rostrum.fdc3.state import Instance, Pending, Result, State

TIMEOUTS = {"open": "AppTimeout", "intent": "IntentDeliveryFailed", "choice": "ResolverTimeout"}
"""The error for a request whose time limit has passed."""


def wait(state: State, pending: Pending) -> None:
    """Queue a request until its deadline."""
    limits = state.limits
    carried = sum(_size(one.context) for one in state.pending.values()) + _size(pending.context)
    if len(state.pending) >= limits.pending or carried > limits.pending_bytes:
        # This error, or its timeout, is valid for every kind of waiting request.
        error = "ErrorOnLaunch" if pending.kind == "open" else "IntentDeliveryFailed"
        raise Refused(error, f"{len(state.pending)} requests wait for an answer; try again when they are answered")
    state.pending[pending.id] = pending


def open_app(state: State, pending: Pending) -> None:
    """Request the platform to open the app that a request needs."""
    wait(state, pending)
    state.out.append(
        OpenApp(request=pending.id, app_id=pending.app_id, instance_id=state.new_id(), source=pending.request.instance)
    )


def launched(state: State, answer: Opened) -> None:
    """Continue a request whose app was opened."""
    pending = state.pending.get(answer.request)
    if pending is None or pending.kind == "choice" or pending.target is not None:
        return
    pending.target = answer.instance_id
    instance = state.instances.get(answer.instance_id)
    if instance is not None:
        _continue(state, pending, instance)


def launch_failed(state: State, answer: OpenFailed) -> None:
    """End a request whose app could not be opened."""
    pending = state.pending.get(answer.request)
    if pending is None or pending.kind == "choice":
        return
    fail(state, pending, answer.error if answer.error in ERRORS_OF_OPEN else "ErrorOnLaunch")


def fail(state: State, pending: Pending, error: str) -> None:
    """End a waiting request with an error; intents have the same error for all causes."""
    del state.pending[pending.id]
    state.fail(pending.request, "IntentDeliveryFailed" if pending.kind == "intent" else error)


def instance_connected(state: State, instance: Instance) -> None:
    """Continue the requests that waited for an instance."""
    _continue_all(state, instance)


def context_listener_added(state: State, instance: Instance) -> None:
    """Continue requests that wait until an instance listens for their context."""
    _continue_all(state, instance)


def intent_listener_added(state: State, instance: Instance) -> None:
    """Continue intents that wait until an instance handles them."""
    _continue_all(state, instance)


def instance_gone(state: State, instance: Instance) -> None:
    """End the requests that wait for an instance, and the wait for its results."""
    for pending in [one for one in state.pending.values() if one.target == instance.id]:
        fail(state, pending, "ErrorOnLaunch")
    for pending in [
        one for one in state.pending.values() if one.kind == "choice" and one.request.instance == instance.id
    ]:
        # An app that is being opened still receives its context; a choice is no longer needed.
        del state.pending[pending.id]
        state.out.append(ChoiceEnded(request=pending.id))
    for uuid, result in list(state.results.items()):
        if result.handler == instance.id:
            del state.results[uuid]
            state.respond(result.request, {"error": "NoResultReturned"}, "raiseIntentResultResponse")
        elif result.request.instance == instance.id:
            del state.results[uuid]


def deliver_intent(state: State, request: Request, intent: str, context: Context, handler: Instance) -> None:
    """Send an intent to its handler, and respond to the request with this instance."""
    if len(state.results) >= state.limits.results:
        raise Refused("IntentDeliveryFailed", f"{len(state.results)} intents wait for their result")
    payload = {
        "intent": intent,
        "context": context.text,
        "originatingApp": request.source,
        "raiseIntentRequestUuid": request.uuid,
    }
    uuid = state.event((handler,), "intentEvent", payload)
    state.results[uuid] = Result(request, handler.id)
    state.respond(request, {"intentResolution": {"source": handler.identifier, "intent": intent}})


def _continue_all(state: State, instance: Instance) -> None:
    for pending in [one for one in state.pending.values() if one.target == instance.id]:
        _continue(state, pending, instance)


def _continue(state: State, pending: Pending, instance: Instance) -> None:
    context = pending.context
    if instance.app_id != pending.app_id:
        fail(state, pending, "ErrorOnLaunch")
    elif pending.kind == "intent" and context is not None:
        if instance.handles(pending.intent):
            del state.pending[pending.id]
            try:
                deliver_intent(state, pending.request, pending.intent, context, instance)
            except Refused as refused:
                state.fail(pending.request, refused.error)
    elif context is None or _listens_for(instance, context.type):
        del state.pending[pending.id]
        if context is not None:
            _hand_over(state, pending, context, instance)
        state.respond(pending.request, {"appIdentifier": instance.identifier})


def _listens_for(instance: Instance, context_type: str) -> bool:
    return any(
        one.kind == "context" and one.follows and one.type in (None, context_type)
        for one in instance.listeners.values()
    )


def _hand_over(state: State, pending: Pending, context: Context, instance: Instance) -> None:
    # The context has no channel: it is only for the listeners of the opened instance.
    payload = {"channelId": None, "context": context.text, "originatingApp": pending.request.source}
    state.event((instance,), "broadcastEvent", payload)


def _size(context: Context | None) -> int:
    return 0 if context is None else memoryview(context.text).nbytes
