"""The gateway as one thing to start and stop: router, log-ins and listener joined."""

import asyncio
import logging
from http import HTTPStatus

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.ids import new_id
from rostrum.gateway.authentication import AnyLocalUser, Authenticator, SecretCheck
from rostrum.gateway.logins import Rejected
from rostrum.gateway.messages.global_domain import Hello
from rostrum.gateway.options import GatewayOptions
from rostrum.gateway.router import Router
from rostrum.gateway.server import WebSocketServer
from rostrum.gateway.state import Source
from rostrum.gateway.tokens import Tokens

__all__ = ["Gateway"]

_log = logging.getLogger("rostrum.gateway")


class Gateway:
    """An embedded gateway."""

    def __init__(
        self, options: GatewayOptions | None = None, secrets: SecretCheck | None = None, clock: Clock | None = None
    ) -> None:
        """Take the options, and what user names and secrets are checked with."""
        self.options = options or GatewayOptions()
        self._clock = clock or SystemClock()
        self._tokens = Tokens(self._clock)
        self._authenticator = Authenticator(self._tokens, secrets or AnyLocalUser())
        self._logins: set[asyncio.Task[None]] = set()
        self.router = Router(
            new_id(),
            self._authenticate,
            self._tokens.gateway_token,
            case_sensitive_users=self.options.case_sensitive_users,
        )
        self._server = WebSocketServer(self, self.options, self._clock.monotonic)

    @property
    def address(self) -> str:
        """Give the address that clients connect to."""
        host = self.options.host
        return f"ws://{f'[{host}]' if ':' in host else host}:{self._server.port}"

    async def start(self) -> None:
        """Begin to listen."""
        await self._server.start()

    async def stop(self) -> None:
        """Close every connection, and stop."""
        for login in self._logins:
            login.cancel()
        await self._server.stop()

    def receive(self, source: Source, payload: bytes) -> None:
        """Carry out one frame."""
        try:
            self.router.receive(source, payload)
        except Exception:  # noqa: BLE001 - the outermost place
            # A fault of ours must not end the sender's connection, let alone another's.
            _log.exception("a message could not be carried out")
            self.router.state.out.items.clear()

    def disconnect(self, source: Source) -> None:
        """Remove everyone who came through a source."""
        self.router.disconnect(source)

    def answer(self, path: str, authorization: str) -> tuple[HTTPStatus, bytes]:
        """Answer a plain HTTP request."""
        del path, authorization
        return HTTPStatus.UPGRADE_REQUIRED, b"this is the address of a gateway: connect to it with a WebSocket\n"

    def _authenticate(self, source: Source, hello: Hello) -> None:
        task = asyncio.get_running_loop().create_task(self._judge(source, hello))
        self._logins.add(task)
        task.add_done_callback(self._logins.discard)

    async def _judge(self, source: Source, hello: Hello) -> None:
        try:
            verdict = await self._authenticator.judge(f"{id(source)}", hello.authentication)
        except Exception:  # noqa: BLE001 - a checker may be anybody's
            _log.exception("a log-in could not be checked")
            verdict = Rejected("The log-in could not be checked")
        self.router.decide(source, hello, verdict)
