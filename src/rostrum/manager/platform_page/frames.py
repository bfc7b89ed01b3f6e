"""Which other origins the browser platform may show: those of the user's apps and of their icons."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from rostrum.base import json_text
from rostrum.contracts.addresses import origin_of

_WEB = ("http://", "https://")


class AllowedOrigins(NamedTuple):
    """Origins as browsers write them, sorted."""

    frames: tuple[str, ...]
    images: tuple[str, ...]


NOTHING = AllowedOrigins((), ())


@lru_cache(maxsize=256)
def origins_in(directory: bytes) -> AllowedOrigins:
    """Collect the origins of an app directory. Users with the same apps have the same text, so it is read once."""
    apps: list[dict[str, Any]] = json_text.parse(directory)["applications"]
    return AllowedOrigins(
        frames=_origins(_member(app, "details", "url") for app in apps if app.get("type") == "web"),
        images=_origins(_member(icon, "src") for app in apps for icon in app.get("icons") or ()),
    )


def _member(value: object, *path: str) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _origins(addresses: Iterable[object]) -> tuple[str, ...]:
    """Leave out what has no scheme or no origin: it is not shown, so nothing has to be allowed for it."""
    found = {
        origin_of(address)
        for address in addresses
        if isinstance(address, str) and address.strip().lower().startswith(_WEB)
    }
    return tuple(sorted(origin for origin in found if origin is not None))
