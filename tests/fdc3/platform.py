"""A platform in a test: it carries messages, opens apps and answers the resolver; every message is checked."""

import itertools
import json
from typing import Any

from rostrum.fdc3 import DesktopAgent, Directory, Limits, Timeouts, UserChannel
from rostrum.fdc3.host import (
    ChannelChanged,
    ChoiceEnded,
    Choose,
    Close,
    Deliver,
    IntentListenersChanged,
    OpenApp,
    Output,
    Refusal,
    Routed,
)
from tests.fdc3 import schemas

ORIGIN = "https://apps.example"
START = 1_800_000_000.0
Message = dict[str, Any]


def record(app_id: str, listens_for: dict[str, Any] | None = None, **members: Any) -> Message:
    """Write an app directory record."""
    intents = {"interop": {"intents": {"listensFor": listens_for}}} if listens_for else {}
    page = {"type": "web", "details": {"url": f"{ORIGIN}/{app_id}/"}}
    return {"appId": app_id, "title": app_id.title(), **page, **intents, **members}


RECORDS = [
    record(
        "chart", {"ViewChart": {"displayName": "View chart", "contexts": ["fdc3.instrument"], "resultType": "channel"}}
    ),
    record("news", {"ViewNews": {"contexts": ["fdc3.instrument", "fdc3.contact"], "resultType": "fdc3.news"}}),
    record("mail", {"StartMail": {"contexts": ["fdc3.contact"]}}),
    record("chat", {"StartChat": {"contexts": ["fdc3.contact"], "resultType": "channel<fdc3.message>"}}),
    record("phone", {"StartCall": {"contexts": ["fdc3.contact"]}, "StartChat": {"contexts": ["fdc3.contact"]}}),
    record("grid", icons=[{"src": "i.png", "size": "16x16", "odd": 1}], version="1.2", description="A grid"),
]
CHANNELS = (UserChannel("red", "Red", "#ff0000"), UserChannel("green", "Green", "#00ff00", "https://x.example/g.png"))
INSTRUMENT = {"type": "fdc3.instrument", "id": {"ticker": "AAPL"}}
CONTACT = {"type": "fdc3.contact", "name": "Ada"}


class App:
    """An app at the other end of a connection."""

    def __init__(self, platform: "Platform", connection: str, app_id: str) -> None:
        self.platform = platform
        self.connection = connection
        self.app_id = app_id
        self.got: list[Message] = []
        self.instance_id = ""
        self.secret = ""

    def send(self, message: Message) -> list[Message]:
        """Send a message that complies; return what came back to this app."""
        schemas.check(message)
        return self.send_text(json.dumps(message).encode())

    def send_text(self, text: bytes) -> list[Message]:
        self.platform.do(self.platform.agent.receive(self.connection, text, self.platform.now))
        return self.take()

    def post(self, type_: str, **payload: Any) -> str:
        """Send a request without a look at what comes back; return its id."""
        uuid = self.platform.next_id("request")
        kept, self.got = self.got, []
        self.got = kept + self.send(request(type_, uuid, payload))
        return uuid

    def ask(self, type_: str, **payload: Any) -> Message:
        """Send a request; return the payload of its response, and keep everything else."""
        uuid = self.post(type_, **payload)
        return self.response(uuid, type_.removesuffix("Request") + "Response")

    def response(self, uuid: str, type_: str) -> Message:
        """Take the one response to a request."""
        [found] = [one for one in self.got if one["meta"].get("requestUuid") == uuid and one["type"] == type_]
        self.got.remove(found)
        assert found["meta"]["source"] == {"appId": self.app_id, "instanceId": self.instance_id}
        payload: Message = found["payload"]
        return payload

    def take(self, type_: str | None = None) -> list[Message]:
        """Take what came since the last look, of one type or all."""
        taken = [one for one in self.got if type_ in (None, one["type"])]
        self.got = [one for one in self.got if one not in taken]
        return taken

    def payloads(self, type_: str) -> list[Message]:
        return [one["payload"] for one in self.take(type_)]

    def validate(self, **members: Any) -> Message:
        """Introduce the app; return the response."""
        url = f"{ORIGIN}/{self.app_id}/"
        payload = {"identityUrl": url, "actualUrl": url, **members}
        meta = {"connectionAttemptUuid": self.platform.next_id("attempt"), "timestamp": "2026-11-16T10:00:00.000Z"}
        kept, self.got = self.got, []
        came = self.send({"type": "WCP4ValidateAppIdentity", "payload": payload, "meta": meta})
        [answer] = [one for one in came if one["type"].startswith("WCP5")]
        assert answer["meta"]["connectionAttemptUuid"] == meta["connectionAttemptUuid"]
        self.got = kept + [one for one in came if one is not answer]
        if answer["type"] == "WCP5ValidateAppIdentityResponse":
            self.instance_id = answer["payload"]["instanceId"]
            self.secret = answer["payload"]["instanceUuid"]
        return answer

    def goodbye(self) -> None:
        self.send({"type": "WCP6Goodbye", "meta": {"timestamp": "2026-11-16T10:00:00.000Z"}})

    @property
    def identifier(self) -> Message:
        return {"appId": self.app_id, "instanceId": self.instance_id}


