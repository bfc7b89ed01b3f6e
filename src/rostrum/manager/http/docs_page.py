"""The page that describes all operations and sends requests to them. It loads nothing from other sites."""

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from litestar import Request, Response, Router, get
from litestar.datastructures import ResponseHeader
from litestar.openapi.plugins import OpenAPIRenderPlugin

from rostrum.manager.http.page_headers import PAGE_HEADERS

_SCRIPT = "try-it.js"
_JSON = "application/json"

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem; text-transform: capitalize }
details { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .5rem 0 }
summary { cursor: pointer } code { font-family: ui-monospace, monospace; font-size: .9em }
.method { display: inline-block; width: 4.5rem; font-weight: 600 }
table { border-collapse: collapse; margin: .5rem 0 } td { padding: .15rem 1rem .15rem 0; vertical-align: top }
form { margin: .75rem 0; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
form[hidden] { display: none } label { display: block; margin-bottom: .5rem }
input, textarea { display: block; width: 100%; box-sizing: border-box; font: .9em ui-monospace, monospace }
button { font: inherit } pre { overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere }
"""


_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'sha256-{_STYLE_HASH}'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class DocsPage(OpenAPIRenderPlugin):
    """Shows the OpenAPI document. With scripts, each operation has a form that sends a request."""

    def receive_router(self, router: Router) -> None:
        """Add the script of the forms, and the headers of the page."""
        headers = {**PAGE_HEADERS, "Content-Security-Policy": _POLICY}
        router.response_headers = [ResponseHeader(name=name, value=value) for name, value in headers.items()]
        script = files(__package__).joinpath("try_it.js").read_text()

        @get(f"/{_SCRIPT}", include_in_schema=False, sync_to_thread=False)
        def try_it() -> Response[str]:
            return Response(script, media_type="text/javascript", headers={"Cache-Control": "no-cache"})

        router.register(try_it)

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        schemas = openapi_schema["components"]["schemas"]
        groups: dict[str, list[str]] = {}
        for path, item in openapi_schema["paths"].items():
            for method, operation in item.items():
                if isinstance(operation, dict) and "responses" in operation:
                    tag = (operation.get("tags") or ["other"])[0]
                    groups.setdefault(tag, []).append(_operation(method, path, operation, schemas))
        body = "".join(f"<h2>{escape(tag)}</h2>{''.join(items)}" for tag, items in sorted(groups.items()))
        info = openapi_schema["info"]
        page = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rostrum manager API</title>'
            f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
            f'<script src="{escape(request.url.path.rstrip("/"))}/{_SCRIPT}" defer></script>'
            f"<h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>"
            f'<p>{escape(info.get("summary", ""))} <a href="openapi.json">OpenAPI 3.1 document</a></p>'
            f'<p id="caller" hidden></p>{body}</html>'
        )
        return page.encode()


def _operation(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> str:
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
        f"<table>{''.join(rows)}</table>{_form(method, path, operation, schemas)}</details>"
    )


def _form(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the form that sends a request. The script shows it and sends the request."""
    contents = (operation.get("requestBody") or {}).get("content", {})
    if contents and _JSON not in contents:
        return "<p>This operation receives files, so it cannot be tried on this page.</p>"
    fields = [
        f"<label>{escape(parameter['name'])}{'' if parameter.get('required') else ' (optional)'}"
        f'<input name="{escape(parameter["name"])}" data-in="{escape(parameter["in"])}"'
        f"{' required' if parameter.get('required') else ''}></label>"
        for parameter in operation.get("parameters") or []
    ]
    if contents:
        text = json.dumps(_example(contents[_JSON].get("schema") or {}, schemas), indent=2)
        fields.append(f'<label>Body (JSON)<textarea data-in="body" rows="6">{escape(text)}</textarea></label>')
    changes = "" if method == "get" else " This request can change data."
    return (
        f'<form hidden data-method="{method.upper()}" data-path="{escape(path)}">{"".join(fields)}'
        f"<button>Send {method.upper()} request</button>{changes}<output></output></form>"
    )


def _example(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    """Return a value with all required members and no others, as a start for people who write a body."""
    if "$ref" in schema:
        schema = schemas.get(schema["$ref"].rpartition("/")[2], {})
    kind = schema.get("type")
    if kind == "object":
        members = schema.get("properties") or {}
        return {name: _example(members.get(name, {}), {}) for name in schema.get("required") or []}
    return {"string": "", "array": [], "integer": 0, "number": 0, "boolean": False}.get(str(kind))


def _name(content: dict[str, Any]) -> str:
    schema = content.get("schema") or {}
    reference = schema.get("$ref", "")
    return reference.rpartition("/")[2].rpartition("_")[2] if reference else str(schema.get("type") or "any")
