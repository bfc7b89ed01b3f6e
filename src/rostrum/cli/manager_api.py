"""rostrum manager api: one request to the API of a running manager, with an API token."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rostrum.cli.output import fail, show_json

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_LARGEST = 16 * 1024 * 1024


def call_api(
    method: Annotated[str, typer.Argument(help="GET, POST, PUT, PATCH or DELETE.", metavar="METHOD")],
    path: Annotated[str, typer.Argument(help="Path below the address, such as /admin/users?limit=10.", metavar="PATH")],
    *,
    url: Annotated[
        str,
        typer.Option(help="Address of the API, such as https://manager.example.com/api.", envvar="ROSTRUM_MANAGER_URL"),
    ],
    body: Annotated[
        Path | None,
        typer.Option(help="File with the JSON body of the request. - stands for standard input.", show_default=False),
    ] = None,
) -> None:
    """Send a request to a running manager and print the JSON response.

    The API token is read from the environment variable ROSTRUM_API_TOKEN, or from the file that the variable
    ROSTRUM_API_TOKEN_FILE names.
    """
    from rostrum.client.api_token import FILE_VARIABLE, VARIABLE, api_token
    from rostrum.client.errors import ServiceFailed
    from rostrum.client.service import Service

    if method.upper() not in _METHODS:
        fail(f"Unknown method {method}. Use one of {', '.join(_METHODS)}.", 2)
    token = api_token(url)
    if token is None:
        fail(f"No API token. Set {VARIABLE}, or set {FILE_VARIABLE} to the path of a file with the token.", 2)
    document = None if body is None else _document(body)

    async def run() -> Any:
        async with Service(url, token) as service:
            return await service.request(method.upper(), f"/{path.lstrip('/')}", json=document)

    try:
        reply = asyncio.run(run())
    except ServiceFailed as error:
        fail(str(error))
    if reply.body is not None:
        show_json(reply.body)


def _document(body: Path) -> Any:
    from rostrum.base import json_text
    from rostrum.base.errors import Invalid

    try:
        if str(body) == "-":
            text = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with body.open("rb") as file:
                text = file.read(_LARGEST + 1)
    except OSError as error:
        fail(f"{body} cannot be read: {error.strerror}")
    if len(text) > _LARGEST:
        fail(f"{body} is larger than {_LARGEST} bytes.")
    try:
        return json_text.parse(text)
    except Invalid as error:
        fail(f"{body} is not valid JSON: {error}")
