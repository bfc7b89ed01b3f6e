"""Calls: from the caller to the callee, and the answer back."""

import json
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule

from rostrum.gateway.domains.agm.agm_peer import FREE_CALLS
from tests.gateway.core import Client, Core, Frame


@pytest.fixture
def pair() -> tuple[Client, Client]:
    core = Core()
    server, client = core.connect("A", "user1", "agm"), core.connect("B", "user1", "agm")
    server.ask(domain="agm", type="register", methods=[{"id": "0", "name": "m"}])
    server.take()
    client.take()
    return server, client


def call(client: Client, server: Client, request_id: Any = "c", **more: Any) -> list[Frame]:
    message = {"domain": "agm", "type": "call", "server_id": server.peer_id, "method_id": "0", **more}
    return client.send(request_id=request_id, **message)


def test_a_call_and_its_result_pass_through_unchanged(pair: tuple[Client, Client]) -> None:
    server, client = pair
    assert call(client, server, arguments_kv={"a": [1, 1.0, None, "ü"]}, context={"k": 1}) == []

    [invoked] = server.take()
    assert invoked["caller_id"] == client.peer_id
    assert (invoked["arguments"], invoked["arguments_kv"]) == (None, {"a": [1, 1.0, None, "ü"]})
    assert invoked["context"] == {"k": 1}
    server.send(domain="agm", type="yield", invocation_id=invoked["invocation_id"], result={"r": [True]})
    [result] = client.take()
    assert (result["type"], result["request_id"], result["result"]) == ("result", "c", {"r": [True]})


@pytest.mark.parametrize("text", ['{"big":1e400}', '{"n":12345678901234567890123}', '"\\ud83d\\ude00"', '{"z":-0.0}'])
def test_payloads_are_passed_on_as_the_text_they_came_in(pair: tuple[Client, Client], text: str) -> None:
    server, client = pair
    frames: list[bytes] = []
    server.deliver = lambda head, tail: frames.append(head + tail)  # type: ignore[method-assign]

    client.send_text(
        f'{{"domain":"agm","type":"call","server_id":"{server.peer_id}","method_id":"0",'
        f'"context":{text},"peer_id":"{client.peer_id}"}}'
    )

    assert text.encode() in frames[0]


def test_the_request_id_comes_back_as_it_was(pair: tuple[Client, Client]) -> None:
    server, client = pair
    for request_id in ("text", "", 7, None):
        call(client, server, request_id)
        [invoked] = server.take()
        server.send(domain="agm", type="yield", invocation_id=invoked["invocation_id"])
        [result] = client.take()
        assert result["request_id"] == request_id
        assert result["result"] is None


def test_an_error_of_the_callee_reaches_the_caller_with_all_it_says(pair: tuple[Client, Client]) -> None:
    server, client = pair
    call(client, server)
    [invoked] = server.take()

    server.send(
        domain="agm", type="error", request_id=invoked["invocation_id"], reason_uri="u", reason="r", context={"x": 1}
    )

    [error] = client.take()
    assert (error["type"], error["request_id"]) == ("error", "c")
    assert (error["reason_uri"], error["reason"], error["context"]) == ("u", "r", {"x": 1})


def test_self_calls_work(pair: tuple[Client, Client]) -> None:
    server, _ = pair
    [invoked] = call(server, server)

    [result] = server.send(domain="agm", type="yield", invocation_id=invoked["invocation_id"], result=1)

    assert (result["type"], result["request_id"]) == ("result", "c")


def test_arguments_of_both_kinds_are_refused_unless_one_is_empty(pair: tuple[Client, Client]) -> None:
    server, client = pair

    [refused] = call(client, server, arguments=[1], arguments_kv={"a": 1})
    assert refused["reason_uri"] == "agm.errors.invocation.failure"

    assert call(client, server, arguments=[], arguments_kv={"a": 1}) == []
    assert call(client, server, arguments=[1], arguments_kv={}) == []
    assert len(server.take()) == 2


@pytest.mark.parametrize("wrong", [{"arguments": {}}, {"arguments": 1}, {"arguments_kv": []}, {"arguments_kv": "x"}])
def test_arguments_of_the_wrong_shape_are_refused(pair: tuple[Client, Client], wrong: dict[str, Any]) -> None:
    server, client = pair

    [refused] = call(client, server, **wrong)

    assert refused["reason_uri"] == "agm.errors.failure"
    assert server.take() == []


def test_invalid_calls_are_rejected_with_the_uri_of_the_reason(pair: tuple[Client, Client]) -> None:
    server, client = pair
    outsider = client.core.connect("C", "user2", "agm")
    no_member = client.core.connect("D")

    assert call(client, server, method_id="99")[0]["reason_uri"] == "agm.errors.invocation.failure"
    assert call(client, server, server_id="p-nope")[0]["reason_uri"] == "agm.errors.failure"
    assert call(client, no_member)[0]["reason_uri"] == "agm.errors.failure"
    assert call(outsider, server)[0]["reason_uri"] == "agm.errors.invocation.failure"
    assert call(no_member, server)[0]["reason_uri"] == "agm.errors.failure"
    assert server.take() == []


@pytest.mark.parametrize("way", ["close", "leave"])
def test_a_callee_that_goes_fails_the_call_at_once(pair: tuple[Client, Client], way: str) -> None:
    server, client = pair
    call(client, server)

    if way == "close":
        server.close()
    else:
        server.ask(type="leave", destination="agm")

    error, *rest = client.take()
    assert (error["type"], error["request_id"]) == ("error", "c")
    assert error["reason_uri"] == "agm.errors.invocation.failure"
    assert [frame["type"] for frame in rest] == ["methods-removed", "peer-removed"]


