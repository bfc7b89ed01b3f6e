"""A right to write documents does not reach the desktops of users who have more rights."""

import json
from typing import Any

import pytest

from tests.conftest import Api

ADMINS = "PLATFORM_SERVER_ADMIN"
APPS, CONFIGS, LAYOUTS = (f"PLATFORM_MANAGER:{kind}:WRITE" for kind in ("APPS", "SYSTEM_CONFIGS", "LAYOUTS"))
EVIL = "https://evil.example/api"


def program(name: str = "evil", kind: str = "exe", **members: Any) -> dict[str, Any]:
    details = {"owner": "host"} if kind == "childWindow" else {"command": "/bin/true"} if kind == "exe" else {}
    return {"name": name, "type": kind, "autoStart": True, "details": details, **members}


def page(name: str = "page") -> dict[str, Any]:
    return {"name": name, "type": "window", "details": {"url": "https://page.example"}}


async def desk(api: Api, right: str) -> Any:
    """Users ann (no rights), root (an administrator at the same desk) and a writer with one right."""
    await api.add_user("ann", "Floor")
    await api.add_user("root", "Desk", ADMINS)
    return await api.add_user("writer", right)


@pytest.mark.parametrize("kind", ["exe", "node", "clickonce", "citrix", "childWindow"])
async def test_a_program_for_administrators_needs_their_rights(api: Api, kind: str) -> None:
    writer = await desk(api, APPS)
    for sharing in ({"accessList": [ADMINS]}, {"accessList": ["Desk"]}, {"public": True}):
        refused = await writer.post("/admin/apps", json={"definition": program(kind=kind), **sharing})
        assert refused.status_code == 403, (sharing, refused.text)
        assert f"this requires {ADMINS}" in refused.json()["error"]["message"]
    assert (await api.admin.get("/admin/apps/evil")).status_code == 404
    for sharing in ({}, {"accessList": ["Floor"]}, {"public": True, "disabled": True}):
        made = await writer.post("/admin/apps", json={"definition": program(kind=kind), **sharing})
        assert made.status_code == 201, (sharing, made.text)
        for change in ({"public": True, "disabled": False}, {"accessList": ["Desk"], "disabled": False}):
            assert (await writer.patch("/admin/apps/evil", json=change)).status_code == 403
        assert (await writer.delete("/admin/apps/evil")).status_code == 204
    assert (
        await api.admin.post("/admin/apps", json={"definition": program(kind=kind), "public": True})
    ).status_code == 201


def disguised(**own: Any) -> dict[str, Any]:
    """An FDC3 record of a page, whose manifest for this platform differs."""
    details = {"url": "https://page.example"}
    return {"appId": "evil", "title": "Page", "type": "web", "details": details, "hostManifests": {"rostrum": own}}


async def test_a_program_in_the_manifest_of_a_page_needs_the_rights_of_its_users(api: Api) -> None:
    writer = await desk(api, APPS)
    hidden = disguised(type="exe", autoStart=True, details={"command": "/bin/true"})
    for attempt in (
        await writer.post("/admin/apps", json={"definition": hidden, "public": True}),
        await writer.post("/admin/imports/apps", json={"applications": [hidden], "accessList": ["Desk"]}),
    ):
        assert attempt.status_code == 403, attempt.text
    assert (await writer.post("/admin/imports/apps", json={"applications": [hidden]})).status_code == 200
    assert (await writer.patch("/admin/apps/evil", json={"public": True})).status_code == 403
    plain = disguised(details={"height": 300})
    assert (await writer.put("/admin/apps/evil", json={"definition": plain, "public": True})).status_code == 200


def wrapped(definition: dict[str, Any]) -> dict[str, Any]:
    """A definition as text in the older wrapper."""
    return {"name": "evil", "version": "1", "manifest": json.dumps(definition)}


