"""Intents: finding handlers, raising intents, and their results."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from rostrum.fdc3 import messages
from rostrum.fdc3.apps import known_app
from rostrum.fdc3.host import Choose, Chosen
from rostrum.fdc3.launches import deliver_intent, fail, intent_listener_added, open_app, wait
from rostrum.fdc3.listeners import add_listener
from rostrum.fdc3.messages import AppId, Context, Malformed, Refused, Request
from rostrum.fdc3.state import Channel, Instance, Listener, Pending, State

_Option = tuple[str, str | None]
"""An app and one of its instances, or ``None`` for a new one."""


def add_intent_listener(
    state: State, instance: Instance, request: Request, payload: messages.AddIntentListener
) -> None:
    """Register a handler for an intent."""
    if not payload.intent or len(payload.intent) > state.limits.name_length:
        raise Refused("IntentDeliveryFailed", f"An intent must have 1 to {state.limits.name_length} characters")
    uuid = add_listener(state, instance, Listener("intent", type=payload.intent), "IntentDeliveryFailed")
    state.respond(request, {"listenerUUID": uuid})
    intent_listener_added(state, instance)


def find_intent(state: State, _instance: Instance, request: Request, payload: messages.FindIntent) -> None:
    """List the apps and running instances that handle an intent."""
    context = messages.read_optional_context(payload.context, state.limits.name_length)
    context_type = None if context is None else context.type
    options = _options(state, payload.intent, context_type, payload.result_type)
    if not options:
        raise Refused("NoAppsFound", "No app handles the intent with this context and result")
    state.respond(request, {"appIntent": _app_intent(state, payload.intent, options)})


def find_by_context(
    state: State, _instance: Instance, request: Request, payload: messages.FindIntentsByContext
) -> None:
    """List the intents that accept a context, and the apps that handle them."""
    context = messages.read_context(payload.context, state.limits.name_length)
    found = _options_by_intent(state, context.type, payload.result_type)
    if not found:
        raise Refused("NoAppsFound", "No app handles an intent with this type of context")
    state.respond(request, {"appIntents": [_app_intent(state, intent, options) for intent, options in found.items()]})


def raise_intent(state: State, _instance: Instance, request: Request, payload: messages.RaiseIntent) -> None:
    """Send an intent to an app: the named one, the only one, or the one that the user chooses."""
    context = messages.read_context(payload.context, state.limits.name_length)
    options = _options(state, payload.intent, context.type, None)
    _resolve(state, request, context, {payload.intent: options}, payload.app)


def raise_for_context(
    state: State, _instance: Instance, request: Request, payload: messages.RaiseIntentForContext
) -> None:
    """Raise an intent that accepts a context; the user chooses if there are several."""
    context = messages.read_context(payload.context, state.limits.name_length)
    _resolve(state, request, context, _options_by_intent(state, context.type, None), payload.app)


def intent_result(state: State, instance: Instance, request: Request, payload: messages.IntentResult) -> None:
    """Forward the result of an intent to the instance that raised it."""
    result = state.results.get(payload.intent_event_uuid)
    if result is None or result.handler != instance.id or result.request.uuid != payload.raise_intent_request_uuid:
        raise Refused("MalformedMessage", "The instance has no intent with this id that waits for a result")
    del state.results[payload.intent_event_uuid]
    try:
        content = _result(state, instance, result.request.instance, payload.intent_result)
    except Refused as refused:
        state.respond(result.request, {"error": "NoResultReturned"}, "raiseIntentResultResponse")
        raise refused from None
    state.respond(result.request, {"intentResult": content}, "raiseIntentResultResponse")
    state.respond(request, {})


def chosen(state: State, answer: Chosen) -> None:
    """Continue an intent for which the user chose an app."""
    pending = state.pending.get(answer.request)
    if pending is None or pending.kind != "choice" or pending.context is None:
        return
    option = (answer.app_id, answer.instance_id)
    if option not in pending.options.get(answer.intent, ()):
        fail(state, pending, "TargetAppUnavailable")
        return
    if answer.instance_id is not None and answer.instance_id not in state.instances:
        fail(state, pending, "TargetInstanceUnavailable")
        return
    del state.pending[pending.id]
    try:
        _send(state, pending.request, answer.intent, pending.context, option)
    except Refused as refused:
        state.fail(pending.request, refused.error)


def _options(state: State, intent: str, context_type: str | None, result_type: str | None) -> list[_Option]:
    """List the handlers of an intent: apps that declare it, and running instances that have a listener for it."""
    declared = [app.id for app in state.directory.handlers(intent, context_type, result_type)]
    running: list[_Option] = []
    for instance in state.connected():
        if not instance.handles(intent):
            continue
        app = state.directory.get(instance.app_id)
        # An app may handle intents that its record does not declare. For declared intents, the declaration counts.
        if instance.app_id in declared or ((app is None or intent not in app.intents) and result_type is None):
            running.append((instance.app_id, instance.id))
    return [*((app_id, None) for app_id in declared), *running]


def _options_by_intent(state: State, context_type: str, result_type: str | None) -> dict[str, list[_Option]]:
    found: dict[str, list[_Option]] = {}
    for intent, app in state.directory.intents_for(context_type, result_type):
        options = found.setdefault(intent, [])
        options.append((app.id, None))
        options.extend((app.id, one.id) for one in state.of_app(app.id) if one.handles(intent))
    return found


def _app_intent(state: State, intent: str, options: Iterable[_Option]) -> dict[str, Any]:
    apps = []
    for app_id, instance_id in options:
        app = state.directory.get(app_id)
        metadata: dict[str, Any] = {"appId": app_id} if app is None else app.metadata
        if app is not None and (handles := app.intents.get(intent)) is not None and handles.result_type is not None:
            metadata = {**metadata, "resultType": handles.result_type}
        apps.append(metadata if instance_id is None else {**metadata, "instanceId": instance_id})
    name = state.directory.display_name(intent) or intent
    return {"intent": {"name": intent, "displayName": name}, "apps": apps}


def _resolve(
    state: State, request: Request, context: Context, found: Mapping[str, list[_Option]], target: AppId | None
) -> None:
    if target is not None:
        _check_target(state, target)
        found = {intent: _for_target(options, target) for intent, options in found.items()}
    found = {intent: _narrowed(options) for intent, options in found.items() if options}
    if not found:
        raise Refused("NoAppsFound", "No app handles the intent with this context")
    intent, options = next(iter(found.items()))
    if len(found) == 1 and len(options) == 1:
        _send(state, request, intent, context, options[0])
    else:
        _ask(state, request, context, found)


def _check_target(state: State, target: AppId) -> None:
    instance = None if target.instance_id is None else state.instances.get(target.instance_id)
    if target.instance_id is not None and target.desktop_agent is None:
        if instance is None or instance.app_id != target.app_id:
            raise Refused("TargetInstanceUnavailable", "The app has no running instance with this id")
        return
    known_app(state, target, "TargetAppUnavailable")


def _for_target(options: list[_Option], target: AppId) -> list[_Option]:
    meant = [one for one in options if one[0] == target.app_id and one[1] in (None, target.instance_id or one[1])]
    # An instance without a listener may add one soon, if its app declares the intent.
    return [(target.app_id, target.instance_id)] if meant and target.instance_id is not None else meant


def _narrowed(options: list[_Option]) -> list[_Option]:
    """Remove the option of a new instance if the only other option is a running instance of the same app."""
    running = [one for one in options if one[1] is not None]
    return running if len(running) == 1 and len({app for app, _ in options}) == 1 else options


def _send(state: State, request: Request, intent: str, context: Context, option: _Option) -> None:
    app_id, instance_id = option
    instance = None if instance_id is None else state.instances.get(instance_id)
    if instance is not None and instance.handles(intent):
        deliver_intent(state, request, intent, context, instance)
        return
    pending = Pending(
        id=state.new_id(),
        kind="intent",
        request=request,
        context=context,
        deadline=state.now + state.timeouts.app_launch,
        app_id=app_id,
        intent=intent,
        target=instance_id,
    )
    if instance is None:
        open_app(state, pending)
    else:
        wait(state, pending)


def _ask(state: State, request: Request, context: Context, found: Mapping[str, list[_Option]]) -> None:
    pending = Pending(
        id=state.new_id(),
        kind="choice",
        request=request,
        context=context,
        deadline=state.now + state.timeouts.choice,
        options={intent: frozenset(options) for intent, options in found.items()},
    )
    wait(state, pending)
    choices = messages.encode([_app_intent(state, intent, options) for intent, options in found.items()])
    state.out.append(
        Choose(request=pending.id, source=request.instance, app_intents=msgspec.Raw(choices), context=context.text)
    )


def _result(state: State, handler: Instance, raiser: str, text: msgspec.Raw) -> dict[str, Any]:
    try:
        parts = messages.decode(messages.ResultParts, text)
        wanted = (
            None if parts.channel is None else messages.decode(messages.ResultChannel, messages.encode(parts.channel))
        )
    except Malformed as error:
        raise Refused("MalformedMessage", f"The result is malformed: {error}") from None
    context = messages.read_optional_context(parts.context, state.limits.name_length)
    if context is not None and wanted is not None:
        raise Refused("MalformedMessage", "The result must be a context or a channel, not both")
    if context is not None:
        return {"context": context.text}
    if wanted is None:
        return {}
    return {"channel": _given(state, handler, raiser, wanted).describe()}


def _given(state: State, handler: Instance, raiser: str, wanted: messages.ResultChannel) -> Channel:
    channel = state.channels.get(wanted.id)
    if channel is None or channel.kind != wanted.type:
        raise Refused("NoChannelFound", "The result is a channel that does not exist")
    if channel.kind == "private":
        if handler.id not in channel.members:
            raise Refused("AccessDenied", "The private channel was not given to this instance")
        if raiser in state.instances:
            channel.members.add(raiser)
    return channel


HANDLERS: dict[str, Callable[[State, Instance, Request, Any], None]] = {
    "addIntentListener": add_intent_listener,
    "findIntent": find_intent,
    "findIntentsByContext": find_by_context,
    "raiseIntent": raise_intent,
    "raiseIntentForContext": raise_for_context,
    "intentResult": intent_result,
}