class Platform:
    """One user's platform."""

    def __init__(
        self, records: list[Message] | None = None, limits: Limits | None = None, timeouts: Timeouts | None = None
    ) -> None:
        self._ids = itertools.count(1)
        self.agent = DesktopAgent(
            Directory(RECORDS if records is None else records),
            CHANNELS,
            provider_version="1.2.3",
            limits=limits or Limits(),
            timeouts=timeouts or Timeouts(),
        )
        self.now = START
        self.apps: dict[str, App] = {}
        self.opened: list[OpenApp] = []
        self.choices: list[Choose] = []
        self.withdrawn: list[str] = []
        self.refusals: list[Refusal] = []
        self.closed: list[Close] = []
        self.shown: dict[str, str | None] = {}
        self.handled: dict[str, tuple[str, ...]] = {}
        self.mirrored: list[tuple[str, str, Message]] = []

    def next_id(self, what: str) -> str:
        return f"{what}-{next(self._ids)}"

    def connect(self, app_id: str, /, **facts: Any) -> App:
        """Make a connection of an app that has not introduced itself."""
        app = App(self, self.next_id("connection"), app_id)
        facts.setdefault("origin", ORIGIN)
        assert self.agent.connect(app.connection, self.now, **facts)
        self.apps[app.connection] = app
        return app

    def start(self, app_id: str, /, **facts: Any) -> App:
        """Make a connection of an app that has introduced itself."""
        app = self.connect(app_id, **facts)
        answer = app.validate()
        assert answer["type"] == "WCP5ValidateAppIdentityResponse", answer
        return app

    def end(self, app: App) -> None:
        self.do(self.agent.disconnect(app.connection, self.now))
        self.apps.pop(app.connection, None)

    def answer(self, answer: Any) -> None:
        self.do(self.agent.answer(answer, self.now))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.do(self.agent.expire(self.now))

    def do(self, outputs: list[Output]) -> None:
        for output in outputs:
            assert not isinstance(output, Routed), "nobody asked for routes"
            if isinstance(output, Deliver):
                message = json.loads(output.payload)
                schemas.check(message)
                self.apps[output.connection].got.append(message)
            elif isinstance(output, OpenApp):
                self.opened.append(output)
            elif isinstance(output, Choose):
                self.choices.append(output)
            elif isinstance(output, ChoiceEnded):
                self.withdrawn.append(output.request)
            elif isinstance(output, Refusal):
                self.refusals.append(output)
            elif isinstance(output, Close):
                self.closed.append(output)
            elif isinstance(output, ChannelChanged):
                self.shown[output.instance_id] = output.channel_id
            elif isinstance(output, IntentListenersChanged):
                before = [one for one in self.handled.get(output.instance_id, ()) if one not in output.removed]
                self.handled[output.instance_id] = (*before, *output.added)
            else:
                self.mirrored.append((output.channel_id, output.source, json.loads(bytes(output.context))))


def request(type_: str, uuid: str, payload: Message) -> Message:
    """Write a request."""
    return {"type": type_, "payload": payload, "meta": {"requestUuid": uuid, "timestamp": "2026-11-16T10:00:00.000Z"}}
