"""Large changes of contexts: they are divided into steps, each of which parses and stores a small part."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Raw

from rostrum.gateway.domains.context import contexts, delta
from rostrum.gateway.pace import Pace
from rostrum.gateway.usage import text_bytes
from tests.gateway.core import Client, Core, Frame, of_type

MOST_IN_A_STEP = 5000
"""Elements that one step may parse, and members that it may store."""
DECODERS = ("_object", "_members_or_null", "_names", "_commands")


class Counted:
    """A decoder that counts the elements that it has parsed."""

    def __init__(self, decoder: Any, count: Callable[[int], None]) -> None:
        self._decode = getattr(decoder, "decode", decoder)
        self._count = count

    def __call__(self, text: Any) -> Any:
        found = self._decode(text)
        self._count(len(found or ()))
        return found

    decode = __call__


class Work:
    """A user with a context, and what each step of a change has parsed and stored."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.core = Core(on_unfinished=lambda _: None)
        self.client = self.core.connect("A", "user1")
        self.parsed = self.stored = 0
        self.steps: list[tuple[int, int]] = []
        self._requests = 0
        monkeypatch.setattr(Pace, "is_over", True)
        for name in DECODERS:
            monkeypatch.setattr(delta, name, Counted(getattr(delta, name), self._count_parsed))

        def stored(text: str | None) -> int:
            self.stored += 1
            return text_bytes(text)

        monkeypatch.setattr(delta, "text_bytes", stored)

    def _count_parsed(self, count: int) -> None:
        self.parsed += count

    def ask(self, client: Client | None = None, **message: Any) -> Frame:
        """Send a request, and do all of its work."""
        [answer] = (frame for frame in self.begin(client, **message) + self.finish(client) if "request_id" in frame)
        return answer

    def begin(self, client: Client | None = None, **message: Any) -> list[Frame]:
        self._requests += 1
        self.parsed = self.stored = 0
        self.steps = []
        frames = (client or self.client).send(**message, request_id=f"x{self._requests}")
        self.steps.append((self.parsed, self.stored))
        return frames

    def finish(self, client: Client | None = None) -> list[Frame]:
        while "user1" in self.core.router.work:
            self.parsed = self.stored = 0
            self.core.router.work.advance("user1")
            self.steps.append((self.parsed, self.stored))
        return (client or self.client).take()

    def create(self, data: Any, name: str = "c") -> str:
        created = self.ask(type="create-context", name=name, lifetime="retained", data=data)
        assert created["type"] == "context-created"
        self.client.take()
        return str(created["context_id"])

    def update(self, context_id: str, **change: Any) -> Frame:
        return self.ask(type="update-context", context_id=context_id, delta=change)

    def data(self, context_id: str) -> Any:
        [context] = (each for each in self.core.router.state.contexts if each.id == context_id)
        return json.loads(bytes(context.text))


@pytest.fixture(name="work")
def _work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


def members(count: int) -> dict[str, int]:
    return {str(number): 0 for number in range(count)}


def put(path: str, value: Any = 1) -> dict[str, Any]:
    return {"type": "set", "path": path, "value": value}


def removal(path: str) -> dict[str, Any]:
    return {"type": "remove", "path": path}


