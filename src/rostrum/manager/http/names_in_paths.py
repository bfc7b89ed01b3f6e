"""Gives slashes that belong to names back to the parameters of a path."""

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from rostrum.manager.http.edge import SLASH


class NamesInPaths(ASGIMiddleware):
    """The other half of what the gate does to ``%2F``."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Mend the parameters, in a copy: the router shares them between requests."""
        scope["path_params"] = {
            name: value.replace(SLASH, "/") if isinstance(value, str) else value
            for name, value in scope["path_params"].items()
        }
        await next_app(scope, receive, send)