def test_withdrawing_a_method_leaves_its_calls_alone(pair: tuple[Client, Client]) -> None:
    server, client = pair
    call(client, server)
    [invoked] = server.take()
    server.ask(domain="agm", type="unregister", methods=["0"])
    client.take()

    server.send(domain="agm", type="yield", invocation_id=invoked["invocation_id"], result=1)

    assert [frame["type"] for frame in client.take()] == ["result"]


def test_an_answer_for_a_caller_that_has_gone_is_dropped(pair: tuple[Client, Client]) -> None:
    server, client = pair
    call(client, server)
    [invoked] = server.take()
    client.close()
    server.take()

    assert server.send(domain="agm", type="yield", invocation_id=invoked["invocation_id"]) == []


def test_only_the_callee_answers_and_only_once(pair: tuple[Client, Client]) -> None:
    server, client = pair
    call(client, server)
    [invoked] = server.take()

    answer = {"domain": "agm", "type": "yield", "invocation_id": invoked["invocation_id"]}
    assert client.send(**answer, result="forged") == []
    server.send(**answer, result="real")
    server.send(**answer, result="again")

    assert [frame["result"] for frame in client.take()] == ["real"]


def test_an_error_that_belongs_to_nothing_comes_back(pair: tuple[Client, Client]) -> None:
    server, _ = pair

    [error] = server.send(domain="agm", type="error", request_id="nope", reason_uri="u", reason="r")

    assert error["reason_uri"] == "agm.errors.subscription.invalid_subscription"


def test_waiting_calls_are_bounded(pair: tuple[Client, Client]) -> None:
    server, client = pair
    usage = client.core.router.state.usage
    usage.add("user1", usage.most - usage.of("user1"))
    for _ in range(FREE_CALLS):
        assert call(client, server) == []

    assert call(client, server)[0]["reason_uri"] == "agm.errors.limits_exceeded"
    server.send(domain="agm", type="yield", invocation_id=server.take()[0]["invocation_id"])
    client.take()
    assert call(client, server) == []


class EveryCallIsAnswered(RuleBasedStateMachine):
    """Whatever peers do, each call gets exactly one answer in the end, unless the caller has gone."""

    clients = Bundle("clients")

    @initialize()
    def start(self) -> None:
        self.core = Core()
        self.calls: dict[tuple[Client, str], int] = {}
        self.all: list[Client] = []
        self.number = 0

    @rule(target=clients, user=st.sampled_from(["u", "v"]))
    def arrive(self, user: str) -> Client:
        client = self.core.connect(f"app{len(self.all)}", user, "agm")
        client.send(request_id="r", domain="agm", type="register", methods=[{"id": "0", "name": "m"}])
        self.all.append(client)
        return client

    @rule(caller=clients, callee=clients)
    def call(self, caller: Client, callee: Client) -> None:
        if not caller.is_open:
            return
        self.number += 1
        self.calls[caller, f"call-{self.number}"] = 0
        self.look()
        self.core.router.receive(
            caller,
            (
                f'{{"domain":"agm","type":"call","server_id":"{callee.peer_id}","method_id":"0",'
                f'"request_id":"call-{self.number}","peer_id":"{caller.peer_id}"}}'
            ).encode(),
        )
        self.look()

    @rule(client=clients, how=st.sampled_from(["yield", "error"]), which=st.integers(0, 5))
    def answer(self, client: Client, how: str, which: int) -> None:
        waiting = list(self.invoked.get(client, ()))
        if not client.is_open or not waiting:
            return
        invocation = waiting[which % len(waiting)]
        if how == "yield":
            client.core.router.receive(client, _text(client, type="yield", invocation_id=invocation))
        else:
            client.core.router.receive(client, _text(client, type="error", request_id=invocation))
        self.look()

    @rule(client=clients)
    def leave(self, client: Client) -> None:
        if client.is_open:
            client.core.router.receive(client, _text(client, domain="global", type="leave", destination="agm"))
            self.look()

    @rule(client=clients)
    def go(self, client: Client) -> None:
        if client.is_open:
            client.close()
            self.look()

    @property
    def invoked(self) -> dict[Client, set[str]]:
        if not hasattr(self, "_invoked"):
            self._invoked: dict[Client, set[str]] = {}
        return self._invoked

    def look(self) -> None:
        for client in self.all:
            for frame in client.take():
                if frame["type"] == "invoke":
                    self.invoked.setdefault(client, set()).add(frame["invocation_id"])
                elif (client, frame.get("request_id")) in self.calls:
                    self.calls[client, frame["request_id"]] += 1

    def teardown(self) -> None:
        if not hasattr(self, "all"):
            return
        for client in self.all:
            if client.is_open:
                client.core.router.receive(client, _text(client, domain="global", type="leave", destination="agm"))
        self.look()
        assert {call for (client, call), count in self.calls.items() if client.is_open and count != 1} == set()
        assert {call for (_, call), count in self.calls.items() if count > 1} == set()


def _text(client: Client, **message: Any) -> bytes:
    return json.dumps({"domain": "agm", "peer_id": client.peer_id, **message}).encode()


TestEveryCallIsAnswered = pytest.mark.long(EveryCallIsAnswered.TestCase)
TestEveryCallIsAnswered.settings = settings(max_examples=25, stateful_step_count=25)
