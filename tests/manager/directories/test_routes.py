"""App directories for agents that cannot sign in: public apps, and secret addresses for one user or group."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from rostrum.manager.http.paths import masked
from tests.conftest import ORIGIN, Api, manager_config, running_api
from tests.contracts.app_directory import problems_of_app, problems_of_list
from tests.manager.http.test_response_cache import statements

SERVER = "http://manager.example.com"
SAIL = {"origin": "http://sail.example.com:8090"}
"""A page of an origin that the setting cors does not name: it sends no credentials and no unusual headers."""


def app(name: str) -> dict[str, Any]:
    return {"name": name, "type": "window", "title": name, "details": {"url": f"https://{name}.example.com"}}


async def furnish(api: Api) -> None:
    for name, access in (("open", {"public": True}), ("desk", {"accessList": ["Desk"]}), ("floor", {})):
        await api.admin.post("/admin/apps", json={"definition": app(name), **access})
    await api.admin.post("/admin/groups", json={"name": "Traders", "expandsTo": ["Desk"]})
    await api.add_user("ann", "Traders", apps=["floor"])


@pytest.fixture
async def each(store: str, clock: SettableClock) -> AsyncIterator[Api]:
    async with running_api(manager_config(store), clock) as api:
        await furnish(api)
        yield api


async def create(api: Api, **body: str) -> dict[str, Any]:
    answer = await api.admin.post("/admin/directories", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    made: dict[str, Any] = answer.json()
    return made


async def read(api: Api, path: str) -> httpx.Response:
    return await api.client().get(SERVER + path, headers=SAIL)


async def names(api: Api, path: str) -> list[str]:
    answer = await read(api, path)
    assert answer.status_code == 200, answer.text
    assert answer.json()["message"] == "OK"
    return sorted(record["appId"] for record in answer.json()["applications"])


async def test_an_address_answers_the_apps_of_its_user_or_group_to_every_page(each: Api) -> None:
    of_user, of_group = await create(each, user="ann"), await create(each, group="Traders", description="Sail")

    for _ in range(2):
        assert await names(each, of_user["path"]) == ["desk", "floor", "open"]
        assert await names(each, of_group["path"]) == ["desk", "open"]
    answer = await read(each, of_user["path"])
    assert problems_of_list(answer.json()) == []
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-credentials" not in answer.headers
    one = await read(each, f"{of_user['path']}/desk")
    assert one.json() in answer.json()["applications"]
    assert problems_of_app(one.json()) == []
    assert (await read(each, f"{of_group['path']}/floor")).status_code == 404
    signed_in = await each.client(("ann", "ann-password")).get("/v2/apps")
    assert answer.json() == signed_in.json()


async def test_an_address_shows_changes_at_once(each: Api) -> None:
    path = (await create(each, user="ann"))["path"]
    assert await names(each, path) == ["desk", "floor", "open"]

    await each.admin.patch("/admin/apps/open", json={"disabled": True})
    assert await names(each, path) == ["desk", "floor"]
    await each.admin.patch("/admin/users/ann", json={"groups": []})
    assert await names(each, path) == ["floor"]


async def test_a_directory_that_has_not_changed_is_not_read_again(api: Api) -> None:
    await furnish(api)
    path = (await create(api, user="ann"))["path"]
    tag = (await read(api, path)).headers["etag"]

    with statements() as seen:
        again = await api.client().get(SERVER + path, headers={"if-none-match": tag})

    assert again.status_code == 304
    assert not [statement for statement in seen if "apps.definition" in str(statement)]


async def revoke(api: Api, made: dict[str, Any]) -> None:
    assert (await api.admin.delete(f"/admin/directories/{made['id']}")).status_code == 204


async def disable_user(api: Api, _made: dict[str, Any]) -> None:
    await api.admin.patch("/admin/users/ann", json={"disabled": True})


async def remake_user(api: Api, _made: dict[str, Any]) -> None:
    await api.admin.delete("/admin/users/ann")
    await api.add_user("ann", "Traders")


@pytest.mark.parametrize("end", [revoke, disable_user, remake_user])
async def test_an_address_ends_when_it_is_revoked_and_with_its_user(each: Api, end: Any) -> None:
    made = await create(each, user="ann")
    assert (await read(each, made["path"])).status_code == 200

    await end(each, made)

    refused = await read(each, made["path"])
    assert refused.status_code == 404
    assert made["path"].split("/")[3] not in refused.text
    assert refused.headers["access-control-allow-origin"] == "*"
    assert refused.headers["referrer-policy"] == "no-referrer"


async def test_an_address_ends_with_its_group(each: Api) -> None:
    made = await create(each, group="Traders")

    await each.admin.delete("/admin/groups/Traders")
    await each.admin.post("/admin/groups", json={"name": "Traders", "expandsTo": ["Desk"]})

    assert (await read(each, made["path"])).status_code == 404
    assert (await each.admin.get("/admin/directories")).json()["total"] == 0


async def test_an_address_gives_no_rights(api: Api) -> None:
    path = (await create(api, user="admin"))["path"]
    key = path.split("/")[3]

    for credential in (f"Bearer {key}", f"Basic {key}"):
        assert (await api.client().get("/me", headers={"authorization": credential})).status_code == 401
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert (await api.client().request(method, SERVER + path)).status_code == 405
    assert (await api.client().get(f"/directory/{key}/v2/apps/..%2f..%2fadmin")).status_code == 404


@pytest.mark.long
async def test_the_key_is_stored_as_a_hash_listed_nowhere_and_masked_in_logs(
    each: Api, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = await create(each, user="ann")
    key = made["path"].split("/")[3]
    for path in (made["path"], f"{made['path']}/desk", f"/api/directory/{key}", f"/api/directory%2f{key}/v2/apps"):
        await read(each, path)

    listed = await each.admin.get("/admin/directories")
    audit = await each.admin.get("/admin/audit?limit=100")
    exported = await each.admin.get("/admin/export")

    assert listed.json()["items"] == [{name: value for name, value in made.items() if name != "path"}]
    # The client of the test writes to the log, too.
    log = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("rostrum"))
    for text in (listed.text, audit.text, exported.text, log):
        assert key not in text
    assert "/api/directory/***/v2/apps" in log


def test_paths_are_masked_however_they_are_written() -> None:
    assert masked("api", "/api/directory/abc/v2/apps") == "/api/directory/***/v2/apps"
    assert masked("api", "/api/directory\x01abc/v2/apps") == "/api/directory\x01***/v2/apps"
    assert masked("api", "/api//Directory%2Fabc") == "/api//Directory%2F***"
    assert masked("", "/directory/abc") == "/directory/***"
    for other in ("/api/admin/directories/abc", "/api/admin/apps/directory/revisions", "/directory/abc", "/api/me"):
        assert masked("api", other) == other


async def test_an_app_called_directory_is_no_directory_address(api: Api) -> None:
    await api.admin.post("/admin/apps", json={"definition": app("directory")})

    answer = await api.admin.get("/admin/apps/directory/revisions", headers={"origin": ORIGIN})

    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert "x-robots-tag" not in answer.headers


async def test_addresses_are_in_the_audit(each: Api) -> None:
    made = await create(each, user="ann", description="Sail")
    await revoke(each, made)

    entries = (await each.admin.get("/admin/audit?limit=2")).json()["items"]

    found = [(entry["operation"], entry["changes"][0]["kind"], entry["changes"][0]["action"]) for entry in entries]
    assert found == [("revokeDirectory", "directory", "deleted"), ("createDirectory", "directory", "created")]


@pytest.mark.parametrize(
    "body",
    [{}, {"user": "ann", "group": "Traders"}, {"user": "nobody"}, {"group": "Nothing"}, {"user": "*"}, {"user": ""}],
)
async def test_an_address_without_a_user_or_group_is_rejected(api: Api, body: dict[str, str]) -> None:
    await furnish(api)

    assert (await api.admin.post("/admin/directories", json=body)).status_code == 400
    assert (await api.admin.get("/admin/directories")).json()["total"] == 0


async def test_public_apps_are_not_answered_without_credentials_by_default(api: Api) -> None:
    await furnish(api)

    for path in ("/v2/apps", "/v2/apps/open"):
        refused = await api.client().get(path, headers=SAIL)
        assert refused.status_code == 401
        assert "access-control-allow-origin" not in refused.headers


async def test_public_apps_are_answered_to_every_page_where_a_setting_allows_it(
    store: str, clock: SettableClock
) -> None:
    async with running_api(manager_config(store, directory={"anonymous": True}), clock) as api:
        await furnish(api)
        for headers in (SAIL, {"origin": ORIGIN}, {}):
            answer = await api.client().get("/v2/apps", headers=headers)
            assert [record["appId"] for record in answer.json()["applications"]] == ["open"]
            assert answer.headers.get_list("access-control-allow-origin") == ["*"]
        assert (await api.client().get("/v2/apps/open", headers=SAIL)).json()["appId"] == "open"
        assert (await api.client().get("/v2/apps/desk", headers=SAIL)).status_code == 404
        assert (await api.client().get("/apps", headers=SAIL)).status_code == 401
        # With credentials it is the directory of the user, and only for pages that the setting cors names.
        ann = api.client(("ann", "ann-password"))
        for _ in range(3):
            mine = await ann.get("/v2/apps", headers=SAIL)
            assert len(mine.json()["applications"]) == 3
            assert "access-control-allow-origin" not in mine.headers
        assert (await api.client(("ann", "wrong")).get("/v2/apps")).status_code == 401
