"""Administrators cannot lock themselves out, by whatever way."""

import httpx
import pytest

from tests.conftest import Api


@pytest.fixture
async def boss(api: Api) -> httpx.AsyncClient:
    """An administrator only through a group."""
    made = await api.admin.post("/admin/groups", json={"name": "Bosses", "expandsTo": ["PLATFORM_SERVER_ADMIN"]})
    assert made.status_code == 201
    return await api.add_user("boss", "Bosses")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/admin/groups/Bosses", {"expandsTo": []}),
        ("PUT", "/admin/groups/Bosses", {}),
        ("DELETE", "/admin/groups/Bosses", None),
        ("PATCH", "/admin/users/boss", {"groups": []}),
        ("PATCH", "/admin/users/boss", {"disabled": True}),
        ("PATCH", "/admin/users/boss", {"password": None}),
        ("DELETE", "/admin/users/boss", None),
    ],
)
async def test_taking_the_own_rights_away_is_refused_and_nothing_changes(
    boss: httpx.AsyncClient, method: str, path: str, body: object
) -> None:
    before = (await boss.get("/admin/groups/Bosses")).json(), (await boss.get("/admin/users/boss")).json()

    refused = await boss.request(method, path, json=body)

    assert refused.status_code == 409
    assert "ask another administrator" in refused.json()["error"]["message"]
    assert ((await boss.get("/admin/groups/Bosses")).json(), (await boss.get("/admin/users/boss")).json()) == before


async def test_another_administrator_may(api: Api, boss: httpx.AsyncClient) -> None:
    assert (await api.admin.patch("/admin/groups/Bosses", json={"expandsTo": []})).status_code == 200
    assert (await boss.get("/admin/users")).status_code == 403
    assert (await api.admin.patch("/admin/users/boss", json={"password": None})).status_code == 200
    assert (await boss.get("/me")).status_code == 401


@pytest.mark.parametrize("name", [".", ".."])
async def test_names_that_clients_take_out_of_an_address_are_refused(api: Api, name: str) -> None:
    definition = {"name": name, "type": "window", "details": {"url": "https://apps.example.com"}}

    for path, body in (
        ("/admin/groups", {"name": name}),
        ("/admin/users", {"id": name}),
        ("/admin/apps", {"definition": definition}),
    ):
        refused = await api.admin.post(path, json=body)
        assert refused.status_code == 400, path
        assert len(refused.json()["error"]["details"]) == 1


async def test_signing_out_with_basic_ends_the_cookie_beside_it_too(api: Api) -> None:
    cookie = dict((await api.admin.get("/me")).cookies)

    done = await api.client(("admin", "admin-password"), cookies=cookie).post("/logout")

    assert done.status_code == 204
    assert (await api.client(cookies=cookie).get("/me")).status_code == 401


async def test_a_page_is_not_asked_in_the_scheme_that_makes_browsers_ask(api: Api) -> None:
    plain = await api.client().get("/me")
    page = await api.client().get("/me", headers={"Sec-Fetch-Mode": "same-origin"})
    typed = await api.client().get("/me", headers={"Sec-Fetch-Mode": "navigate"})

    assert plain.headers["WWW-Authenticate"].startswith("Basic realm=")
    assert typed.headers["WWW-Authenticate"].startswith("Basic realm=")
    assert not page.headers["WWW-Authenticate"].startswith("Basic")
    assert plain.json() == page.json()
