"""A platform that delivers broadcasts by the lease, as the hub of a browser does, on connections that a test moves."""

import json
from collections import deque
from typing import Any

import msgspec

from rostrum.agents.link_messages import FromPlatform
from rostrum.agents.user_agent import UserAgent
from rostrum.base.ids import new_id
from tests.fdc3.platform import ORIGIN, request

Message = dict[str, Any]
CHANNEL = "orders"
TYPE = "fdc3.instrument"
MOST_UNREPORTED = 3


class _Link:
    def __init__(self, down: deque[Message]) -> None:
        self.id = new_id()
        self.is_platform = self.is_external = self.can_deliver = True
        self._down = down

    def send(self, event: Message) -> None:
        self._down.append(json.loads(msgspec.json.encode(event)))


class Hub:
    """Its messages wait in ``up`` and ``down`` until the test moves them, what it has delivered in ``unreported``."""

    def __init__(self, agent: UserAgent, name: str, apps: tuple[str, ...]) -> None:
        self.agent = agent
        self.up: deque[Message] = deque()
        self.down: deque[Message] = deque()
        self.got: dict[str, list[str]] = {f"{name}-{app}": [] for app in apps}
        self.responses: dict[str, Message] = {}
        self.listeners: dict[str, list[str]] = {connection: [] for connection in self.got}
        self.secrets: dict[str, tuple[str, str]] = {}
        self.ready: set[str] = set()
        self.delivered_here = 0
        self.unreported: list[Message] = []
        self.is_closed = False
        self._unconfirmed: list[Message] = []
        self._connect()
        for connection in self.got:
            self._introduce(connection)
        self.settle()

    def broadcast(self, connection: str, text: str) -> bool:
        """Broadcast a context of an app; return whether the app is connected."""
        if connection not in self.ready:
            return False
        context = {"type": TYPE, "text": text}
        message = request("broadcastRequest", text, {"channelId": CHANNEL, "context": context})
        receivers = self.routes.get(connection)
        if not self.lease or self.carried_out != self.sent or receivers is None:
            self._tell(connection, message)
            return True
        if not self.ready.issuperset(receivers):
            self._tell(connection, message)
            return True
        self.number += 1
        self.delivered_here += 1
        report: Message = {"kind": "Delivered", "connection": connection, "message": json.dumps(message)}
        report |= {"lease": self.lease, "number": self.number, "receivers": receivers}
        self._unconfirmed.append(report)
        self.unreported.append(report)
        for each in receivers:
            self.got[each].append(text)
        if len(self.unreported) >= MOST_UNREPORTED:
            self.report()
        return True

    def report(self) -> None:
        """Send what was delivered to the agent: the browser does so a moment after delivering."""
        self.up.extend(self.unreported)
        self.unreported = []

    def ask(self, connection: str, type_: str, **payload: Any) -> str:
        """Send another request of an app; return its id."""
        id_ = new_id()
        if connection in self.ready:
            self._tell(connection, request(type_, id_, payload))
        return id_

    def move_up(self) -> None:
        """Let the agent carry out the oldest message."""
        if self.up:
            self.agent.handle(self.link, [msgspec.convert(self.up.popleft(), FromPlatform)])

    def move_down(self) -> None:
        """Take the oldest event of the agent."""
        if self.down:
            self._take(self.down.popleft())

    def settle(self) -> None:
        """Move everything."""
        while self.up or self.down or self.unreported:
            self.report()
            self.move_up()
            self.move_down()

    def close(self) -> None:
        """Close the page, which sends its last reports; the connection ends after the agent has received everything."""
        self.report()
        while self.up:
            self.move_up()
        self.is_closed = True
        self.ready.clear()
        self.down.clear()
        self.agent.detach(self.link)

    def cut(self) -> None:
        """Lose the connection with all that is on its way, and connect again."""
        if self.is_closed:
            return
        self.up.clear()
        self.down.clear()
        self.unreported = []
        self.agent.detach(self.link)
        self._connect()
        for connection, (instance, secret) in self.secrets.items():
            facts = {"instanceId": instance, "instanceUuid": secret}
            self._send({"kind": "Connect", **self._facts(connection), **facts})
        self.up.extend(self._unconfirmed)

    def _connect(self) -> None:
        self.down = deque()
        self.link = _Link(self.down)
        self.lease, self.number = "", 0
        self.routes: dict[str, list[str]] = {}
        self.sent, self.carried_out, self.routing = 0, -1, -1
        self.ready.clear()
        self.agent.attach(self.link)

    def _introduce(self, connection: str) -> None:
        self._send({"kind": "Connect", **self._facts(connection)})
        url = f"{ORIGIN}/{self._app(connection)}/"
        meta = {"connectionAttemptUuid": connection, "timestamp": "2026-11-16T10:00:00.000Z"}
        payload = {"identityUrl": url, "actualUrl": url}
        self._tell(connection, {"type": "WCP4ValidateAppIdentity", "payload": payload, "meta": meta})

    def _facts(self, connection: str) -> Message:
        app = self._app(connection)
        return {"connection": connection, "place": f"place-{connection}", "origin": ORIGIN, "appId": app}

    def _app(self, connection: str) -> str:
        return connection.split("-")[1]

    def _tell(self, connection: str, message: Message) -> None:
        self._send({"kind": "AppMessage", "connection": connection, "message": json.dumps(message)})

    def _send(self, message: Message) -> None:
        self.report()
        self.sent += 1
        self.up.append(message)

    def _take(self, event: Message) -> None:
        kind = event["kind"]
        if kind == "message":
            self._deliver(event["connection"], event["payload"])
        elif kind == "resumed":
            self.ready.add(event["connection"])
        elif kind == "recall":
            self.lease, self.routes = "", {}
            self._send({"kind": "LeaseReturned", "lease": event["lease"]})
        elif kind == "lease":
            self._update(event)
        elif kind == "unavailable":
            self.cut()

    def _update(self, event: Message) -> None:
        if event["lease"] != self.lease:
            self.lease, self.number, self._unconfirmed = event["lease"], 0, []
        if event["routing"] != self.routing:
            self.routes = {}
        self.routing, self.carried_out = event["routing"], event["messages"]
        self._unconfirmed = [one for one in self._unconfirmed if one["number"] > event["delivered"]]
        self.routes |= {one["connection"]: one["receivers"] for one in event["routes"]}

    def _deliver(self, connection: str, message: Message) -> None:
        if message["type"] == "broadcastEvent":
            self.got[connection].append(message["payload"]["context"]["text"])
        elif message["type"] == "WCP5ValidateAppIdentityResponse":
            self.secrets[connection] = (message["payload"]["instanceId"], message["payload"]["instanceUuid"])
            self.ready.add(connection)
        elif "requestUuid" in message["meta"]:
            self.responses[message["meta"]["requestUuid"]] = message["payload"]
            if "listenerUUID" in message["payload"]:
                self.listeners[connection].append(message["payload"]["listenerUUID"])
