"""The bridge of FDC3 channels reads only the FDC3 contexts of a channel, whatever else a client writes there."""

from typing import Any

import pytest
from msgspec.json import decode, encode

from rostrum.agents.channel_bridge import _part_for_fdc3
from rostrum.gateway.local import contexts
from rostrum.gateway.local.contexts import Followed, LocalContexts

Frame = dict[str, Any]


class Connection:
    """A connection of a local peer, whose context has data."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.listeners: dict[str, Any] = {}

    def listen(self, _: str, kind: str, listener: Any) -> None:
        self.listeners[kind] = listener

    async def request(self, kind: str, **_: Any) -> Frame:
        return {"context_id": "c", **({"data": self.data} if kind == "subscribe-context" else {})}

    def send(self, *_: Any, **__: Any) -> None: ...

    def changed(self, **delta: Any) -> None:
        self.listeners["context-updated"]({"context_id": "c", "delta": delta, "updater_id": "p"})


class Seen:
    """The FDC3 contexts that a follower was notified of."""

    def __init__(self) -> None:
        self.values: list[tuple[Any, Any]] = []

    def __call__(self, channel: Followed, _: Frame, __: str) -> None:
        key = channel.member("latest_fdc3_type")
        self.values.append((key, channel.member("data", f"fdc3_{key}")))


DATA = {"name": "Red", "meta": {}, "data": {"z": "other", "fdc3_a": {"n": 1}}, "latest_fdc3_type": "a"}


async def following(data: dict[str, Any]) -> tuple[Connection, LocalContexts, Seen]:
    connection, seen = Connection(data), Seen()
    local = LocalContexts(connection)  # type: ignore[arg-type]
    assert await local.follow("Red", _part_for_fdc3, seen) == data
    return connection, local, seen


def put(path: str, value: Any) -> dict[str, Any]:
    return {"type": "set", "path": path, "value": value}


async def test_other_data_is_neither_encoded_nor_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    connection, _, seen = await following(DATA)
    sizes: list[int] = []

    def counted(function: Any) -> Any:
        def call(value: Any, **options: Any) -> Any:
            found = function(value, **options)
            sizes.append(len(bytes(found if isinstance(found, bytes) else value)))
            return found

        return call

    monkeypatch.setattr(contexts, "encode", counted(encode))
    monkeypatch.setattr(contexts, "decode", counted(decode))
    large = "x" * 100_000

    connection.changed(commands=[put("data.z", large), put("other", large)])
    connection.changed(added={"other": large}, removed=["other"])
    connection.changed(updated={"data": {"z": large}})
    connection.changed(commands=[put("data.z", large), put("data.fdc3_a.n", 2)])
    connection.changed(reset={"data": {"z": large, "fdc3_a": {"n": 3}}, "latest_fdc3_type": "a"})

    assert seen.values[-2:] == [("a", {"n": 2}), ("a", {"n": 3})]
    assert max(sizes) < 1000


@pytest.mark.parametrize(
    ("delta", "expected"),
    [
        ({"commands": [put("data.fdc3_b", {"n": 2}), put("latest_fdc3_type", "b")]}, ("b", {"n": 2})),
        ({"commands": [put("data", {"fdc3_a": {"n": 5}})]}, ("a", {"n": 5})),
        ({"commands": [put("data", 7)]}, ("a", None)),
        ({"commands": [put("", {"latest_fdc3_type": "a"})]}, ("a", None)),
        ({"commands": [{"type": "remove", "path": "data.fdc3_a"}]}, ("a", None)),
        ({"commands": [{"type": "remove", "path": "data"}]}, ("a", None)),
        ({"commands": [{"type": "remove", "path": ""}]}, (None, None)),
        ({"updated": {"data": {"fdc3_c": {}}, "latest_fdc3_type": "c"}}, ("c", {})),
        ({"added": {"data": []}}, ("a", None)),
        ({"removed": ["data", "other"]}, ("a", None)),
        ({"reset": {}}, (None, None)),
    ],
)
async def test_changes_of_fdc3_contexts_are_applied(delta: dict[str, Any], expected: tuple[Any, Any]) -> None:
    connection, local, seen = await following(DATA)

    connection.changed(**delta)

    assert seen.values == [expected]
    local._ids["Red"] = "c"
    local.change("Red", {"data.fdc3_own": {"n": 9}})
    assert local._followed["c"][0].member("data", "fdc3_own") == {"n": 9}
    assert len(seen.values) == 1
