"""The OpenAPI document, from which references and clients are generated, and the page that shows it."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache, cached_property
from typing import Any, TypeVar

from litestar import Litestar, Response, Router, get
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, OpenAPI, Schema, SecurityScheme
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from rostrum import __version__
from rostrum.base import json_text
from rostrum.contracts.body import Body, View, model_of
from rostrum.manager.auth.schemes import API_TOKEN_PREFIX, HTTP_SCHEMES
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.cookies import COOKIE
from rostrum.manager.http.docs_page import DocsPage
from rostrum.manager.http.openapi_responses import MEANING, UNCONFIRMED
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer_bytes

_Model = TypeVar("_Model", bound=BaseModel)


def openapi_config(base: str) -> OpenAPIConfig:
    """Describe the API under its base path."""
    return _Config(
        title="Rostrum manager",
        version=__version__,
        summary="Users, apps, layouts, preferences and configuration for desktops.",
        license=License(name="Apache-2.0", identifier="Apache-2.0"),
        openapi_router=Router(f"{base}/docs", route_handlers=[], opt={PUBLIC: True}, include_in_schema=False),
        components=Components(
            security_schemes={
                **{scheme: SecurityScheme(type="http", scheme=scheme) for scheme in HTTP_SCHEMES},
                "bearer": SecurityScheme(type="http", scheme="bearer", bearer_format="JWT"),
                "apiToken": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    bearer_format=f"{API_TOKEN_PREFIX}…",
                    description="An API token. It has the rights of its owner that the token has as well.",
                ),
                "cookie": SecurityScheme(type="apiKey", name=COOKIE, security_scheme_in="cookie"),
            }
        ),
        security=[
            *[{scheme: list[str]()} for scheme in HTTP_SCHEMES],
            {"bearer": []},
            {"apiToken": []},
            {"cookie": []},
        ],
        render_plugins=[DocsPage(path="/")],
        use_handler_docstrings=True,
    )


class BodySchemas(OpenAPISchemaPlugin):
    """The framework's schemas of pydantic models. Its code for them is loaded when the document is created."""

    @cached_property
    def _schemas(self) -> OpenAPISchemaPlugin:
        from litestar.plugins.pydantic import PydanticSchemaPlugin

        return PydanticSchemaPlugin()

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return self._schemas.is_plugin_supported_field(_with_model(field_definition))

    def is_undefined_sentinel(self, value: Any) -> bool:  # type: ignore[override] # The framework has an instance.
        return self._schemas.is_undefined_sentinel(value)

    def is_constrained_field(self, field_definition: FieldDefinition) -> bool:  # type: ignore[override]
        return self._schemas.is_constrained_field(field_definition)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        return self._schemas.to_openapi_schema(_with_model(field_definition), schema_creator)


def _with_model(field: FieldDefinition) -> FieldDefinition:
    kind = field.annotation
    is_view = isinstance(kind, type) and issubclass(kind, View)
    return FieldDefinition.from_annotation(model_of(kind)) if is_view else field


class _Config(OpenAPIConfig):
    """The framework's OpenAPI settings, for a document that we create ourselves."""

    def to_openapi_schema(self) -> OpenAPI:
        bare = super().to_openapi_schema()
        return _Document(**{field.name: getattr(bare, field.name) for field in fields(bare)})


class _Document(OpenAPI):
    """The framework knows the routes; pydantic knows the bodies, with their names on the wire and every limit."""

    def to_schema(self) -> dict[str, Any]:
        document = super().to_schema()
        schemas = document["components"]["schemas"]
        schemas.update((name, schema) for name, schema in _contracts().items() if name in schemas)
        schemas["ProposedView"] = _contracts()["ProposedView"]
        for path, item in document["paths"].items():
            for method, operation in item.items():
                _complete(operation)
                if method != "get" and "/admin/" in path:
                    operation["parameters"] = [*operation.get("parameters", []), *_REASON]
                    operation["responses"]["202"] = _PROPOSED
                if method != "get":
                    _add_refusals_of_writes(operation)
                if method != "get" or operation["operationId"] in _READS_THAT_WRITE:
                    operation["responses"]["507"] = {**operation["responses"]["503"], "description": _NO_ROOM}
        return document


