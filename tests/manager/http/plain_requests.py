"""Requests that are given to the application as they are: clients cannot send some of them, and take longer.

Tests that send thousands of requests use these: a client spends more time on each of them than the manager.
"""

import asyncio
import json
from base64 import b64encode
from typing import Any

from tests.conftest import ADMIN, Api

Headers = list[tuple[bytes, bytes]]


class Answer:
    """An answer to a request that was put together by hand."""

    def __init__(self) -> None:
        self.status_code = 0
        self.content = b""
        self.headers: Headers = []

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self) -> Any:
        return json.loads(self.content)


def request_scope(method: str, path: bytes, query: bytes, headers: Headers) -> dict[str, Any]:
    """Describe a request as a server does for the application."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path.decode("latin-1"),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": headers,
        "server": ("manager.example.com", 80),
        "client": ("127.0.0.9", 4711),
    }


async def send(
    api: Api,
    method: str,
    target: bytes,
    headers: Headers | None = None,
    pieces: list[bytes] | None = None,
    *,
    user: tuple[str, str] | None = ADMIN,
) -> Answer:
    """Send exactly these bytes to the application, as the administrator by default."""
    path, _, query = target.partition(b"?")
    given = [(name.lower(), value) for name, value in headers or []]
    if user is not None and not any(name == b"authorization" for name, _ in given):
        given.append((b"authorization", b"Basic " + b64encode(":".join(user).encode())))
    scope = request_scope(method, path, query, [(b"host", b"manager.example.com"), *given])
    waiting = list(pieces or [b""])
    answer, is_answered = Answer(), asyncio.Event()

    async def receive() -> dict[str, Any]:
        if not waiting:
            # The caller stays until the answer is complete.
            await is_answered.wait()
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def take(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status_code, answer.headers = message["status"], list(message["headers"])
        else:
            answer.content += message.get("body", b"")
            if not message.get("more_body", False):
                is_answered.set()

    async with asyncio.timeout(30):
        await api.app(scope, receive, take)
    return answer


async def send_body(api: Api, method: str, path: str, body: bytes, kind: str = "application/json") -> Answer:
    """Send a body that calls itself JSON unless something else is said, as the administrator."""
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    return await send(api, method, path.encode(), headers, [body])


async def send_json(api: Api, method: str, path: str, value: Any) -> Answer:
    """Send a value as JSON, as the administrator."""
    return await send_body(api, method, path, json.dumps(value, ensure_ascii=False).encode())
