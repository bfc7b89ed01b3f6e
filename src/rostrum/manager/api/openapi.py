"""The OpenAPI document that docs and clients are made from, and the page that shows it."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from html import escape
from typing import Any

from litestar import Litestar, Request, Response, Router, get
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.openapi.spec import Components, License, OpenAPI, SecurityScheme
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from rostrum import __version__
from rostrum.base import json_text
from rostrum.contracts.body import Body, View
from rostrum.manager.api.answers import answer_bytes
from rostrum.manager.api.authentication import PUBLIC
from rostrum.manager.api.cookies import COOKIE
from rostrum.manager.api.request import ManagerRequest

__all__ = ["openapi_config", "openapi_document"]

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem; text-transform: capitalize }
details { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .5rem 0 }
summary { cursor: pointer } code { font-family: ui-monospace, monospace; font-size: .9em }
.method { display: inline-block; width: 4.5rem; font-weight: 600 }
table { border-collapse: collapse; margin: .5rem 0 } td { padding: .15rem 1rem .15rem 0; vertical-align: top }
"""


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
                "basic": SecurityScheme(type="http", scheme="basic"),
                "bearer": SecurityScheme(type="http", scheme="bearer", bearer_format="JWT"),
                "cookie": SecurityScheme(type="apiKey", name=COOKIE, security_scheme_in="cookie"),
            }
        ),
        security=[{"basic": []}, {"bearer": []}, {"cookie": []}],
        render_plugins=[DocsPage(path="/")],
        use_handler_docstrings=True,
    )


class _Config(OpenAPIConfig):
    """The framework's settings of the document, for a document of our own making."""

    def to_openapi_schema(self) -> OpenAPI:
        bare = super().to_openapi_schema()
        return _Document(**{field.name: getattr(bare, field.name) for field in fields(bare)})


class _Document(OpenAPI):
    """The framework knows the routes; pydantic knows the bodies, with their names on the wire and every limit."""

    def to_schema(self) -> dict[str, Any]:
        document = super().to_schema()
        schemas = document["components"]["schemas"]
        schemas.update((name, schema) for name, schema in _contracts().items() if name in schemas)
        for item in document["paths"].values():
            for operation in item.values():
                _complete(operation)
        return document


_CONDITIONS = {
    "304": ("If-None-Match", "ETags that the caller has: what has not changed is not sent again."),
    "412": ("If-Match", "ETags of what the caller has read: nothing newer is overwritten."),
}


def _complete(operation: dict[str, Any]) -> None:
    """Say what the signature of a handler does not: conditions in headers, and bodies that may be left out."""
    conditions = [
        {"name": name, "in": "header", "required": False, "description": words, "schema": {"type": "string"}}
        for status, (name, words) in _CONDITIONS.items()
        if status in operation["responses"]
    ]
    if conditions:
        operation["parameters"] = [*operation.get("parameters", []), *conditions]
    body = operation.get("requestBody")
    if body is not None:
        kinds = [kind for content in body["content"].values() for kind in content["schema"].get("oneOf", [])]
        body["required"] = {"type": "null"} not in kinds


@cache
def _contracts() -> dict[str, Any]:
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        *((model, "validation") for model in _below(Body)),
        *((model, "serialization") for model in _below(View)),
    ]
    schemas: dict[str, Any] = models_json_schema(models, ref_template="#/components/schemas/{model}")[1]["$defs"]
    return schemas


def _below(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for child in model.__subclasses__():
        yield child
        yield from _below(child)


@get("/openapi.json", include_in_schema=False, opt={PUBLIC: True}, sync_to_thread=False)
def openapi_document(request: ManagerRequest) -> Response[Any]:
    """Answer the document."""
    return answer_bytes(request, _document(request.app))


@cache
def _document(app: Litestar) -> bytes:
    # Making it takes a while, and it never changes while the server runs.
    return json_text.dump(app.openapi_schema.to_schema())


class DocsPage(OpenAPIRenderPlugin):
    """A plain page of every operation; it loads nothing from anywhere else."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # noqa: ARG002
        """Write the page."""
        groups: dict[str, list[str]] = {}
        for path, item in openapi_schema["paths"].items():
            for method, operation in item.items():
                if isinstance(operation, dict) and "responses" in operation:
                    tag = (operation.get("tags") or ["other"])[0]
                    groups.setdefault(tag, []).append(_operation(method, path, operation))
        body = "".join(f"<h2>{escape(tag)}</h2>{''.join(items)}" for tag, items in sorted(groups.items()))
        info = openapi_schema["info"]
        page = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rostrum manager API</title>'
            f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
            f"<h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>"
            f'<p>{escape(info.get("summary", ""))} <a href="openapi.json">OpenAPI 3.1 document</a></p>'
            f"{body}</html>"
        )
        return page.encode()


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = [
        f"<tr><td><code>{escape(parameter['name'])}</code><td>{escape(parameter['in'])}"
        f"<td>{escape(parameter.get('description') or '')}"
        for parameter in operation.get("parameters") or []
    ]
    rows += [
        f"<tr><td>body<td>{escape(kind)}<td><code>{escape(_name(content))}</code>"
        for kind, content in (operation.get("requestBody") or {}).get("content", {}).items()
    ]
    rows += [
        f"<tr><td>{escape(code)}<td>{escape(response.get('description') or '')}<td>"
        + ", ".join(f"<code>{escape(_name(content))}</code>" for content in (response.get("content") or {}).values())
        for code, response in operation["responses"].items()
    ]
    return (
        f'<details><summary><span class="method">{method.upper()}</span> <code>{escape(path)}</code> '
        f"{escape(operation.get('description') or operation.get('summary') or '')}</summary>"
        f"<table>{''.join(rows)}</table></details>"
    )


def _name(content: dict[str, Any]) -> str:
    schema = content.get("schema") or {}
    reference = schema.get("$ref", "")
    return reference.rpartition("/")[2].rpartition("_")[2] if reference else str(schema.get("type") or "any")
