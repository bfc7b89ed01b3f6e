"""Local peers read announcements of methods in parts."""

import asyncio
import json
import random
from typing import Any

import msgspec
import pytest

from rostrum.gateway.local import announcements
from rostrum.gateway.local.announcements import parts_of
from rostrum.gateway.local.peer import LocalPeer
from rostrum.gateway.local.source import LocalSource
from rostrum.gateway.messages.agm import MethodsAdded, MethodsRemoved
from rostrum.gateway.wire import encode

TEXTS = ["", "ab", '"', "\\", '\\"]', "[{", "}],", "é", "a" * 40]


def value(chance: random.Random, depth: int = 4) -> Any:
    """Create any JSON value, with characters that have a meaning in JSON."""
    kind = chance.randrange(5 if depth else 3)
    if kind < 3:
        return [None, chance.randrange(1000), chance.choice(TEXTS)][kind]
    inner = [value(chance, depth - 1) for _ in range(chance.randrange(4))]
    return inner if kind == 3 else {chance.choice(TEXTS): each for each in inner}


def added(definitions: list[Any]) -> bytes | memoryview:
    methods = [msgspec.Raw(json.dumps(each).encode()) for each in definitions]
    return encode(MethodsAdded(server_id="s", methods=methods))


def read(tail: bytes | memoryview) -> list[Any]:
    parts = [part for part in parts_of(tail) if part is not None]
    return [json.loads(bytes(method)) for part in parts for method in part["methods"]]


@pytest.mark.parametrize("window", [2, 3, 7, 50])
def test_large_announcements_contain_the_same_definitions(monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    monkeypatch.setattr(announcements, "_SMALL", 0)
    monkeypatch.setattr(announcements, "_WINDOW", window)
    monkeypatch.setattr(announcements, "_MOST_TOKENS", 3)
    chance = random.Random(window)
    for count in range(25):
        definitions = [{"a": value(chance), "b": value(chance)} for _ in range(count)]
        assert read(added(definitions)) == definitions


def test_a_large_definition_is_looked_at_in_steps_and_ignored() -> None:
    flags = {"deep": [[[1, 2]]] * 20_000, "long": "x" * 200_000, "numbers": [1] * 50_000}
    tail = added([{"id": "2", "name": "small"}, {"id": "1", "name": "large", "flags": flags}])

    parts = list(parts_of(tail))

    assert read(tail) == [{"id": "2", "name": "small"}]
    assert parts.count(None) > 10


class Line:
    """A local source and the peer behind it, without a gateway."""

    def __init__(self) -> None:
        self.later: list[Any] = []
        self.source = LocalSource(None, self.later.append)  # type: ignore[arg-type]
        self.peer = LocalPeer(self.source, "p", {})

    def turns(self, is_over: bool) -> int:
        """Hand over until nothing is left; return the number of turns."""
        count = 0
        while self.later:
            self.later.pop().hand_over(lambda: is_over)
            count += 1
        return count


@pytest.mark.parametrize("is_over", [False, True])
async def test_methods_are_added_in_steps_and_in_order(is_over: bool) -> None:
    line = Line()
    names = [f"method{number}" for number in range(200)]
    order: list[str] = []
    line.peer.methods.added.connect(lambda method: order.append(method.name))
    line.peer.methods.removed.connect(lambda method: order.append(f"-{method.name}"))
    definitions = [{"id": str(number), "name": name, "flags": {"a": 1}} for number, name in enumerate(names)]

    line.source.deliver(b"{", added(definitions))
    line.source.deliver(b"{", encode(MethodsRemoved(server_id="s", methods=["0"])))
    turns = line.turns(is_over)

    assert order == [*names, "-method0"]
    assert turns > 10 if is_over else turns == 1
    assert line.peer.methods.known[0].definition == definitions[1]


async def test_definitions_are_not_read_before_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line()
    # Python could not read this number, which the gateway forwards as text.
    line.source.deliver(b"{", b'"type":"methods-added","domain":"agm","server_id":"s",'
                        b'"methods":[{"id":1,"name":"m","flags":{"a":1e999}}]}')  # fmt: skip
    line.turns(is_over=False)
    await asyncio.sleep(0)

    [method] = line.peer.methods.known
    assert (method.id, method.name) == (1, "m")
    assert method.definition["flags"]["a"] > 1e300
