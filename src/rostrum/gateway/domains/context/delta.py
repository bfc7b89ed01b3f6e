"""Applies changes to the data of a context, which is parsed only where a change requires it.

Data is a tree whose leaves are JSON texts; an object is a leaf until a change reaches into it. So data is returned
exactly as it was sent, and a change costs only as much as the part it changes. Nodes are immutable: old data stays
valid while new data is built.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Raw

from rostrum.gateway.messages.record import NULL
from rostrum.gateway.wire import body_decoder, first_character

Node = Raw | dict[str, "Node"]

EMPTY: dict[str, Node] = {}
DEEPEST_PATH = 100


class BadDelta(ValueError):
    """A change cannot be applied; the data is unchanged."""


class Command(msgspec.Struct, frozen=True, gc=False):
    """One step of a change: set or remove the value at a path."""

    type: Literal["set", "remove"]
    path: str
    value: Raw = NULL


_object = body_decoder(dict[str, Raw])
_names = body_decoder(list[str])
_commands = body_decoder(list[Command])
_encoder = msgspec.json.Encoder()


def as_data(text: Raw) -> dict[str, Node]:
    """Read the data of a new context; null means no data."""
    if first_character(text) == "n":
        return EMPTY
    try:
        return _members(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadDelta(f"The data is wrong: {error}") from None


def write(data: Node) -> Raw:
    return Raw(_encoder.encode(data))


def apply(data: dict[str, Node], delta: Raw) -> dict[str, Node]:
    """Return the data after a change; its parts are applied in the order in which they were written."""
    if first_character(delta) == "n":
        return data
    try:
        for part, text in _object.decode(delta).items():
            step = _PARTS.get(part)
            if step is not None and first_character(text) != "n":
                data = step(data, text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadDelta(f"The delta is wrong: {error}") from None
    return data


def _reset(_: dict[str, Node], text: Raw) -> dict[str, Node]:
    return _members(text)


def _added(data: dict[str, Node], text: Raw) -> dict[str, Node]:
    return {**data, **_members(text)}


def _updated(data: dict[str, Node], text: Raw) -> dict[str, Node]:
    changed = dict(data)
    for name, value in _members(text).items():
        old = _opened(data[name]) if name in data else None
        new = _opened(value)
        changed[name] = {**old, **new} if old is not None and new is not None else value
    return changed


def _removed(data: dict[str, Node], text: Raw) -> dict[str, Node]:
    gone = set(_names.decode(text))
    return {name: value for name, value in data.items() if name not in gone}


def _commanded(data: dict[str, Node], text: Raw) -> dict[str, Node]:
    for command in _commands.decode(text):
        if not command.path:
            data = _whole(command)
            continue
        steps = command.path.split(".")
        if len(steps) > DEEPEST_PATH:
            raise BadDelta(f"a path may have {DEEPEST_PATH} steps at most")
        data = _set(data, steps, command.value.copy()) if command.type == "set" else _remove(data, steps)
    return data


def _whole(command: Command) -> dict[str, Node]:
    if command.type == "remove" or first_character(command.value) == "n":
        return EMPTY
    if first_character(command.value) != "{":
        raise BadDelta("The data of a context must be an object")
    return _members(command.value)


def _set(data: Mapping[str, Node], steps: list[str], value: Raw) -> dict[str, Node]:
    first, *rest = steps
    if not rest:
        return {**data, first: value}
    below = _opened(data[first]) if first in data else None
    return {**data, first: _set(below or EMPTY, rest, value)}


def _remove(data: dict[str, Node], steps: list[str]) -> dict[str, Node]:
    first, *rest = steps
    if first not in data:
        return data
    if not rest:
        return {name: value for name, value in data.items() if name != first}
    below = _opened(data[first])
    if below is None:
        return data
    left = _remove(below, rest)
    return data if left is below else {**data, first: left}


def _opened(node: Node) -> dict[str, Node] | None:
    """Return the members of an object, or None for other values."""
    if isinstance(node, dict):
        return node
    return _members(node) if first_character(node) == "{" else None


def _members(text: Raw) -> dict[str, Node]:
    # Each text is copied, so that the message that contains it can be freed.
    return {name: value.copy() for name, value in _object.decode(text).items()}


_PARTS = {
    "reset": _reset,
    "added": _added,
    "updated": _updated,
    "removed": _removed,
    "commands": _commanded,
}
