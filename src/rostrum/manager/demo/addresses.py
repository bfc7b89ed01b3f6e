"""Updates addresses in the documents of the demo: those of its manager and of its apps."""

import re
from dataclasses import replace
from typing import Any

from rostrum.base import json_text
from rostrum.contracts.addresses import PAGE_TYPES
from rostrum.contracts.system_config import Scope
from rostrum.manager.access.identity import SYSTEM
from rostrum.manager.apps.repository import Apps
from rostrum.manager.apps.service import app_with_definition
from rostrum.manager.changes.origin import RequestOrigin, acting
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.demo.read import DemoContent
from rostrum.manager.storage import Storage

EXAMPLE_ORIGIN = "https://apps.example.com"
_FORMER = re.compile(rf"{re.escape(EXAMPLE_ORIGIN)}|http://127\.0\.0\.1:[0-9]{{1,5}}")
"""Origins that the demo itself writes into its apps; other origins were entered by people and are kept."""
_LOCAL_MANAGER = re.compile(r"http://127\.0\.0\.1:[0-9]{1,5}/api")


def at_origin(definition: dict[str, Any], origin: str, former: str = EXAMPLE_ORIGIN) -> dict[str, Any]:
    """Return a definition with addresses at another origin; definitions of programs are returned unchanged."""
    if str(definition.get("type")).lower() not in PAGE_TYPES:
        return definition
    moved: dict[str, Any] = _moved(definition, former, origin)
    return moved


async def set_app_origin(storage: Storage, content: DemoContent, origin: str) -> list[str]:
    """Change the origin of the demo's stored apps; return the names of the changed apps."""
    written = {item["definition"]["name"]: item["definition"] for item in content.apps}
    async with storage.read() as work:
        stored = await work.of(Apps).named(list(written))
    moved: dict[str, dict[str, Any]] = {}
    for name, app in stored.items():
        if app.rollout is not None:
            # An app cannot be changed during a roll-out; its address is updated at a later start.
            continue
        definition = json_text.parse(app.definition)
        former = _former_origin(definition, written[name])
        after = definition if former is None else at_origin(definition, origin, former)
        if after != definition:
            moved[name] = after
    if moved:
        with acting(RequestOrigin(operation="demo")):
            async with storage.write(SYSTEM.user) as work:
                for name, definition in moved.items():
                    before = stored[name]
                    await work.of(Apps).put(
                        replace(app_with_definition(before, definition), stamp=work.stamp(before.stamp))
                    )
    return list(moved)


async def set_manager_address(storage: Storage, address: str) -> bool:
    """Update the address of the manager in the demo's system.json; return whether it was changed."""
    async with storage.read() as work:
        stored = await work.of(ConfigFiles).find("system.json", Scope.BASE, "")
    contents = None if stored is None else json_text.parse(stored.contents)
    server = contents.get("server") if isinstance(contents, dict) else None
    former = server.get("url") if isinstance(server, dict) else None
    if (
        stored is None
        or stored.rollout is not None
        or former == address
        or not isinstance(former, str)
        or not _LOCAL_MANAGER.fullmatch(former)
    ):
        return False
    with acting(RequestOrigin(operation="demo")):
        async with storage.write(SYSTEM.user) as work:
            text = json_text.dump(_moved(contents, former, address)).decode()
            await work.of(ConfigFiles).put(replace(stored, contents=text, stamp=work.stamp(stored.stamp)))
    return True


def _former_origin(definition: Any, written: dict[str, Any]) -> str | None:
    """Return the origin of the page of an app, unless people have entered another page."""
    example = written["details"].get("url")
    details = definition.get("details") if isinstance(definition, dict) else None
    url = details.get("url") if isinstance(details, dict) else None
    if not isinstance(example, str) or not isinstance(url, str):
        return None
    path = example.removeprefix(EXAMPLE_ORIGIN)
    former = url.removesuffix(path)
    return former if url.endswith(path) and _FORMER.fullmatch(former) else None


def _moved(value: Any, former: str, origin: str) -> Any:
    if isinstance(value, str):
        # Addresses also occur in regular expressions for the pages to which an app may navigate.
        return value.replace(former, origin).replace(re.escape(former), re.escape(origin))
    if isinstance(value, list):
        return [_moved(item, former, origin) for item in value]
    if isinstance(value, dict):
        return {name: _moved(item, former, origin) for name, item in value.items()}
    return value
