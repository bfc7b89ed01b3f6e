"""A user who is created again with the ID of a deleted user inherits nothing, and no old credentials are valid."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

ADMIN_GROUP = "PLATFORM_SERVER_ADMIN"
APP = {"name": "x", "type": "window", "details": {"url": "http://x.example"}}
LAYOUT = {"name": "Morning", "type": "Workspace", "components": []}
OTHER_PASSWORD = "another long password"


@pytest.fixture
async def firm(sqlite: str, clock: SettableClock) -> AsyncIterator[Api]:
    """A manager on which changes of apps require approval; bob and cat are administrators."""
    async with running_api(manager_config(sqlite), clock) as first:
        await first.add_user("bob", ADMIN_GROUP)
        await first.add_user("cat", ADMIN_GROUP)
    async with running_api(manager_config(sqlite, changes={"approvalKinds": ["app"]}), clock) as api:
        yield api


async def ok(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


async def replace_bob(api: Api, clock: SettableClock, *groups: str) -> httpx.AsyncClient:
    """Delete bob, create another bob, and give a client of the new one."""
    await ok(await api.admin.delete("/admin/users/bob"))
    clock.advance(0.001)
    await ok(await api.admin.post("/admin/users", json={"id": "bob", "password": OTHER_PASSWORD, "groups": groups}))
    return api.client(("bob", OTHER_PASSWORD))


async def test_a_new_user_has_no_documents_and_sessions_of_the_first(api: Api, clock: SettableClock) -> None:
    bob = await api.add_user("bob", "Desk", apps=["x"])
    await ok(await bob.post("/layouts", json={"layout": LAYOUT}))
    await ok(await bob.post("/layouts/default", json={"name": "Morning", "type": "Workspace"}))
    await ok(await bob.post("/prefs", json={"app": "x", "data": {"secret": 1}}))
    scope = {"file": "system.json", "contents": {"region": "secret"}, "user": "bob"}
    await ok(await api.admin.post("/admin/configs", json=scope))
    await ok(await bob.post("/sessions", json={}))
    seen = {
        path: await ok(await bob.get(path))
        for path in ("/layouts", "/layouts/default", "/prefs/all", "/me/sessions", "/me", "/me/tokens")
    }
    assert "Morning" in str(seen["/layouts"])

    other = await replace_bob(api, clock)

    nobody = await api.add_user("nobody")
    for path, of_first in seen.items():
        answer = await ok(await other.get(path))
        of_nobody = await ok(await nobody.get(path))
        if path == "/me":
            assert answer["account"] != of_first["account"]
            assert (answer["groups"], answer["apps"]) == ([], [])
        elif path == "/me/sessions":
            assert answer["desktops"] == []
            assert len(answer["signIns"]) == 1, "the sign-in of the new user itself"
        else:
            assert answer == of_nobody, path
    config = await ok(await other.get("/systemConfig/get", params={"configs": "system.json"}))
    assert "secret" not in str(config)


async def test_no_credentials_of_the_first_account_open_the_second(api: Api, clock: SettableClock) -> None:
    bob = await api.add_user("bob")
    signed_in = await bob.get("/me")
    cookie = f"PLATFORM_SESSION={signed_in.cookies['PLATFORM_SESSION']}"
    client_token = (await ok(await bob.post("/token/refresh", json={})))["token"]
    page_token = (await ok(await bob.get("/signin", params={"token": "true"})))["token"]
    session = await ok(await bob.post("/sessions", json={}))
    api_token = (await ok(await bob.post("/me/tokens", json={"name": "t", "permissions": [], "expiresInDays": 9})))[
        "token"
    ]
    link = (await ok(await api.admin.post("/admin/password-links", json={"users": ["bob"]})))["items"][0]["token"]
    directory = {"description": "d", "user": "bob"}
    address = (await ok(await api.admin.post("/admin/directories", json=directory)))["path"]

    assert (await api.client().get(f"http://manager.example.com{address}")).status_code == 200

    await replace_bob(api, clock)

    origin = {"origin": "http://manager.example.com"}
    anyone = api.client()
    for token in (client_token, page_token, api_token, session["token"]):
        assert (await anyone.get("/me", headers={"authorization": f"Bearer {token}"})).status_code == 401
    assert (await anyone.get("/me", headers={"cookie": cookie, **origin})).status_code == 401
    assert (await api.client(("bob", "bob-password")).get("/me")).status_code == 401
    assert (await anyone.post("/password-links/use", json={"token": link, "password": "a new password"})).is_error
    assert (await api.client().get(f"http://manager.example.com{address}")).status_code == 404


async def test_a_new_account_is_not_the_author_of_what_the_first_has_proposed(firm: Api, clock: SettableClock) -> None:
    bob, cat = firm.client(("bob", "bob-password")), firm.client(("cat", "cat-password"))
    proposal = (await bob.post("/admin/apps", json={"definition": APP})).json()["proposal"]["id"]
    assert (await ok(await bob.get("/admin/proposals")))["total"] == 1

    other = await replace_bob(firm, clock)

    assert (await ok(await other.get("/admin/proposals")))["total"] == 0
    assert (await other.get(f"/admin/proposals/{proposal}")).status_code == 404
    assert (await other.post(f"/admin/proposals/{proposal}/reject")).status_code == 404
    refused = await cat.post(f"/admin/proposals/{proposal}/approve")
    assert (refused.status_code, "was deleted" in refused.text) == (403, True)
    assert (await cat.post(f"/admin/proposals/{proposal}/reject")).status_code == 200


async def test_a_shared_view_stays_but_the_new_account_does_not_own_it(api: Api, clock: SettableClock) -> None:
    bob = await api.add_user("bob", "PLATFORM_MANAGER:CRASHES:READ")
    view = {"list": "crashes", "name": "Mine", "search": "reviewed=false", "shared": True}
    made = await ok(await bob.post("/admin/views", json=view))

    other = await replace_bob(api, clock, "PLATFORM_MANAGER:CRASHES:READ")

    assert (await other.patch(f"/admin/views/{made['id']}", json={"name": "Stolen"})).status_code == 403
    assert (await other.delete(f"/admin/views/{made['id']}")).status_code == 403
    assert (await api.admin.delete(f"/admin/views/{made['id']}")).is_success
