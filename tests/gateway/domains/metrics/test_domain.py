"""Metrics are taken, and never answered."""

from tests.gateway.core import Core


def test_metrics_are_taken_without_an_answer() -> None:
    client = Core().connect("A")
    client.join("metrics", options={"system": "S", "service": "V", "instance": "I"})

    assert client.send(domain="metrics", type="define", metrics=[{"name": "/m", "type": "number"}]) == []
    assert client.send(domain="metrics", type="publish", values=[{"name": "/m", "value": 1}]) == []
    assert client.ask(type="leave", destination="metrics")["domain"] == "metrics"


def test_unknown_messages_are_refused() -> None:
    answer = Core().connect("A", "user1", "metrics").ask(domain="metrics", type="explode")

    assert answer["reason_uri"] == "metrics.errors.unhandled_message"
