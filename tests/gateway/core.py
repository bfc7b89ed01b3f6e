"""The gateway's core in a test: clients without sockets, a clock that stands still."""

import json
from collections.abc import Iterator
from typing import Any

from rostrum.base.clock import SettableClock
from rostrum.gateway.logins import Admitted, Rejected
from rostrum.gateway.messages.global_domain import Hello
from rostrum.gateway.peer import Source
from rostrum.gateway.router import Router
from rostrum.gateway.tokens import BadToken, Tokens

Frame = dict[str, Any]


class Client(Source):
    """A client: what it sends is carried out at once, what it gets is kept."""

    def __init__(self, core: "Core", name: str) -> None:
        super().__init__("127.0.0.1")
        self.core = core
        self.name = name
        self.got: list[Frame] = []
        self.peer_id = ""
        self._requests = 0

    def deliver(self, head: bytes, tail: bytes | memoryview) -> None:
        self.got.append(json.loads(head + tail))

    def send(self, **message: Any) -> list[Frame]:
        """Send a message as this client's peer; give what came back to it."""
        if self.peer_id:
            message.setdefault("peer_id", self.peer_id)
        return self.send_text(json.dumps(message))

    def send_text(self, text: str | bytes) -> list[Frame]:
        self.core.router.receive(self, text.encode() if isinstance(text, str) else text)
        return self.take()

    def ask(self, **message: Any) -> Frame:
        """Send a request; give its one answer, and keep everything else."""
        self._requests += 1
        request_id = message.setdefault("request_id", f"{self.name}-{self._requests}")
        kept = self.got
        self.got = []
        answers = self.send(**message)
        self.got = kept + [frame for frame in answers if frame.get("request_id") != request_id]
        [answer] = [frame for frame in answers if frame.get("request_id") == request_id]
        return answer

    def take(self) -> list[Frame]:
        """Give what came since the last look."""
        got, self.got = self.got, []
        return got

    def hello(self, user: str = "user1", **identity: Any) -> Frame:
        identity.setdefault("application", self.name)
        authentication = {"method": "secret", "login": user, "secret": "s"}
        welcome = self.ask(type="hello", identity=identity, authentication=authentication)
        assert welcome["type"] == "welcome", welcome
        self.peer_id = welcome["peer_id"]
        return welcome

    def join(self, *domains: str, **more: Any) -> "Client":
        for domain in domains:
            answer = self.ask(type="join", destination=domain, **more)
            assert (answer["domain"], answer["type"]) == (domain, "success"), answer
        return self

    def close(self) -> None:
        self.core.router.disconnect(self)


class Core:
    """A router whose sign-ins are decided at once: every secret but ``wrong`` is good."""

    def __init__(self, **options: Any) -> None:
        self.clock = SettableClock()
        self.tokens = Tokens(self.clock, b"k" * 32)
        self.router = Router("T", self._authenticate, self.tokens, **options)

    def connect(self, name: str = "A", user: str = "user1", *domains: str, **identity: Any) -> Client:
        """Let a client in, into the domains named; it has seen everything that came with that."""
        client = self.stranger(name)
        client.hello(user, **identity)
        client.join(*domains)
        client.take()
        return client

    def stranger(self, name: str = "X") -> Client:
        return Client(self, name)

    def _authenticate(self, source: Source, hello: Hello) -> None:
        given = hello.authentication
        verdict: Admitted | Rejected = Rejected("The user name or the secret is wrong")
        if given.method == "secret" and given.login and given.secret != "wrong":
            is_service = given.secret == "service"
            verdict = Admitted(user=given.login, login=given.login, is_service=is_service, access_token="token")
        elif given.method == "gateway-token":
            try:
                claims = self.tokens.check_gateway(given.token)
                verdict = Admitted(user=claims["user"], claims=claims)
            except BadToken as error:
                verdict = Rejected(str(error))
        self.router.decide(source, hello, verdict)


def of_type(frames: list[Frame], kind: str) -> Iterator[Frame]:
    return (frame for frame in frames if frame["type"] == kind)
