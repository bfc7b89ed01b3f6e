"""The application of the web framework: its routes, and limits that apply before a handler runs.

It contains no part of a manager. The parts are added to each request, so that all managers of a process share the
application: creating it takes longer than all other steps of a start.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache, lru_cache, wraps
from inspect import Parameter, signature
from typing import Any, ClassVar, Self

from litestar import HttpMethod, Litestar, Response, Router
from litestar.di import Provide
from litestar.exceptions import ImproperlyConfiguredException
from litestar.handlers import HTTPRouteHandler
from litestar.plugins import PluginProtocol
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ControllerRouterHandler
from litestar.types.internal_types import PathParameterDefinition, RouteHandlerMapItem
from litestar.utils import join_paths
from msgspec import Struct

from rostrum.manager import admin_page, platform_page
from rostrum.manager.config import ManagerConfig
from rostrum.manager.http.asgi import Receive, Scope, Send
from rostrum.manager.http.authentication import Authentication
from rostrum.manager.http.cacheable_routes import CacheableRoute
from rostrum.manager.http.dependencies import PARTS
from rostrum.manager.http.errors import EXCEPTION_HANDLERS
from rostrum.manager.http.listing import list_query
from rostrum.manager.http.openapi import BodySchemas, openapi_config, openapi_document
from rostrum.manager.http.parameters import refuse_unknown_parameters
from rostrum.manager.http.request import BodyDecoding, ManagerRequest
from rostrum.manager.topic import Routes
from rostrum.manager.topics import TOPICS

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


class _Shape(Struct, frozen=True, kw_only=True):
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


class _Application(Litestar):
    """The framework's application, without work that the manager does not need.

    For each path that it registers, the framework collects the handlers of all other paths. It also loads plugins for
    all libraries that are installed, among them two versions of pydantic.
    """

    _before: ClassVar[dict[str, RouteHandlerMapItem] | None] = None

    def register(self, value: ControllerRouterHandler) -> None:  # type: ignore[override] # As in the framework.
        """Add a value. The paths of a value are distinct, so handlers that it adds need not be collected."""
        self._before = super().route_handler_method_map  # type: ignore[misc]
        super().register(value)
        del self._before

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return plugins

    @property
    def route_handler_method_map(self) -> dict[str, RouteHandlerMapItem]:
        return super().route_handler_method_map if self._before is None else self._before


class _ApiRouter(Router):
    """A router that belongs to one application, so it can be used as it is.

    The framework copies every router, with all handlers and their documentation, and creates routes that only a
    router needs which is an application. Both take a third of the time to create the application.
    """

    def __init__(self, path: str, **options: Any) -> None:
        self._handlers: dict[str, RouteHandlerMapItem] = {}
        super().__init__(path, **options)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def register(self, value: ControllerRouterHandler) -> list[BaseRoute]:
        """Add a handler or a router; the application creates the routes."""
        if not isinstance(value, (HTTPRouteHandler, Router)):
            raise ImproperlyConfiguredException(f"{value} is neither a handler nor a router")
        value.owner = self
        for path, handlers in self.get_route_handler_map(value).items():
            known = self._handlers.setdefault(join_paths([self.path, path]), {})
            if known.keys() & handlers.keys():
                raise ImproperlyConfiguredException(f"{path} has two handlers for the same method")
            known.update(handlers)
        return []

    def answer_options(self) -> None:
        """Add one handler for the method OPTIONS to all paths."""
        options = _Options("/", http_method=HttpMethod.OPTIONS, include_in_schema=False, sync_to_thread=False)
        options(_answer_options).owner = self
        for handlers in self._handlers.values():
            handlers["OPTIONS"] = options

    @property
    def route_handler_method_map(self) -> dict[str, RouteHandlerMapItem]:
        return self._handlers


class _Options(HTTPRouteHandler):
    """The handler for the method OPTIONS at all paths of the API. The framework would create one for each path."""

    _is_registered = False
    _arguments: Any = None

    def on_registration(self, app: Litestar) -> None:
        if not self._is_registered:
            super().on_registration(app)
            self._is_registered = True

    def create_kwargs_model(self, path_parameters: dict[str, PathParameterDefinition]) -> Any:
        """Describe the arguments, which are the same at all paths: path parameters are not used."""
        if self._arguments is None:
            self._arguments = super().create_kwargs_model(path_parameters)
        return self._arguments


def _answer_options(request: ManagerRequest) -> Response[None]:
    allowed = _methods(request.app)[request.scope["path_template"]]
    return Response(None, status_code=204, headers={"Allow": allowed}, media_type="text/plain")


@cache
def _methods(app: Litestar) -> dict[str, str]:
    return {route.path_format: ", ".join(sorted(route.methods)) for route in app.routes if isinstance(route, HTTPRoute)}


@lru_cache(maxsize=_KEPT)
def _application(shape: _Shape, names: frozenset[str]) -> Litestar:
    handlers = [*admin_page.handlers(shape.admin_base), *platform_page.handlers(shape.platform_base)]
    wanted = Provide(list_query)
    for handler in (*api_handlers(), *handlers):
        handler(_with_parts(handler.fn, names))
        # The framework compares all dependencies of a handler with each other, so it gets only those that it has.
        handler.dependencies = {"wanted": wanted} if "wanted" in handler.fn.__annotations__ else {}
    return _Application(
        [*handlers, _api(shape)],
        request_class=ManagerRequest,
        request_max_body_size=shape.max_body,
        multipart_form_part_limit=200,
        middleware=[Authentication()],
        plugins=[BodyDecoding(), BodySchemas()],
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=openapi_config(shape.base),
        logging_config=None,
    )


@cache
def routes() -> tuple[Routes, ...]:
    """Return the handlers of all topics."""
    return tuple(part for topic in TOPICS for part in topic.load_routes())


def api_handlers() -> list[HTTPRouteHandler]:
    """Return all handlers of the API."""
    parts = routes()
    return [openapi_document, *(one for part in parts for one in (*part.handlers, *part.large, *part.huge))]


def cached_reads() -> dict[str, CacheableRoute]:
    """Return what the responses of cached polls depend on, by path below the base path."""
    return {path: read for part in routes() for path, read in part.cached.items()}


def _api(shape: _Shape) -> _ApiRouter:
    # Reports contain files; all other bodies are text.
    large = _ApiRouter(
        "/",
        route_handlers=[handler for part in routes() for handler in part.large],
        request_max_body_size=shape.max_report,
    )
    huge = _ApiRouter(
        "/",
        route_handlers=[handler for part in routes() for handler in part.huge],
        request_max_body_size=shape.max_import,
    )
    # Not a guard: the framework copies the handler for each call of a guard.
    usual = [openapi_document, *(handler for part in routes() for handler in part.handlers)]
    api = _ApiRouter(shape.base, route_handlers=[*usual, large, huge], before_request=refuse_unknown_parameters)
    api.answer_options()
    return api


def _with_parts(function: Callable[..., Any], names: frozenset[str]) -> Callable[..., Any]:
    """Return a function that passes the parts of the manager to a handler: its parameters with the names of parts.

    Parts could also be dependencies of the framework. But it describes each of them again for each handler, which would
    take a third of the time to create the application, and resolves them for each request.
    """
    given = [name for name in function.__annotations__ if name in names]
    if not given:
        return function
    declared = signature(function)
    others = [parameter for parameter in declared.parameters.values() if parameter.name not in given]
    takes_request = "request" in declared.parameters
    if not takes_request:
        others.append(Parameter("request", Parameter.KEYWORD_ONLY, annotation=ManagerRequest))

    @wraps(function)
    async def call(request: ManagerRequest, **arguments: Any) -> Any:
        parts = request.scope[PARTS]  # type: ignore[literal-required]
        arguments.update((name, parts[name]) for name in given)
        if takes_request:
            arguments["request"] = request
        return await function(**arguments)

    call.__signature__ = declared.replace(parameters=others)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in others}
    call.__annotations__["return"] = declared.return_annotation
    return call
