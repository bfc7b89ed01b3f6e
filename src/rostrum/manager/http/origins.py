"""Tells what happens below which operation it belongs to and where the request came from."""

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from rostrum.base.log import request_id
from rostrum.manager.audit.origin import Origin, acting

TOLD = "told"
"""Handlers with this option leave an entry in the audit although they only read."""

_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_LONGEST = 200


class Origins(ASGIMiddleware):
    """Sets the origin that the audit writes down; what only reads needs none."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass a request on under its origin."""
        if scope.get("method") in _READS and not scope["route_handler"].opt.get(TOLD):
            await next_app(scope, receive, send)
            return
        with acting(_origin(scope)):
            await next_app(scope, receive, send)


def _origin(scope: Scope) -> Origin:
    operation = getattr(scope["route_handler"], "operation_id", None)
    client = scope.get("client")
    agent = next((value for name, value in scope["headers"] if name == b"user-agent"), b"")
    return Origin(
        operation=operation if isinstance(operation, str) else getattr(operation, "name", ""),
        address=client[0] if client else "",
        request=request_id.get(),
        agent="".join(letter for letter in agent.decode("latin-1")[:_LONGEST] if letter.isprintable()),
    )
