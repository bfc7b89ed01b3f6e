"""Descriptions of apps and their instances, for the app manager and the apps API of the libraries."""

from collections.abc import Mapping
from typing import Any

from rostrum.desktop.services.app_catalog import AppCatalog, shown_definition
from rostrum.desktop.services.instances import Instance, StartedBy
from rostrum.desktop.services.readiness import Readiness
from rostrum.desktop.t42.calls import date


def app_properties(definition: Mapping[str, Any], *, skip_icon: bool) -> dict[str, Any]:
    """Describe an app to the app manager."""
    details, icon = definition.get("details") or {}, definition.get("icon")
    described = {
        "Name": definition["name"],
        "Title": definition.get("title") or definition["name"],
        "Caption": definition.get("caption"),
        "Type": definition["type"],
        "Version": definition.get("version"),
        "AutoStart": definition.get("autoStart") is True,
        "IsShell": definition.get("shell") is True,
        "IsHidden": definition.get("hidden") is True,
        "AllowMultiple": definition.get("allowMultiple") is not False,
        "SortOrder": definition.get("sortOrder", 1000),
        "Keywords": definition.get("keywords") or [],
        "UserProperties": definition.get("customProperties") or {},
        "Arguments": shown_definition(details),
        "Mode": details.get("mode"),
        "IsReady": True,
    }
    if not skip_icon:
        described["Icon"] = icon
    described["IconUrl"] = icon if isinstance(icon, str) and icon.startswith(("https://", "http://")) else None
    return {name: value for name, value in described.items() if value is not None}


def intents_info(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Describe an app to the intents API."""
    names = ("name", "type", "title", "caption", "icon", "intents", "customProperties", "hidden")
    return {name: definition[name] for name in names if name in definition}


def instance_properties(instance: Instance, readiness: Readiness) -> dict[str, Any]:
    """Describe a running app to the app manager."""
    server = readiness.server(instance.id)
    return {
        "Id": instance.id,
        "Name": instance.app,
        "Context": instance.context,
        "Title": instance.title,
        "AgmServers": [server] if server else [],
    }


def app_info(
    name: str,
    catalog: AppCatalog,
    *,
    with_definition: bool = False,
    instances: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Describe an app to the apps API."""
    definition = catalog.find(name)
    icon = definition.get("icon")
    described = {
        "name": name,
        "type": definition["type"],
        "title": definition.get("title"),
        "version": definition.get("version"),
        "description": definition.get("caption"),
        "icon": icon,
        "iconURL": icon if isinstance(icon, str) and icon.startswith(("https://", "http://")) else None,
        "keywords": definition.get("keywords"),
        "autoStart": definition.get("autoStart") is True,
        "allowMultiple": definition.get("allowMultiple") is not False,
        "isHidden": definition.get("hidden") is True,
        "isShell": definition.get("shell") is True,
        "isInMemory": catalog.is_in_memory(name),
        "fdc3": definition.get("fdc3"),
        "customProperties": definition.get("customProperties"),
        "definition": shown_definition(definition) if with_definition else None,
        "instances": instances,
    }
    return {key: value for key, value in described.items() if value is not None}


def instance_info(instance: Instance, state: str) -> dict[str, Any]:
    """Describe a running app to the apps API."""
    return {
        "id": instance.id,
        "appName": instance.app,
        "startedAt": date(instance.started_at),
        "startedBy": started_by_info(instance.started_by),
        "state": state,
    } | ({} if instance.process is None else {"pid": instance.process})


def started_by_info(by: StartedBy) -> dict[str, Any]:
    """Describe the origin of an instance's start."""
    return {"startedBy": by.kind, "applicationName": by.app, "instanceID": by.instance}
