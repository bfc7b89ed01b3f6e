"""Applies changes to the data of a context, which is parsed only where a change requires it.

Data is a tree whose leaves are JSON texts; an object is a leaf until a change reaches into it. So data is returned
exactly as it was sent, and a change costs only as much as the part it changes. Nodes are immutable: old data stays
valid while new data is built.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Raw

from rostrum.gateway.messages.record import NULL
from rostrum.gateway.usage import text_bytes
from rostrum.gateway.wire import body_decoder, first_character

Node = Raw | dict[str, "Node"]

EMPTY: dict[str, Node] = {}
DEEPEST_PATH = 100
MEMBER = 160
"""Bytes that count for each parsed member, in addition to name and value: what it needs beside its text."""
OBJECT = 240
"""Bytes that count for each object that is parsed."""


class BadDelta(ValueError):
    """A change cannot be applied; the data is unchanged."""


class Command(msgspec.Struct, frozen=True, gc=False):
    """One step of a change: set or remove the value at a path."""

    type: Literal["set", "remove"]
    path: str
    value: Raw = NULL


_object = body_decoder(dict[str, Raw])
_members_or_null = body_decoder(dict[str, Raw] | None)
_names = body_decoder(list[str] | None)
_commands = body_decoder(list[Command] | None)
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


def weight(data: Node) -> int:
    """Return about how many bytes data uses in memory. It depends on the texts, and on which of them are parsed."""
    if not isinstance(data, dict):
        return memoryview(data).nbytes
    total = OBJECT + MEMBER * len(data)
    for name, value in data.items():
        total += text_bytes(name)
        total += weight(value) if isinstance(value, dict) else memoryview(value).nbytes
    return total


def apply(data: dict[str, Node], delta: Raw) -> dict[str, Node]:
    """Return the data after a change; its parts are applied in the order in which they were written."""
    return change(data, 0, delta)[0]


def change(data: dict[str, Node], weighs: int, delta: Raw) -> tuple[dict[str, Node], int]:
    """Return the data after a change with its weight, which is not calculated again."""
    if first_character(delta) == "n":
        return data, weighs
    draft = _Draft(data, weighs)
    try:
        for part, text in _object.decode(delta).items():
            step = _PARTS.get(part)
            if step is not None:
                step(draft, text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadDelta(f"The delta is wrong: {error}") from None
    return draft.data, draft.weighs


class _Draft:
    """Data while it is changed. Each object is copied at its first change only, however many changes follow."""

    __slots__ = ("_copied", "_is_copied", "data", "weighs")

    def __init__(self, data: dict[str, Node], weighs: int) -> None:
        self.data = data
        self.weighs = weighs
        self._is_copied = False
        # The ids of the objects below that no other data contains.
        self._copied: set[int] = set()

    def reset(self, text: Raw) -> None:
        members = _members_or_null.decode(text)
        if members is not None:
            self._replace(members)

    def add(self, text: Raw) -> None:
        members = _members_or_null.decode(text)
        if members:
            self._put_all(self._root(), members)

    def update(self, text: Raw) -> None:
        members = _members_or_null.decode(text)
        if not members:
            return
        root = self._root()
        for name, value in members.items():
            old = root.get(name)
            if old is not None and _is_object(old) and first_character(value) == "{":
                self._put_all(self._below(root, name), _object.decode(value))
            else:
                self._put(root, name, value.copy())

    def remove(self, text: Raw) -> None:
        for name in _names.decode(text) or ():
            if name in self.data:
                self._drop(self._root(), name)

    def command(self, text: Raw) -> None:
        for command in _commands.decode(text) or ():
            if not command.path:
                self._replace(_whole(command))
                continue
            *above, last = command.path.split(".")
            if len(above) >= DEEPEST_PATH:
                raise BadDelta(f"a path may have {DEEPEST_PATH} steps at most")
            if command.type == "set" or _contains(self.data, above, last):
                members = self._root()
                for step in above:
                    members = self._below(members, step)
                if command.type == "set":
                    self._put(members, last, command.value.copy())
                else:
                    self._drop(members, last)

    def _replace(self, members: Mapping[str, Raw]) -> None:
        self.data, self._is_copied = _copies(members), True
        self.weighs = weight(self.data)

    def _root(self) -> dict[str, Node]:
        if not self._is_copied:
            self.data, self._is_copied = self.data.copy(), True
        return self.data

    def _below(self, members: dict[str, Node], name: str) -> dict[str, Node]:
        """Return the object with a name, copied; another value is replaced by an empty object."""
        old = members.get(name)
        if isinstance(old, dict):
            if id(old) in self._copied:
                return old
            new = old.copy()
        elif old is None:
            new = {}
            self.weighs += MEMBER + text_bytes(name) + OBJECT
        else:
            new = _members(old) if first_character(old) == "{" else {}
            self.weighs += weight(new) - memoryview(old).nbytes
        members[name] = new
        self._copied.add(id(new))
        return new

    def _put_all(self, members: dict[str, Node], values: Mapping[str, Raw]) -> None:
        for name, value in values.items():
            self._put(members, name, value.copy())

    def _put(self, members: dict[str, Node], name: str, value: Raw) -> None:
        old = members.get(name)
        if old is None:
            self.weighs += MEMBER + text_bytes(name) + memoryview(value).nbytes
        else:
            self.weighs += memoryview(value).nbytes - weight(old)
        members[name] = value

    def _drop(self, members: dict[str, Node], name: str) -> None:
        self.weighs -= MEMBER + text_bytes(name) + weight(members.pop(name))


def _whole(command: Command) -> Mapping[str, Raw]:
    if command.type == "remove" or first_character(command.value) == "n":
        return {}
    if first_character(command.value) != "{":
        raise BadDelta("The data of a context must be an object")
    members: dict[str, Raw] = _object.decode(command.value)
    return members


def _contains(data: dict[str, Node], above: Iterable[str], last: str) -> bool:
    """Return whether there is a value at a path."""
    for step in above:
        below = data.get(step)
        if below is None or not _is_object(below):
            return False
        data = below if isinstance(below, dict) else _members(below)
    return last in data


def _is_object(node: Node) -> bool:
    return isinstance(node, dict) or first_character(node) == "{"


def _members(text: Raw) -> dict[str, Node]:
    return _copies(_object.decode(text))


def _copies(members: Mapping[str, Raw]) -> dict[str, Node]:
    # Each text is copied, so that the message that contains it can be freed.
    return {name: value.copy() for name, value in members.items()}


_PARTS = {
    "reset": _Draft.reset,
    "added": _Draft.add,
    "updated": _Draft.update,
    "removed": _Draft.remove,
    "commands": _Draft.command,
}