_CONDITIONS = {
    "304": ("If-None-Match", "ETags of versions that the caller has; if one is current, the response is 304."),
    "412": ("If-Match", "ETag of the version that the caller has read; if it is outdated, the response is 412."),
}


_REASON = [
    {
        "name": name,
        "in": "header",
        "required": False,
        "description": f"{words}, for the audit and the history; percent-encoded UTF-8.",
        "schema": {"type": "string", "maxLength": 1000, "pattern": "^[ -~]*$"},
    }
    for name, words in (("Change-Comment", "The reason for the change"), ("Change-Ticket", "The number of a ticket"))
]

_CONFIRMATION = {
    "name": "Confirmation",
    "in": "header",
    "required": False,
    "description": "The response of `POST /me/confirm`, for requests with a session.",
    "schema": {"type": "string"},
}

_PROPOSED = {
    "description": MEANING[202],
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ProposedView"}}},
}
_NO_ROOM = "The disk or a quota is full; no change was made."
_READS_THAT_WRITE = ("fetchCommands",)
"""Fetching commands counts as a heartbeat."""

_TEXT = {"type": "string"}
_FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
_CRASH_FIELDS = (
    "ver", "platform", "process_type", "guid", "_version", "_productName", "prod", "_companyName",
)  # fmt: skip
_FORMS = {
    "sendCrash": {
        "type": "object",
        "properties": {
            **dict.fromkeys(_CRASH_FIELDS, _TEXT),
            "upload_file_minidump": _FILE,
        },
        "additionalProperties": _TEXT,
        "minProperties": 1,
    },
    "sendFeedback": {
        "type": "object",
        "properties": {
            "description": {**_TEXT, "minLength": 1, "maxLength": 60_000, "pattern": r"^[^\x00]*\S[^\x00]*$"},
            "attachment": _FILE,
        },
        "required": ["description"],
    },
}  # fmt: skip


_FILES = frozenset({"importServer"})
"""Operations whose body is a file."""


def _complete(operation: dict[str, Any]) -> None:
    """Add what the signature of a handler does not contain: forms, conditional headers, optional bodies."""
    form = _FORMS.get(operation["operationId"])
    if form is not None:
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form}}}
    if operation["operationId"] in _FILES:
        operation["requestBody"] = {"required": True, "content": {"application/octet-stream": {"schema": _FILE}}}
    conditions = [
        {"name": name, "in": "header", "required": False, "description": words, "schema": {"type": "string"}}
        for status, (name, words) in _CONDITIONS.items()
        if status in operation["responses"]
    ]
    if UNCONFIRMED in operation["responses"].get("403", {}).get("description", ""):
        conditions.append(_CONFIRMATION)
    if conditions:
        operation["parameters"] = [*operation.get("parameters", []), *conditions]
    body = operation.get("requestBody")
    if body is not None:
        kinds = [kind for content in body["content"].values() for kind in content["schema"].get("oneOf", [])]
        body["required"] = {"type": "null"} not in kinds


def _add_refusals_of_writes(operation: dict[str, Any]) -> None:
    """Add the refusals of the edge: writes of other origins, and bodies of other types."""
    responses, refused = operation["responses"], operation["responses"]["400"]
    responses.setdefault("403", {**refused, "description": MEANING[403]})
    if "requestBody" in operation:
        responses.setdefault("415", {**refused, "description": MEANING[415]})


@cache
def _contracts() -> dict[str, Any]:
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        *((model, "validation") for model in _below(Body)),
        *((model_of(view), "serialization") for view in _below(View)),
    ]
    schemas: dict[str, Any] = models_json_schema(models, ref_template="#/components/schemas/{model}")[1]["$defs"]
    return schemas


def _below(model: type[_Model]) -> Iterator[type[_Model]]:
    for child in model.__subclasses__():
        yield child
        yield from _below(child)


@get("/openapi.json", include_in_schema=False, opt={PUBLIC: True}, sync_to_thread=False)
def openapi_document(request: ManagerRequest) -> Response[Any]:
    """Return the document."""
    return answer_bytes(request, _document(request.app))


@cache
def _document(app: Litestar) -> bytes:
    # Created once: it takes time, and does not change while the server runs.
    return json_text.dump(app.openapi_schema.to_schema())
