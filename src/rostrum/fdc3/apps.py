"""Opening apps, and information about apps, instances and the agent."""

from collections.abc import Callable
from typing import Any

from rostrum.fdc3 import messages
from rostrum.fdc3.directory import App
from rostrum.fdc3.launches import open_app
from rostrum.fdc3.messages import AppId, Refused, Request
from rostrum.fdc3.state import Instance, Pending, State


def known_app(state: State, wanted: AppId, error: str) -> App:
    """Find the app that a request names."""
    if wanted.desktop_agent is not None:
        raise Refused("DesktopAgentNotFound", "This agent is not connected to other agents")
    app = state.directory.get(wanted.app_id)
    if app is None:
        raise Refused(error, "The user has no app with this id")
    return app


def implementation(state: State, instance: Instance) -> dict[str, Any]:
    """Return the description of the agent for an instance."""
    return {**state.metadata, "appMetadata": _metadata(state, instance.app_id, instance.id)}


def open_(state: State, _instance: Instance, request: Request, payload: messages.Open) -> None:
    """Open a new instance of an app; with a context, wait until the instance listens for it."""
    app = known_app(state, payload.app, "AppNotFound")
    context = messages.read_optional_context(payload.context, state.limits.name_length)
    deadline = state.now + state.timeouts.app_launch
    open_app(
        state,
        Pending(id=state.new_id(), kind="open", request=request, context=context, deadline=deadline, app_id=app.id),
    )


def find_instances(state: State, _instance: Instance, request: Request, payload: messages.OneApp) -> None:
    """List the running instances of an app."""
    app = known_app(state, payload.app, "NoAppsFound")
    found = [_metadata(state, app.id, one.id) for one in state.of_app(app.id)]
    state.respond(request, {"appIdentifiers": found})


def get_app_metadata(state: State, _instance: Instance, request: Request, payload: messages.OneApp) -> None:
    """Describe an app, or one of its instances."""
    app = known_app(state, payload.app, "TargetAppUnavailable")
    instance_id = payload.app.instance_id
    if instance_id is not None:
        found = state.instances.get(instance_id)
        if found is None or found.app_id != app.id:
            raise Refused("TargetInstanceUnavailable", "The app has no running instance with this id")
    state.respond(request, {"appMetadata": _metadata(state, app.id, instance_id)})


def get_info(state: State, instance: Instance, request: Request, _payload: messages.Nothing) -> None:
    """Describe the agent."""
    state.respond(request, {"implementationMetadata": implementation(state, instance)})


def _metadata(state: State, app_id: str, instance_id: str | None) -> dict[str, Any]:
    app = state.directory.get(app_id)
    metadata = {"appId": app_id} if app is None else app.metadata
    return metadata if instance_id is None else {**metadata, "instanceId": instance_id}


HANDLERS: dict[str, Callable[[State, Instance, Request, Any], None]] = {
    "open": open_,
    "findInstances": find_instances,
    "getAppMetadata": get_app_metadata,
    "getInfo": get_info,
}