async def test_an_address_in_a_wrapper_is_checked(api: Api) -> None:
    for address in ("javascript:alert(1)", "file:///etc/passwd"):
        opened = {"name": "evil", "type": "window", "details": {"url": address}}
        for inner, member in ((opened, ""), (disguised(details={"url": address}), ".hostManifests.rostrum")):
            once = wrapped(inner)
            twice = await api.admin.post("/admin/apps", json={"definition": wrapped(once)})
            refused = await api.admin.post("/admin/apps", json={"definition": once})
            imported = await api.admin.post("/admin/imports/apps", json={"applications": [once]})

            assert {twice.status_code, refused.status_code, imported.status_code} == {400}, refused.text
            (problem,) = refused.json()["error"]["details"]
            assert problem["path"] == f"definition.manifest{member}.details.url"


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd"])
async def test_an_address_in_the_manifest_of_a_page_is_checked(api: Api, address: str) -> None:
    refused = await api.admin.post("/admin/apps", json={"definition": disguised(details={"url": address})})

    assert refused.status_code == 400, refused.text
    (problem,) = refused.json()["error"]["details"]
    assert problem["path"] == "definition.hostManifests.rostrum.details.url"


async def test_an_app_of_administrators_cannot_become_a_program(api: Api) -> None:
    writer = await desk(api, APPS)
    assert (await writer.post("/admin/apps", json={"definition": page(), "public": True})).status_code == 201
    evil = program("page")
    for attempt in (
        await writer.patch("/admin/apps/page", json={"definition": evil}),
        await writer.put("/admin/apps/page", json={"definition": evil, "public": True}),
        await writer.post("/admin/imports/apps", json={"applications": [evil], "overwrite": True}),
        await writer.post("/admin/imports/apps", json={"applications": [program()], "accessList": ["Desk"]}),
    ):
        assert attempt.status_code == 403, attempt.text
    assert (await api.admin.get("/admin/apps/page")).json()["definition"]["type"] == "window"
    assert (await api.admin.get("/admin/apps/evil")).status_code == 404


async def test_a_program_given_to_an_administrator_by_name_cannot_be_changed(api: Api) -> None:
    writer = await desk(api, APPS)
    assert (await api.admin.post("/admin/apps", json={"definition": program("tool")})).status_code == 201
    assert (await writer.patch("/admin/apps/tool", json={"definition": program("tool", title="x")})).status_code == 200
    assert (await api.admin.patch("/admin/users/root", json={"apps": ["tool"]})).status_code == 200
    assert (await writer.patch("/admin/apps/tool", json={"definition": program("tool", title="y")})).status_code == 403


async def test_rolling_back_does_not_bring_a_program_to_administrators(api: Api) -> None:
    writer = await desk(api, APPS)
    made = await api.admin.post("/admin/apps", json={"definition": program("tool"), "public": True})
    revision = made.json()["revision"]
    assert (await api.admin.patch("/admin/apps/tool", json={"public": False})).status_code == 200
    refused = await writer.post("/admin/apps/tool/rollback", json={"revision": revision})
    assert refused.status_code == 403, refused.text


@pytest.mark.parametrize("contents", [{"server": {"url": EVIL}}, {"notifications": {"enabled": False}}])
async def test_a_configuration_file_for_administrators_needs_their_rights(api: Api, contents: dict[str, Any]) -> None:
    writer = await desk(api, CONFIGS)
    body = {"file": "system.json", "contents": contents}
    for target in ({"user": "root"}, {"group": ADMINS}):
        assert (await writer.post("/admin/configs", json={**body, **target})).status_code == 403, target
        made = await api.admin.post("/admin/configs", json={**body, **target})
        address = f"/admin/configs/{made.json()['id']}"
        for attempt in (
            await writer.patch(address, json={"contents": contents}),
            await writer.put(address, json={**body, "user": "ann"}),
            await writer.delete(address),
        ):
            assert attempt.status_code == 403, attempt.text
    mine = await writer.post("/admin/configs", json={**body, "user": "ann"})
    assert mine.status_code == 201, mine.text
    moved = await writer.put(f"/admin/configs/{mine.json()['id']}", json={**body, "user": "root"})
    assert moved.status_code == 403


