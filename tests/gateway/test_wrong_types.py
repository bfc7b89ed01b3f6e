"""Every field of every message with every wrong kind of value: an answer or silence, never harm."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rostrum.gateway.domains.domain import Domain
from rostrum.gateway.messages.record import Incoming
from tests.gateway.core import Client, Core
from tests.long_form import cycles

DOMAINS = ("agm", "bus", "context", "activity", "metrics")
VALUES: list[Any] = [
    None,
    True,
    7,
    -1,
    1.5,
    10**30,
    "",
    "x",
    "p-T-2",
    [],
    {},
    [1],
    [None],
    [{}],
    {"a": 1},
    [[]],
    [["x"]],
]


def every_message() -> list[tuple[str, str, tuple[str, ...]]]:
    domains: tuple[Domain, ...] = Core().router._domains
    found = []
    for domain in domains:
        for record in domain.handlers:
            info = msgspec.inspect.type_info(record)
            assert isinstance(info, msgspec.inspect.StructType)
            assert issubclass(record, Incoming)
            kind = str(record.__struct_config__.tag)
            found.append((domain.name, kind, tuple(field.encode_name for field in info.fields)))
    return found


MESSAGES = every_message()


def world() -> tuple[Core, Client, Client]:
    core = Core()
    attacker, other = core.connect("attacker", "user1", *DOMAINS), core.connect("other", "user1", *DOMAINS)
    attacker.take()
    return core, attacker, other


def test_all_domains_are_covered() -> None:
    assert {domain for domain, _, _ in MESSAGES} == {"global", *DOMAINS}
    assert len(MESSAGES) >= 45


@pytest.mark.usual(21)
@pytest.mark.parametrize(
    ("domain", "kind", "fields"), MESSAGES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_no_wrong_value_harms_anyone(domain: str, kind: str, fields: tuple[str, ...]) -> None:
    core, attacker, other = world()
    for name in fields:
        for value in VALUES:
            message = {"domain": domain, "type": kind, "request_id": "r", "peer_id": attacker.peer_id, name: value}
            core.router.receive(attacker, json.dumps(message).encode())
            attacker.take()
    other.take()

    assert other.ask(type="join", destination="agm")["type"] == "success"
    if attacker.is_open:
        core.router.disconnect(attacker)
    assert len(core.router.state.peers) == 1


@pytest.mark.usual(20)
@pytest.mark.parametrize("name", ["domain", "type", "request_id", "peer_id"])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_wrong_envelopes_are_answered(name: str, value: Any) -> None:
    _, attacker, _ = world()

    answers = attacker.send(**{"domain": "agm", "type": "register", "request_id": "r", name: value})

    assert [answer["type"] for answer in answers] == ["error"]
    assert answers[0]["request_id"] in ("r", value if isinstance(value, (str, int)) else None)


@pytest.mark.long
@settings(max_examples=cycles(60))
@given(
    st.sampled_from(MESSAGES).flatmap(
        lambda message: st.fixed_dictionaries(
            {"domain": st.just(message[0]), "type": st.just(message[1])},
            optional={name: st.sampled_from(VALUES) for name in message[2] if name not in ("peer_id", "domain")},
        )
    )
)
def test_any_mixture_of_values_is_answered_or_ignored(message: dict[str, Any]) -> None:
    _, attacker, other = world()

    attacker.send(**message)

    other.take()
    assert other.ask(type="join", destination="agm")["type"] == "success"
