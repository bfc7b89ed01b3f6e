"""The flight recorder: headers of the last messages."""

import json

from rostrum.gateway.recorder import MOST_KINDS, Recorder
from rostrum.gateway.router import Router
from tests.gateway.core import Client, Core


def recorded(core: Core, **options: bool) -> tuple[Recorder, Client]:
    recorder = Recorder(5, lambda: 12.5, keep_payloads=options.get("keep_payloads", False))
    core.router = Router("T", core._authenticate, core.tokens, recorder)
    return recorder, core.connect("A", "user1", "agm")


def test_it_remembers_the_last_headers_and_no_payloads() -> None:
    recorder, client = recorded(Core())
    client.ask(domain="agm", type="register", methods=[{"id": 1, "name": "secret name"}], request_id="x")

    recent = recorder.recent()

    assert len(recent) == 5
    received, added, success = recent[-3:]
    assert (received["direction"], received["peer"], received["type"]) == ("in", client.peer_id, "register")
    assert (received["time"], received["domain"], received["request_id"]) == (12.5, "agm", "x")
    assert (added["direction"], added["type"], success["type"]) == ("out", "methods-added", "success")
    assert "secret name" not in json.dumps(recent)


def test_payloads_are_stored_if_configured() -> None:
    recorder, client = recorded(Core(), keep_payloads=True)
    client.send(domain="agm", type="register", methods=[{"id": 1, "name": "visible"}])

    assert "visible" in recorder.recent()[-3]["payload"]


def test_it_counts_by_type_and_receivers() -> None:
    core = Core()
    recorder, client = recorded(core)
    others = [core.connect(name, "user1", "agm") for name in "BC"]
    frames = recorder.frames

    client.ask(domain="agm", type="register", methods=[{"id": 1, "name": "m"}])

    assert recorder.received["agm", "register"] == 1
    assert recorder.sent["agm", "methods-added"] == 2
    assert recorder.frames - frames == len(others) + 2


def test_made_up_types_do_not_fill_the_memory() -> None:
    recorder, client = recorded(Core())

    for number in range(MOST_KINDS + 50):
        client.send(domain="agm", type=f"made up {number}")
    client.send(domain="agm", type=["no", "text"])
    client.send(domain="x" * 10_000, type="y" * 10_000)

    assert len(recorder.received) <= MOST_KINDS + 1
    assert len(json.dumps(recorder.recent())) < 5000


def test_clients_without_sign_in_are_recorded_without_a_name() -> None:
    core = Core()
    recorder, client = recorded(core)

    core.stranger().send(domain="agm", type="register", peer_id=client.peer_id)

    assert recorder.recent()[-2]["peer"] is None


def test_long_names_are_not_kept() -> None:
    recorder, client = recorded(Core())
    long = "x" * 1_000_000
    client.send(domain=long, type=long, request_id=long)
    client.send(domain="global", type="create-token", request_id=long)
    client.send(domain="agm", type="call", request_id=[long])

    assert len(repr(recorder._ring)) < 5000
