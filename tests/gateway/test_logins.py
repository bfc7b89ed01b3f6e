"""Letting peers in: identities, who counts as whom."""

from typing import Any

import pytest

from rostrum.gateway.logins import MOST_PEERS
from tests.gateway.core import Client, Core, Frame


def hello(client: Client, user: str = "user1", secret: str = "s", **identity: Any) -> Frame:
    authentication = {"method": "secret", "login": user, "secret": secret}
    return client.ask(type="hello", identity=identity, authentication=authentication)


def test_the_welcome_names_the_domains_with_their_versions() -> None:
    welcome = hello(Core().stranger())

    versions = {each["uri"]: each["version"] for each in welcome["available_domains"]}
    assert versions == {"global": 1, "agm": 1, "bus": 1, "metrics": 1, "context": 2, "activity": 2}
    assert welcome["options"]["access_token"]
    assert welcome["peer_id"]


def test_an_identity_is_laid_over_the_machine_and_under_the_user() -> None:
    given = {"application": "a", "user": "someone else", "login": "root", "process": 7, "x": {"y": 1}}
    client = Core().stranger()

    identity = client.ask(
        type="hello", identity=given, authentication={"method": "secret", "login": "user1", "secret": "s"}
    )["resolved_identity"]

    assert identity.pop("instance").startswith("i-")
    assert identity == {**given, "machine": "127.0.0.1", "user": "user1", "login": "user1"}


def test_a_question_mark_stands_for_the_new_peer_id() -> None:
    welcome = hello(Core().stranger(), instance="?", windowId="?", other="?no")

    identity = welcome["resolved_identity"]
    assert (identity["instance"], identity["windowId"]) == (welcome["peer_id"], welcome["peer_id"])
    assert identity["other"] == "?no"


def test_the_same_identity_again_is_refused_until_the_first_has_gone() -> None:
    core = Core()
    first, second = core.stranger("A"), core.stranger("A")
    hello(first, instance="i")

    assert hello(second, instance="i")["reason_uri"] == "global.errors.already_seen"
    assert hello(second, instance="other")["type"] == "welcome"
    first.close()
    assert hello(core.stranger("A"), instance="i")["type"] == "welcome"


def test_one_connection_carries_a_bounded_number_of_peers() -> None:
    core = Core()
    client = core.stranger()
    for number in range(MOST_PEERS):
        assert hello(client, instance=f"i{number}")["type"] == "welcome"

    refused = hello(client, instance="one too many")

    assert (refused["type"], refused["reason"]) == ("error", "The connection has 1000 peers, the most it may have")
    assert hello(core.stranger(), instance="another connection")["type"] == "welcome"


def test_wrong_credentials_leave_the_connection_for_another_try() -> None:
    client = Core().stranger()

    refused = hello(client, secret="wrong")

    assert (refused["type"], refused["peer_id"]) == ("error", None)
    assert (refused["domain"], refused["reason_uri"]) == ("global", "global.errors.authentication.failure")
    assert hello(client)["type"] == "welcome"


@pytest.mark.parametrize(
    "wrong", [{"identity": 7}, {"identity": []}, {"authentication": "x"}, {"authentication": {"login": 7}}]
)
def test_a_hello_of_the_wrong_shape_is_refused(wrong: dict[str, Any]) -> None:
    answer = Core().stranger().ask(**{"type": "hello", **wrong})

    assert answer["reason_uri"] == "global.errors.authentication.failure"


@pytest.mark.rule("R-2.10-2")
@pytest.mark.parametrize(("sensitive", "together"), [(False, True), (True, False)])
def test_user_names_are_one_in_any_case_unless_set_otherwise(sensitive: bool, together: bool) -> None:
    core = Core(case_sensitive_users=sensitive)
    first = core.connect("A", "Ada", "agm")
    second = core.connect("B", "ADA", "agm")

    assert bool(first.take()) is together
    created = first.ask(type="create-context", name="c", data={"x": 1}, lifetime="retained")
    answer = second.ask(type="subscribe-context", context_id=created["context_id"])
    assert (answer["type"] == "subscribed-context") is together


@pytest.mark.rule("R-2.10-2")
@pytest.mark.parametrize(("sensitive", "answer"), [(False, "error"), (True, "welcome")])
def test_the_same_identity_in_another_case_is_the_same_unless_set_otherwise(sensitive: bool, answer: str) -> None:
    core = Core(case_sensitive_users=sensitive)
    hello(core.stranger(), "Ada", application="a", instance="i")

    assert hello(core.stranger(), "ADA", application="a", instance="i")["type"] == answer


def test_a_token_lets_another_program_of_the_user_in() -> None:
    core = Core()
    client = core.connect("A", "Ada")
    token = client.ask(type="create-token")["token"]

    other = core.stranger("B")
    welcome = other.ask(type="hello", authentication={"method": "gateway-token", "token": token})

    assert welcome["resolved_identity"]["user"] == "Ada"
    assert "login" not in welcome["resolved_identity"]
    assert welcome["options"] == {}
