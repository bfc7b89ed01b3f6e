"""The channels of the platform as user channels of FDC3."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class UserChannel(NamedTuple):
    """A channel that users select, as the settings define it."""

    id: str
    name: str
    color: str
    glyph: str | None = None


def user_channels(definitions: Iterable[Mapping[str, Any]]) -> tuple[UserChannel, ...]:
    """Read the platform's channels: ``name``, and ``meta`` with ``color`` and, for names of FDC3, ``fdc3``.

    ``fdc3`` has an ``id``, and ``displayMetadata`` with ``name``, ``color`` and ``glyph``. A channel without ``fdc3``
    is also a user channel, with its name as id. Of several channels with the same id, the first one counts.
    """
    found: dict[str, UserChannel] = {}
    for definition in definitions:
        name, meta = definition.get("name"), _mapping(definition.get("meta"))
        fdc3 = _mapping(meta.get("fdc3"))
        display = _mapping(fdc3.get("displayMetadata"))
        if not isinstance(name, str) or not name:
            continue
        id_ = _text(fdc3.get("id")) or name
        channel = UserChannel(
            id_,
            _text(display.get("name")) or name,
            _text(display.get("color")) or _text(meta.get("color")) or "",
            _text(display.get("glyph")) or None,
        )
        found.setdefault(id_, channel)
    return tuple(found.values())


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