@pytest.mark.parametrize(
    ("file", "contents"),
    [
        ("system.json", {"server": {"url": EVIL}}),
        ("system.json", {"ssoAuth": {"options": {"url": f"{EVIL}/gd"}}}),
        ("system.json", {"crashReporter": {"output": {"type": "server", "serverUrl": EVIL}}}),
        ("system.json", {"autoUpdater": {"enabled": True}}),
        ("system.json", {"appStores": [{"type": "rest", "details": {"url": EVIL}}]}),
        ("system.json", {"systemAppStores": [{"type": "rest", "details": {"url": EVIL}}]}),
        ("system.json", {"layouts": {"store": {"type": "rest", "restURL": EVIL}}}),
        ("system.json", {"windows": {"preloadScripts": [EVIL]}}),
        ("system-PROD-EMEA.json", {"server": {"url": EVIL}}),
        ("SYSTEM-prod-emea.json", {"appStores": [{"type": "rest", "details": {"url": EVIL}}]}),
        ("env.json", {"set": {"PATH": "/tmp"}}),
    ],
)
async def test_settings_that_redirect_all_users_require_full_permissions(
    api: Api, file: str, contents: dict[str, Any]
) -> None:
    writer = await desk(api, CONFIGS)
    body = {"file": file, "contents": contents}
    for target in ({}, {"version": "10"}, {"group": "Desk"}):
        refused = await writer.post("/admin/configs", json={**body, **target})
        assert refused.status_code == 403, (target, refused.text)
    assert (await writer.post("/admin/configs", json={**body, "group": "Floor"})).status_code == 201
    harmless = {"file": "system.json", "contents": {"notifications": {"enabled": False}}}
    for target in ({}, {"group": "Desk"}):
        made = await writer.post("/admin/configs", json={**harmless, **target})
        assert made.status_code == 201, made.text
    assert (await api.admin.post("/admin/configs", json={**body, "version": "10"})).status_code == 201


async def test_a_layout_that_belongs_to_an_administrator_needs_their_rights(api: Api) -> None:
    writer = await desk(api, LAYOUTS)
    layout = {"name": "Morning", "type": "Global", "components": []}
    refused = await writer.post("/admin/layouts", json={"definition": layout, "owner": "root"})
    assert refused.status_code == 403, refused.text
    imported = await writer.post("/admin/imports/layouts", json={"layouts": [layout], "owner": "root"})
    assert imported.status_code == 403, imported.text
    for owner in ("ann", "*"):
        made = await writer.post("/admin/layouts", json={"definition": layout, "owner": owner})
        assert made.status_code == 201, made.text


async def test_a_group_of_an_administrator_does_not_come_to_get_the_programs_of_another_group(api: Api) -> None:
    await desk(api, APPS)
    writer = await api.add_user("both", APPS, "PLATFORM_MANAGER:GROUPS:WRITE")
    assert (await writer.post("/admin/groups", json={"name": "Evil"})).status_code == 201
    made = await writer.post("/admin/apps", json={"definition": program(), "accessList": ["Evil"]})
    assert made.status_code == 201, made.text
    for attempt in (
        await writer.patch("/admin/groups/Desk", json={"expandsTo": ["Evil"]}),
        await writer.put("/admin/groups/Desk", json={"expandsTo": ["Evil"]}),
    ):
        assert attempt.status_code == 403, attempt.text
    assert (await writer.patch("/admin/groups/Desk", json={"priority": 3})).status_code == 200
    assert (await writer.patch("/admin/groups/Floor", json={"expandsTo": ["Evil"]})).status_code == 200
    assert (await api.admin.patch("/admin/groups/Desk", json={"expandsTo": ["Evil"]})).status_code == 200
