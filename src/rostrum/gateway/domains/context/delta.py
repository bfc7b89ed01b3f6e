"""Applies changes to the data of a context, which is parsed only where a change requires it.

Data is a tree whose leaves are JSON texts; an object is a leaf until a change reaches into it. So data is returned
exactly as it was sent, and a change costs only as much as the part it changes. Nodes are immutable: old data stays
valid while new data is built.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeVar

import msgspec
from msgspec import Raw

from rostrum.gateway.domains.context.pieces import SMALL, batches
from rostrum.gateway.messages.record import NULL
from rostrum.gateway.pace import Partly, Steps
from rostrum.gateway.usage import text_bytes
from rostrum.gateway.wire import body_decoder, first_character

T = TypeVar("T")
Node = Raw | dict[str, "Node"]
_Decode = Callable[[Raw | bytes], Mapping[str, Raw] | None]
_NO_MEMBERS = Raw(b"{}")

EMPTY: dict[str, Node] = {}
DEEPEST_PATH = 100
MEMBER = 160
"""Bytes that count for each parsed member, in addition to name and value: what it needs beside its text."""
OBJECT = 240
"""Bytes that count for each object that is parsed."""
MOST_READ = 100_000
"""Members that are parsed because a change reaches into objects: each needs 250 bytes until the change has ended."""
_MOST_AT_ONCE = 64
"""Parts of a change between two places to pause: paths have many steps."""


class BadDelta(ValueError):
    """A change cannot be applied; the data is unchanged."""


class Command(msgspec.Struct, frozen=True, gc=False):
    """One step of a change: set or remove the value at a path."""

    type: Literal["set", "remove"]
    path: str
    value: Raw = NULL


_object = body_decoder(dict[str, Raw]).decode
_members_or_null = body_decoder(dict[str, Raw] | None).decode
_names = body_decoder(list[str] | None).decode
_commands = body_decoder(list[Command] | None).decode
_encoder = msgspec.json.Encoder()


def as_data(text: Raw) -> dict[str, Node]:
    """Read the data of a new context; null means no data."""
    draft = Draft(EMPTY, OBJECT)
    for _ in draft.fill(text):
        pass
    return draft.data


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
    if is_nothing(delta):
        return data, weighs
    draft = Draft(data, weighs)
    for _ in draft.change(delta):
        pass
    return draft.data, draft.weighs


def is_nothing(delta: Raw) -> bool:
    """Return whether a change is null."""
    return first_character(delta) == "n"


class Draft:
    """Data while it is changed. Each object is copied at its first change only, however many changes follow.

    Work that depends on the size of the data or of the change is done in steps: it may be interrupted where a function
    yields. A small change never yields.

    Attributes:
        base: The data before the change.
        data: The data after it.
        weighs: The weight of the data after it.
    """

    __slots__ = ("_copied", "_dropped", "_is_copied", "_is_small", "_read", "_views", "base", "data", "weighs")

    def __init__(self, data: dict[str, Node], weighs: int) -> None:
        self.base = data
        self.data = data
        self.weighs = weighs
        self._is_copied = False
        # The ids of the objects below that no other data contains.
        self._copied: set[int] = set()
        # Objects that were replaced, and whose weight is not subtracted yet. Most changes have none.
        self._dropped: list[dict[str, Node]] | None = None
        # Objects that were parsed but not changed, by the id of their text. It is stored too, so that no other text
        # can get this id.
        self._views: dict[int, tuple[Raw, dict[str, Raw]]] | None = None
        self._read = 0
        self._is_small = False

    def fill(self, text: Raw) -> Steps:
        """Read the data of a new context; null means no data."""
        if first_character(text) == "n":
            return
        try:
            yield from self._replace(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadDelta(f"The data is wrong: {error}") from None

    def change(self, delta: Raw) -> Steps:
        """Apply a change that is not null; its parts are applied in the order in which they were written."""
        self._is_small = memoryview(delta).nbytes <= SMALL
        try:
            parts = _object(delta) if self._is_small else (yield from self._parsed(delta))
            for part, text in parts.items():
                step = _PARTS.get(part)
                if step is not None:
                    yield from step(self, text)
            if self._dropped:
                yield from self._weigh_dropped()
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadDelta(f"The delta is wrong: {error}") from None

    def reset(self, text: Raw) -> Steps:
        if first_character(text) != "n":
            yield from self._replace(text)

    def add(self, text: Raw) -> Steps:
        yield from self._put_all(self._root(), text, _members_or_null)

    def update(self, text: Raw) -> Steps:
        for members in (_members_or_null(text),) if self._is_small else batches(text, _members_or_null):
            if not members:
                yield
                continue
            root = self._root()
            for number, (name, value) in enumerate(members.items(), 1):
                old = root.get(name)
                if old is not None and _is_object(old) and first_character(value) == "{":
                    below = yield from self._below(root, name)
                    yield from self._put_all(below, value, _object)
                else:
                    self._put(root, name, value.copy())
                if number % _MOST_AT_ONCE == 0:
                    yield

    def remove(self, text: Raw) -> Steps:
        for names in (_names(text),) if self._is_small else batches(text, _names):
            if not names:
                yield
                continue
            for number, name in enumerate(names, 1):
                if name in self.data:
                    self._drop(self._root(), name)
                if number % _MOST_AT_ONCE == 0:
                    yield

    def command(self, text: Raw) -> Steps:
        for commands in (_commands(text),) if self._is_small else batches(text, _commands):
            if not commands:
                yield
                continue
            for number, command in enumerate(commands, 1):
                yield from self._carry_out(command)
                if number % _MOST_AT_ONCE == 0:
                    yield

    def _carry_out(self, command: Command) -> Steps:
        is_set = command.type == "set"
        if not command.path:
            yield from self._replace(_whole(command) if is_set else _NO_MEMBERS)
            return
        *above, last = command.path.split(".")
        if len(above) >= DEEPEST_PATH:
            raise BadDelta(f"a path may have {DEEPEST_PATH} steps at most")
        if not is_set and not (yield from self._contains(above, last)):
            return
        members = self._root()
        for step in above:
            below = members.get(step)
            # The usual case first: a call for each step would take several times as long.
            if type(below) is dict and id(below) in self._copied:
                members = below
            else:
                members = yield from self._below(members, step)
        if is_set:
            self._put(members, last, command.value.copy())
        else:
            self._drop(members, last)

    def _contains(self, above: Iterable[str], last: str) -> Partly[bool]:
        """Return whether there is a value at a path."""
        data: Mapping[str, Node] = self.data
        for step in above:
            below = data.get(step)
            if isinstance(below, dict):
                data = below
            elif below is None or not _is_object(below):
                return False
            elif self._views is not None and (view := self._views.get(id(below))) is not None:
                data = view[1]
            else:
                data = yield from self._view(below)
        return last in data

    def _view(self, text: Raw) -> Partly[dict[str, Raw]]:
        """Return the members of an object that is not changed, parsed once however many commands look for members."""
        if self._views is None:
            self._views = {}
        view = self._views.get(id(text))
        if view is None:
            view = self._views[id(text)] = text, (yield from self._parsed(text))
        return view[1]

    def _replace(self, text: Raw) -> Steps:
        self.data, self._is_copied = {}, True
        self.weighs = OBJECT
        self._dropped = None
        yield from self._put_all(self.data, text, _object)

    def _root(self) -> dict[str, Node]:
        if not self._is_copied:
            self.data, self._is_copied = self.data.copy(), True
        return self.data

    def _below(self, members: dict[str, Node], name: str) -> Partly[dict[str, Node]]:
        """Return the object with a name, copied; another value is replaced by an empty object."""
        old = members.get(name)
        new: dict[str, Node] = {}
        if isinstance(old, dict):
            if id(old) in self._copied:
                return old
            new = old.copy()
        elif old is None:
            self.weighs += MEMBER + text_bytes(name) + OBJECT
        else:
            self.weighs += OBJECT - memoryview(old).nbytes
            if first_character(old) == "{":
                yield from self._open(new, old)
        members[name] = new
        self._copied.add(id(new))
        return new

    def _open(self, members: dict[str, Node], text: Raw) -> Steps:
        """Parse an object that will be changed, perhaps not for the first time."""
        view = None if self._views is None else self._views.pop(id(text), None)
        values = (yield from self._parsed(text)) if view is None else view[1]
        for number, (name, value) in enumerate(values.items(), 1):
            self._put(members, name, value.copy())
            if number % _MOST_AT_ONCE == 0:
                yield

    def _parsed(self, text: Raw) -> Partly[dict[str, Raw]]:
        found: dict[str, Raw] = {}
        for members in batches(text, _object):
            if members is None:
                yield
                continue
            self._read += len(members)
            if self._read > MOST_READ:
                raise BadDelta(f"a change may reach into objects with {MOST_READ} members at most, in all")
            found.update(members)
        return found

    def _put_all(self, members: dict[str, Node], text: Raw, decode: _Decode) -> Steps:
        for values in (decode(text),) if self._is_small else batches(text, decode):
            if values is None:
                yield
                continue
            for number, (name, value) in enumerate(values.items(), 1):
                # Each text is copied, so that the message that contains it can be freed.
                self._put(members, name, value.copy())
                if number % _MOST_AT_ONCE == 0:
                    yield

    def _put(self, members: dict[str, Node], name: str, value: Raw) -> None:
        old = members.get(name)
        self.weighs += memoryview(value).nbytes
        if old is None:
            self.weighs += MEMBER + text_bytes(name)
        else:
            self._forget(old)
        members[name] = value

    def _drop(self, members: dict[str, Node], name: str) -> None:
        self.weighs -= MEMBER + text_bytes(name)
        self._forget(members.pop(name))

    def _forget(self, node: Node) -> None:
        if isinstance(node, dict):
            # Calculating the weight of a large object takes long.
            if self._dropped is None:
                self._dropped = []
            self._dropped.append(node)
        else:
            self.weighs -= memoryview(node).nbytes

    def _weigh_dropped(self) -> Steps:
        while self._dropped:
            self.weighs -= OBJECT
            for number, (name, value) in enumerate(self._dropped.pop().items(), 1):
                self.weighs -= MEMBER + text_bytes(name)
                self._forget(value)
                if number % _MOST_AT_ONCE == 0:
                    yield


def _whole(command: Command) -> Raw:
    first = first_character(command.value)
    if first == "n":
        return _NO_MEMBERS
    if first != "{":
        raise BadDelta("The data of a context must be an object")
    return command.value


def _is_object(node: Node) -> bool:
    return isinstance(node, dict) or first_character(node) == "{"


_PARTS: dict[str, Callable[[Draft, Raw], Steps]] = {
    "reset": Draft.reset,
    "added": Draft.add,
    "updated": Draft.update,
    "removed": Draft.remove,
    "commands": Draft.command,
}
