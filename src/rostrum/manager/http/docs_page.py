"""The page that describes all operations. It loads nothing from other sites."""

from html import escape
from typing import Any

from litestar import Request
from litestar.openapi.plugins import OpenAPIRenderPlugin

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem; text-transform: capitalize }
details { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .5rem 0 }
summary { cursor: pointer } code { font-family: ui-monospace, monospace; font-size: .9em }
.method { display: inline-block; width: 4.5rem; font-weight: 600 }
table { border-collapse: collapse; margin: .5rem 0 } td { padding: .15rem 1rem .15rem 0; vertical-align: top }
"""


class DocsPage(OpenAPIRenderPlugin):
    """Shows the OpenAPI document without scripts."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # noqa: ARG002
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