COUNT = 9_000
WAYS: dict[str, tuple[Any, dict[str, Any]]] = {
    "reach into a large object": ({"o": members(COUNT)}, {"commands": [put("o.x")]}),
    "replace a large object": ({"o": members(COUNT)}, {"commands": [put("o.x"), put("o", 1)]}),
    "merge into a large object": ({"o": members(COUNT)}, {"updated": {"o": {"x": 1}}}),
    "set an object, then reach into it": (
        {},
        {"commands": [command for _ in range(9) for command in (put("o", members(COUNT // 8)), put("o.x"))]},
    ),
    "many sets": ({}, {"commands": [put(f"p{number}") for number in range(COUNT)]}),
    "many long paths": ({}, {"commands": [removal("a." * 99 + "b")] * COUNT}),
    "reset": ({}, {"reset": members(COUNT)}),
    "added": ({}, {"added": members(COUNT)}),
    "updated": ({}, {"updated": members(COUNT)}),
    "removed": (members(COUNT), {"removed": list(members(COUNT))}),
    "replace everything": ({}, {"commands": [put("", members(COUNT))]}),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_step_of_a_large_change_does_little(way: tuple[Any, dict[str, Any]], work: Work) -> None:
    data, change = way
    context_id = work.create(data)

    assert work.update(context_id, **change)["type"] == "success"

    assert max(map(max, work.steps)) <= MOST_IN_A_STEP
    assert work.data(context_id) == json.loads(bytes(delta.write(delta.apply(delta.as_data(raw(data)), raw(change)))))


def test_a_large_context_is_created_in_steps(work: Work) -> None:
    context_id = work.create(members(COUNT))

    assert max(map(max, work.steps)) <= MOST_IN_A_STEP
    assert work.data(context_id) == members(COUNT)


def test_an_object_is_parsed_once_however_many_commands_look_for_a_member_of_it(work: Work) -> None:
    context_id = work.create({"o": members(9000)})

    assert work.update(context_id, commands=[removal("o.nope")] * 1000)["type"] == "success"

    # The object, the commands, and the members of the delta.
    assert sum(parsed for parsed, _ in work.steps) <= 9000 + 1000 + 10
    assert work.data(context_id) == {"o": members(9000)}


def test_a_change_may_reach_into_objects_with_a_limited_number_of_members(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delta, "MOST_READ", 100, raising=False)
    context_id = work.create({"o": members(60), "p": members(60)})

    refused = work.update(context_id, commands=[removal("o.nope"), removal("p.nope")])

    assert (refused["type"], "100 members at most" in refused.get("reason", "")) == ("error", True)
    assert work.update(context_id, commands=[removal("o.nope")])["type"] == "success"


def raw(value: Any) -> Raw:
    return Raw(json.dumps(value).encode())


def begun(work: Work) -> str:
    """Begin a large change that is not finished."""
    context_id = work.create({"a": 1})
    frames = work.begin(type="update-context", context_id=context_id, delta={"added": members(COUNT)})
    assert (frames, work.data(context_id)) == ([], {"a": 1})
    return context_id


def test_a_change_by_others_between_two_steps_is_kept(work: Work) -> None:
    other = work.core.connect("local", "user1")
    context_id = begun(work)
    work.core.router.work.advance("user1")

    changed = other.ask(type="update-context", context_id=context_id, delta={"added": {"b": 2}})
    [_, answer] = work.finish()

    assert (changed["type"], answer["type"]) == ("success", "success")
    assert work.data(context_id) == {"a": 1, "b": 2, **members(COUNT)}


def test_a_change_that_others_prevent_is_refused_in_the_end(work: Work) -> None:
    other = work.core.connect("local", "user1")
    context_id = begun(work)

    for number in range(10_000):
        other.ask(type="update-context", context_id=context_id, delta={"added": {"b": number}})
        if "user1" not in work.core.router.work:
            break
        work.core.router.work.advance("user1")

    [refused] = of_type(work.client.take(), "error")
    assert "too often" in refused["reason"]
    assert set(work.data(context_id)) == {"a", "b"}


def test_a_context_that_ends_between_two_steps_cannot_be_changed(work: Work) -> None:
    context_id = begun(work)
    found = work.core.router.state.contexts.find(work.core.router.state.peers[work.client.peer_id], context_id)
    assert found is not None
    work.core.router.state.contexts.remove(found)

    [refused] = work.finish()

    assert refused["reason"].startswith("Unable to find context with id")


def test_a_context_with_the_same_name_that_was_created_between_two_steps_is_used(work: Work) -> None:
    other = work.core.connect("local", "user1")
    assert work.begin(type="create-context", name="n", lifetime="retained", data=members(COUNT)) == []
    peer = work.core.router.state.peers[other.peer_id]
    context = contexts.Context(
        "c-1", "n", peer, lifetime="retained", data={}, permissions=contexts.Permissions(None, None)
    )
    work.core.router.state.contexts.add(context, peer)

    [answer] = work.finish()

    assert (answer["type"], answer["data"]) == ("subscribed-context", {})


def test_a_wrong_part_of_a_large_change_changes_nothing(work: Work) -> None:
    context_id = work.create({"a": 1})

    refused = work.update(context_id, added=members(COUNT), commands=[{"type": "explode"}])

    assert (refused["type"], refused["reason_uri"]) == ("error", "global.errors.failure")
    assert work.data(context_id) == {"a": 1}


def test_the_data_of_a_context_is_limited_like_a_message(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rostrum.gateway.domains.context.changes.LARGEST_DATA", 3000, raising=False)
    context_id = work.create({"a": "x" * 1500})

    refused = work.update(context_id, added={"b": "x" * 1500})
    created = work.ask(type="create-context", name="large", lifetime="retained", data={"a": "x" * 3000})

    assert [each.get("reason_uri") for each in (refused, created)] == ["global.errors.limits_exceeded"] * 2
    assert work.update(context_id, removed=["a"])["type"] == "success"
    assert contexts.LARGEST_DATA == 16 * 1024 * 1024


def test_large_data_is_not_encoded_apart_from_the_message(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    context_id = work.create({"a": "x" * 100_000})
    encoded: list[Raw] = []

    def write(data: delta.Node) -> Raw:
        encoded.append(delta.write(data))
        return encoded[-1]

    monkeypatch.setattr(contexts, "write", write)

    snapshot = work.ask(type="subscribe-context", context_id=context_id)

    assert (snapshot["data"], encoded) == ({"a": "x" * 100_000}, [])
