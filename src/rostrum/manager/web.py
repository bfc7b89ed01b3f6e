"""The application of the web framework: its routes, and limits that apply before a handler runs.

It contains no part of a manager. The parts are added to each request, so that all managers of a process share the
application: creating it takes longer than all other steps of a start.
"""

import inspect
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from litestar import Litestar, Router
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope as FrameworkScope

from rostrum.manager import admin_page, platform_page
from rostrum.manager.config import ManagerConfig
from rostrum.manager.http.asgi import Receive, Scope, Send
from rostrum.manager.http.authentication import Authentication
from rostrum.manager.http.dependencies import PARTS
from rostrum.manager.http.errors import EXCEPTION_HANDLERS
from rostrum.manager.http.listing import list_query
from rostrum.manager.http.openapi import openapi_config
from rostrum.manager.http.parameters import refuse_unknown_parameters
from rostrum.manager.http.request import BodyDecoding, ManagerRequest
from rostrum.manager.routes import HANDLERS, HUGE_HANDLERS, LARGE_HANDLERS

_KEPT = 16
"""The number of cached applications with different settings; a server has one."""


class WebApplication:
    """The framework's application, with the parts of one manager."""

    def __init__(self, config: ManagerConfig, parts: Mapping[str, Any]) -> None:
        self._parts = parts
        self._app = _application(_Shape.of(config), frozenset(parts))

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        scope[PARTS] = self._parts
        return self._app(scope, receive, send)  # type: ignore[arg-type] # The framework has types of its own.

    def paths(self) -> frozenset[str]:
        """Return all paths that have a handler, documented or not."""
        return frozenset(route.path_format for route in self._app.routes)

    def openapi(self) -> dict[str, Any]:
        return self._app.openapi_schema.to_schema()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """The settings that the application itself depends on."""

    base: str
    admin_base: str
    platform_base: str
    max_body: int
    max_report: int
    max_import: int

    @classmethod
    def of(cls, config: ManagerConfig) -> "_Shape":
        return cls(
            base=f"/{config.base}",
            admin_base=config.admin_base,
            platform_base=config.platform_base,
            max_body=config.max_body,
            max_report=config.max_crash,
            max_import=config.max_import,
        )


class _ApiRouter(Router):
    """A router that belongs to one application, so it can be used as it is.

    The framework copies every router, with all handlers and their documentation, which takes a fifth of the time to
    create the application.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


@lru_cache(maxsize=_KEPT)
def _application(shape: _Shape, names: frozenset[str]) -> Litestar:
    providers = {**{name: _provider(name) for name in names}, "wanted": Provide(list_query)}
    handlers = [*admin_page.handlers(shape.admin_base), *platform_page.handlers(shape.platform_base)]
    for handler in (*HANDLERS, *LARGE_HANDLERS, *HUGE_HANDLERS, *handlers):
        handler.dependencies = _named_in(handler, providers)
    return Litestar(
        [_api(shape), *handlers],
        request_class=ManagerRequest,
        request_max_body_size=shape.max_body,
        multipart_form_part_limit=200,
        middleware=[Authentication()],
        plugins=[BodyDecoding()],
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=openapi_config(shape.base),
        logging_config=None,
    )


def _api(shape: _Shape) -> _ApiRouter:
    # Reports contain files; all other bodies are text.
    large = _ApiRouter("/", route_handlers=LARGE_HANDLERS, request_max_body_size=shape.max_report)
    huge = _ApiRouter("/", route_handlers=HUGE_HANDLERS, request_max_body_size=shape.max_import)
    return _ApiRouter(shape.base, route_handlers=[*HANDLERS, large, huge], guards=[refuse_unknown_parameters])


def _named_in(handler: HTTPRouteHandler, providers: Mapping[str, Provide]) -> dict[str, Provide]:
    """Select the dependencies that are parameters of the handler.

    The framework compares all dependencies of a handler with each other, so it must not get those of the others.
    """
    parameters = inspect.signature(handler.fn).parameters
    return {name: providers[name] for name in parameters if name in providers}


def _provider(name: str) -> Provide:
    async def provide(scope: FrameworkScope) -> Any:
        return scope[PARTS][name]  # type: ignore[literal-required]

    return Provide(provide)
