"""Responses with tokens and other secrets are not stored by browsers and proxies; no response sends a referrer."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from rostrum.contracts.browser_platform import TOKEN_HEADER
from tests.conftest import Api
from tests.manager.http.openapi_document import DOCUMENT

HELLO = {"machine": {"name": "pc"}, "glue": {"version": "4.4"}}
SESSION = {"machine": {"id": "pc"}}
TOKEN = {"name": "nightly", "permissions": [], "expiresInDays": 3}
SHOWN = {"listAudit", "readAuditEntry", "readServer"}
"""Operations whose member is a name, or is masked."""


def members(schema: Any, around: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Yield the names and descriptions of all members of a schema."""
    if isinstance(schema, list):
        for inner in schema:
            yield from members(inner, around)
    if not isinstance(schema, dict):
        return
    name = schema.get("$ref", "").rpartition("/")[2]
    if name and name not in around:
        yield from members(DOCUMENT["components"]["schemas"][name], around | {name})
    for member, inner in schema.get("properties", {}).items():
        yield member, str(inner.get("description", ""))
        yield from members(inner, around)
    for key in ("anyOf", "oneOf", "allOf", "items", "additionalProperties"):
        yield from members(schema.get(key), around)


def with_secrets() -> set[str]:
    """Return the operations whose successful responses have a member for a secret."""
    return {
        operation["operationId"]
        for item in DOCUMENT["paths"].values()
        for operation in item.values()
        for status, response in operation["responses"].items()
        for content in response.get("content", {}).values()
        if status.startswith("2")
        for name, text in members(content.get("schema"))
        if name in ("token", "secret", "password") or "secret" in text.lower()
    }


async def test_responses_with_secrets_are_stored_nowhere(api: Api) -> None:
    ann = await api.add_user("ann")
    robot = await api.admin.post("/admin/users", json={"id": "robot", "service": True})
    assert robot.status_code == 201, robot.text
    await api.admin.post("/admin/users", json={"id": "new"})
    opened = await ann.post("/sessions", json=SESSION)
    token = {"authorization": f"Bearer {opened.json().get('token')}"}
    hello = await ann.post("/user/hello", json=HELLO)
    given = hello.json().get("token")
    answers = {
        "openSession": opened,
        "refreshToken": await api.client().post("/token/refresh", headers=token),
        "platformHello": hello,
        "platformRefresh": await ann.post("/user/refresh", json={"token": given}, headers={TOKEN_HEADER: given}),
        "signIn": await ann.get("/signin"),
        "createOwnToken": await api.admin.post("/me/tokens", json=TOKEN),
        "createToken": await api.admin.post("/admin/tokens", json={**TOKEN, "user": "robot"}),
        "createDirectory": await api.admin.post("/admin/directories", json={"user": "ann"}),
        "createPasswordLinks": await api.admin.post("/admin/password-links", json={"users": ["new"]}),
    }
    assert answers.keys() == with_secrets() - SHOWN
    assert {name: answer.status_code for name, answer in answers.items() if answer.is_error} == {}
    stored = {name for name, answer in answers.items() if "no-store" not in answer.headers["cache-control"]}
    assert stored == set()


@pytest.mark.parametrize("path", ["/api/me", "/api/docs", "/api/nothing", "/api/health/live", "/admin/", "/platform/"])
async def test_no_response_lets_a_browser_send_a_referrer(api: Api, path: str) -> None:
    for method in ("GET", "POST"):
        answer: httpx.Response = await api.admin.request(method, f"http://manager.example.com{path}")
        again = await api.admin.request(method, f"http://manager.example.com{path}")
        assert (
            answer.headers.get_list("referrer-policy") == again.headers.get_list("referrer-policy") == ["no-referrer"]
        )
