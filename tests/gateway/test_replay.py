"""The frames recorded on the reference, played to the core: it gives the recorded answers, ids aside."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.core import Client, Core, Frame

DATA = Path(__file__).parent / "data"
ID = re.compile(r"^[pirca]-N-\d+$")

# Those who went away without a message: the first recorded frame that reports it.
GONE = {("register without join", "A", "peer-removed"): "D", ("pending call, callee leaves", "B", "error"): "A"}


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def corrected(scenario: str, who: str, frame: Frame) -> Frame | None:
    """Give what we send in place of a recorded frame; nothing where the reference should have been silent."""
    kind, request = frame["type"], frame.get("request_id")
    if frame.get("delta") == {"added": {"hacked": 1}} or (who == "C" and kind == "context-destroyed"):
        return None  # A user can neither change nor see contexts of another user.
    if who == "D" and frame.get("context_id") == "c-N-29":
        return None
    if request == "C-5":
        return {**frame, "type": "error", "reason_uri": "global.errors.failure", "reason": ""}
    if scenario == "wrong session":
        return {**frame, "domain": "agm"}
    if scenario == "register without join" and frame["domain"] == "agm":
        if kind == "methods-added":
            return None  # Only members of a domain take part in it.
        return {**frame, "type": "error", "reason_uri": "agm.errors.failure", "reason": ""}
    if isinstance(frame.get("data"), dict):
        # Removing what is not there leaves nothing behind.
        return {**frame, "data": {key: value for key, value in frame["data"].items() if key not in ("hacked", "not")}}
    return frame


class Replay:
    """Plays a recording; the ids of the recording and of this run belong together one to one."""

    def __init__(self) -> None:
        self.core = Core()
        self.ids: dict[str, str] = {}
        self.clients: dict[str, Client] = {}
        self.compared = 0

    def play(self, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            scenario, who, frame = line["scenario"], line["who"], line["frame"]
            client = self.clients.setdefault(who, self.core.stranger(who))
            if line["dir"] == ">>":
                self.core.router.receive(client, json.dumps(self.ours(frame)).encode())
                continue
            gone = GONE.get((scenario, who, frame["type"]))
            if gone is not None and self.clients[gone].is_open:
                self.clients[gone].close()
            expected = corrected(scenario, who, frame)
            if expected is not None:
                self.compare(expected, self.next(client, expected, scenario))
        assert {name: client.got for name, client in self.clients.items() if client.got and client.is_open} == {}

    def next(self, client: Client, expected: Frame, scenario: str) -> Frame:
        assert client.got, f"{scenario}: nothing came where there should be {expected}"
        # The one who leaves is notified of it before and after; nobody waits for this order.
        place = [frame["type"] for frame in client.got].index(expected["type"]) if "leaves" in scenario else 0
        return client.got.pop(place)

    def compare(self, expected: Frame, got: Frame) -> None:
        expected, got = plain(expected), plain(got)
        self.learn(expected, got)
        assert got == self.ours(expected)
        self.compared += 1

    def ours(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.ours(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.ours(member) for member in value]
        return self.ids.get(value, value) if isinstance(value, str) else value

    def learn(self, theirs: Any, ours: Any) -> None:
        if isinstance(theirs, str) and isinstance(ours, str) and ID.match(theirs):
            assert self.ids.setdefault(theirs, ours) == ours
            assert list(self.ids.values()).count(ours) == 1
        elif isinstance(theirs, dict) and isinstance(ours, dict):
            for key in theirs.keys() & ours.keys():
                self.learn(theirs[key], ours[key])


def plain(frame: Frame) -> Frame:
    """Leave out what may differ: tokens, the order of domains, the words of our own refusals."""
    frame = dict(frame)
    if frame["type"] == "welcome":
        frame["available_domains"] = {each["uri"]: each["version"] for each in frame["available_domains"]}
        assert set(frame.pop("options")) == {"access_token"}
    if frame["type"] == "error" and ".errors." in frame["reason_uri"]:
        del frame["reason"]
    return frame


@pytest.mark.parametrize(("name", "least"), [("frames.jsonl", 180), ("client-session.jsonl", 28)])
def test_the_recorded_session_gives_the_recorded_answers(name: str, least: int) -> None:
    replay = Replay()

    replay.play(recorded(name))

    assert replay.compared >= least
