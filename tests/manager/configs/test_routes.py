import json
from typing import Any

import httpx
import pytest

from rostrum.base.clock import SettableClock
from tests.conftest import Api, manager_config, running_api

READ = "PLATFORM_MANAGER:SYSTEM_CONFIGS:READ"


async def keep(api: Api, contents: Any, file: str = "system.json", **scope: str) -> dict[str, Any]:
    answer = await api.admin.post("/admin/configs", json={"file": file, "contents": contents, **scope})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def get(client: httpx.AsyncClient, body: Any = None, file: str = "system.json") -> Any:
    answer = await client.post("/systemConfig/get", json={} if body is None else body)
    assert answer.status_code == 200, answer.text
    return answer.json().get(file, {}).get("contents")


@pytest.mark.long
async def test_scopes_are_merged_from_base_over_version_and_groups_to_the_user(api: Api) -> None:
    user = await api.add_user("ann", "Desk")
    versions = ({"version": version} for version in ("10", "10.1", "10.1.2"))
    for scope in ({}, *versions, {"group": "Desk"}, {"user": "ann"}):
        name = next(iter(scope.values()), "base")
        await keep(api, {"winner": name, "seen": {name: True}, "list": [name]}, **scope)

    async def layers(version: str) -> tuple[str, list[str], list[str]]:
        merged = await get(user, {"version": version})
        return merged["winner"], sorted(merged["seen"]), merged["list"]

    assert await layers("10.1.2") == ("ann", ["10", "10.1", "10.1.2", "Desk", "ann", "base"], ["ann"])
    assert await layers("10.2.0") == ("ann", ["10", "Desk", "ann", "base"], ["ann"])
    assert await layers("101.0") == ("ann", ["Desk", "ann", "base"], ["ann"])
    assert await layers("10.1.2-beta.1") == ("ann", ["10", "10.1", "10.1.2", "Desk", "ann", "base"], ["ann"])
    other = await get(api.admin, {"version": "10.1.9"})
    assert (other["winner"], sorted(other["seen"])) == ("10.1", ["10", "10.1", "base"])
    assert (await get(api.admin, {"version": "no number"}))["winner"] == "base"


async def test_groups_weigh_by_priority_and_then_by_name(api: Api) -> None:
    for name, priority in (("Strong", 5), ("B", 0), ("A", 0), ("Weak", -1)):
        await api.admin.post("/admin/groups", json={"name": name, "priority": priority})
        await keep(api, {"winner": name, name: True}, group=name)
    user = await api.add_user("ann", "Strong", "A", "B", "Weak")

    assert await get(user) == {"winner": "Strong", "Strong": True, "A": True, "B": True, "Weak": True}
    await api.admin.patch("/admin/groups/Strong", json={"priority": -9})
    assert (await get(user))["winner"] == "B"
    await api.admin.patch("/admin/groups/A", json={"priority": 1})
    assert (await get(user))["winner"] == "A"


async def test_configuration_of_a_nested_group_counts_too(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk", "expandsTo": ["Floor"]})
    await keep(api, {"floor": True}, group="Floor")
    await keep(api, {"other": True}, group="Other")
    user = await api.add_user("ann", "Desk")

    assert await get(user) == {"floor": True}


async def test_objects_merge_at_every_depth_while_arrays_scalars_and_null_replace(api: Api) -> None:
    user = await api.add_user("ann")
    await keep(
        api,
        {"deep": {"er": {"kept": 1, "changed": 1}}, "array": [{"a": 1}, 2], "gone": {"x": 1}, "scalar": 1, "no": None},
    )
    await keep(
        api,
        {"deep": {"er": {"changed": 2, "new": {}}}, "array": [{"b": 1}], "gone": None, "scalar": {"y": 1}, "": ""},
        user="ann",
    )

    assert await get(user) == {
        "deep": {"er": {"kept": 1, "changed": 2, "new": {}}},
        "array": [{"b": 1}],
        "gone": None,
        "scalar": {"y": 1},
        "no": None,
        "": "",
    }


async def test_channels_and_themes_are_lists_that_replace_each_other(api: Api) -> None:
    user = await api.add_user("ann")
    await keep(api, [{"name": "Red"}, {"name": "Blue"}], "channels.json")
    await keep(api, [{"name": "Green"}], "channels.json", user="ann")

    assert await get(user, file="channels.json") == [{"name": "Green"}]
    assert await get(api.admin, file="channels.json") == [{"name": "Red"}, {"name": "Blue"}]


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_only_the_requested_files_are_returned_and_missing_ones_are_empty(api: Api, method: str) -> None:
    await keep(api, {"a": 1})
    await keep(api, {"b": 1}, "logger.json")
    everything = {"system.json": {"contents": {"a": 1}}, "logger.json": {"contents": {"b": 1}}}

    async def files(configs: str | None) -> Any:
        asked = {} if configs is None else {"configs": configs}
        sent: dict[str, Any] = {"params": asked} if method == "GET" else {"json": asked}
        return (await api.admin.request(method, "/systemConfig/get", **sent)).json()

    assert await files(None) == everything
    assert await files("*") == everything
    assert await files("") == everything
    assert await files("logger.json") == {"logger.json": {"contents": {"b": 1}}}
    assert await files(" system.json , themes.json,channels.json,own.json") == {
        "system.json": {"contents": {"a": 1}},
        "themes.json": {"contents": []},
        "channels.json": {"contents": []},
        "own.json": {"contents": {}},
    }


async def test_files_may_be_named_in_the_headers_and_in_the_address_of_a_post(api: Api) -> None:
    await keep(api, {"a": 1})

    ways: list[dict[str, Any]] = [
        {"headers": {"configs": "own.json"}},
        {"headers": {"config": "own.json"}},
        {"params": {"configs": "own.json"}},
    ]
    for sent in ways:
        answer = await api.admin.post("/systemConfig/get", **sent)
        assert answer.json() == {"own.json": {"contents": {}}}, sent


IDENTITY = {"user": "bob", "group": "Desk", "version": "10.1"}
PLACES: dict[str, dict[str, Any]] = {
    "body": {"json": IDENTITY},
    "impersonation": {"json": {"impersonation": IDENTITY, "configs": "*"}},
    "identifier": {"json": {"identifier": IDENTITY, "exact": False}},
    "identifier as text": {"json": {"identifier": json.dumps(IDENTITY)}},
    "query": {"params": IDENTITY},
    "query of a body": {"params": IDENTITY, "json": {}},
    "headers": {"headers": {"impersonated_user": "bob", "group": "Desk", "version": "10.1"}},
    "headers with the names of the members": {"headers": IDENTITY},
    "one header": {"headers": {"impersonation": json.dumps(IDENTITY)}},
    "one header as in older clients": {"headers": {"identifier": json.dumps(IDENTITY)}},
    "query as text": {"params": {"impersonation": json.dumps(IDENTITY)}},
    "mixed": {"json": {"version": "10.1"}, "params": {"group": "Desk"}, "headers": {"impersonated_user": "bob"}},
}


async def test_whom_a_client_asks_for_may_stand_in_many_places(api: Api) -> None:
    await api.add_user("bob", "Desk", "Floor")
    for scope in ({}, {"version": "10.1"}, {"group": "Desk"}, {"group": "Floor"}, {"user": "bob"}, {"user": "admin"}):
        name = "-".join(scope.values()) or "base"
        await keep(api, {name: True}, **scope)

    for place, sent in PLACES.items():
        # Twice: the second answer may come from ready bytes, and must not be that of another place.
        for _ in range(2):
            answer = await api.admin.post("/systemConfig/get", **sent)
            assert sorted(answer.json()["system.json"]["contents"]) == ["10.1", "Desk", "base", "bob"], place
        own = await api.admin.post("/systemConfig/get")
        assert sorted(own.json()["system.json"]["contents"]) == ["admin", "base"]


@pytest.mark.rule("E-4-2", "E-4-3")
async def test_the_same_is_answered_to_get(api: Api) -> None:
    await api.add_user("bob", "Desk")
    await keep(api, {"of": "bob"}, user="bob")

    ways: list[dict[str, Any]] = [{"params": {"user": "bob"}}, {"headers": {"impersonated_user": "bob"}}]
    for sent in ways:
        answer = await api.admin.get("/systemConfig/get", **sent)
        assert answer.json() == {"system.json": {"contents": {"of": "bob"}}}


async def test_asking_for_oneself_needs_no_permission_and_for_others_it_does(api: Api) -> None:
    ann = await api.add_user("ann", "Desk")
    await api.add_user("bob", "Floor")
    reader = await api.add_user("reader", READ)
    await keep(api, {"group": "Desk"}, group="Desk")
    await keep(api, {"group": "Floor"}, group="Floor")

    async def status(client: httpx.AsyncClient, body: dict[str, str]) -> int:
        return (await client.post("/systemConfig/get", json=body)).status_code

    assert await status(ann, {"user": "ann", "group": "Desk", "version": "99"}) == 200
    assert await status(ann, {"group": "*"}) == 200
    assert await status(ann, {"user": "bob"}) == 403
    assert await status(ann, {"group": "Floor"}) == 403
    # Whether a user exists is not reported to those who may not ask.
    assert await status(ann, {"user": "nobody"}) == 403
    assert (await ann.get("/systemConfig/get", headers={"impersonated_user": "bob"})).status_code == 403
    assert await status(ann, {"group": "Nowhere"}) == 403
    assert await status(reader, {"user": "nobody"}) == 404
    assert await status(reader, {"group": "Nowhere"}) == 404
    assert await status(reader, {"user": "bob", "group": "Nowhere"}) == 404
    assert await get(reader, {"user": "bob"}) == {"group": "Floor"}
    assert await get(reader, {"user": "bob", "group": "*"}) == {"group": "Floor"}
    assert await get(reader, {"user": "bob", "group": "Desk"}) == {"group": "Desk"}
    assert await get(reader, {"group": "Floor"}) == {"group": "Floor"}


async def test_naming_one_of_ones_groups_leaves_the_others_out(api: Api) -> None:
    user = await api.add_user("ann", "Desk", "Floor")
    await keep(api, {"desk": 1}, group="Desk")
    await keep(api, {"floor": 1}, group="Floor")

    assert await get(user, {"group": "Desk"}) == {"desk": 1}
    assert await get(user, {"group": "*"}) == {"desk": 1, "floor": 1}


async def test_questions_of_the_wrong_form_are_refused(api: Api) -> None:
    bodies: list[Any] = [
        {"user": 7},
        {"user": "a\u0000b"},
        {"version": ["10"]},
        {"group": {}},
        {"configs": ["system.json"]},
        {"identifier": "{broken"},
        {"identifier": 7},
        {"impersonation": ["ann"]},
        {"impersonation": {"user": 7}},
        [],
        "text",
    ]
    for body in bodies:
        assert (await api.admin.post("/systemConfig/get", json=body)).status_code == 400, body


async def test_clients_are_informed_when_nothing_changed(api: Api) -> None:
    made = await keep(api, {"a": 1})
    for method in ("GET", "POST"):
        tag = (await api.admin.request(method, "/systemConfig/get")).headers["ETag"]
        same = await api.admin.request(method, "/systemConfig/get", headers={"If-None-Match": tag})
        assert (same.status_code, same.content) == (304, b"")
    await api.admin.patch(f"/admin/configs/{made['id']}", json={"contents": {"a": 2}})
    assert (await api.admin.get("/systemConfig/get", headers={"If-None-Match": tag})).status_code == 200


async def test_a_file_is_made_read_moved_changed_and_deleted(api: Api) -> None:
    made = await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {"a": 1}, "version": "10.1"})
    view = made.json()
    address = f"/admin/configs/{view['id']}"
    assert made.headers["Location"] == f"/api{address}"
    assert (view["scope"], view["version"], view["contents"]) == ("version", "10.1", {"a": 1})
    assert "group" not in view

    read = await api.admin.get(address)
    assert (read.json(), read.headers["ETag"]) == (view, made.headers["ETag"])
    sent = {**view, "contents": {"a": 2}}
    replaced = await api.admin.put(address, json=sent, headers={"If-Match": read.headers["ETag"]})
    assert replaced.json() == {**sent, "revision": replaced.json()["revision"]}
    moved = (await api.admin.put(address, json={"file": "own.json", "contents": {}, "group": "Desk"})).json()
    assert (moved["file"], moved["scope"], moved["group"], "version" in moved) == ("own.json", "group", "Desk", False)
    changed = (await api.admin.patch(address, json={"contents": {"b": None}})).json()
    assert changed == {**moved, "contents": {"b": None}, "revision": changed["revision"]}
    assert (await api.admin.patch(address, json={})).json() == changed
    for method, content in (("PUT", sent), ("PATCH", {}), ("DELETE", None)):
        stale = await api.admin.request(method, address, json=content, headers={"If-Match": read.headers["ETag"]})
        assert stale.status_code == 412
    assert (await api.admin.delete(address)).status_code == 204
    for method, content in (("GET", None), ("PUT", sent), ("PATCH", {}), ("DELETE", None)):
        assert (await api.admin.request(method, address, json=content)).status_code == 404


async def test_a_scope_has_each_file_once(api: Api) -> None:
    await api.add_user("ann")
    for scope in ({}, {"version": "10"}, {"group": "Desk"}, {"user": "ann"}):
        await keep(api, {}, **scope)
        twin = await api.admin.post("/admin/configs", json={"file": "system.json", "contents": {}, **scope})
        assert twin.status_code == 409
    other = await keep(api, {}, version="11")
    moved = await api.admin.put(f"/admin/configs/{other['id']}", json={"file": "system.json", "contents": {}})
    assert moved.status_code == 409


async def test_names_that_are_no_plain_file_names_are_refused(api: Api) -> None:
    no_json = ("system", ".json", "")
    elsewhere = ("../system.json", "a/b.json", "a\\b.json", ".hidden.json", "x.json\n", "ü.json")
    for file in (*no_json, *elsewhere, 7):
        answer = await api.admin.post("/admin/configs", json={"file": file, "contents": {}})

        assert answer.status_code == 400
        assert [detail["path"] for detail in answer.json()["error"]["details"]] == ["file"]


async def test_wrong_files_are_refused_and_nothing_is_kept(api: Api) -> None:
    for body in (
        {"file": "system.json", "contents": []},
        {"file": "system.json", "contents": "text"},
        {"file": "system.json", "contents": None},
        {"file": "system.json"},
        {"file": "system.json", "contents": {}, "version": "10.1.2.3"},
        {"file": "system.json", "contents": {}, "version": "*"},
        {"file": "system.json", "contents": {}, "version": "10", "group": "Desk"},
        {"file": "system.json", "contents": {}, "user": "nobody"},
        {"file": "system.json", "contents": {}, "region": "EU"},
    ):
        assert (await api.admin.post("/admin/configs", json=body)).status_code == 400, body
    assert (await api.admin.get("/admin/configs")).json() == {"items": [], "total": 0}
    made = await keep(api, {})
    assert (await api.admin.patch(f"/admin/configs/{made['id']}", json={"contents": []})).status_code == 400


async def test_files_are_found_by_name_and_scope(api: Api) -> None:
    await api.add_user("ann")
    await keep(api, {})
    await keep(api, {}, version="10")
    await keep(api, {}, group="Desk")
    await keep(api, {}, "logger.json", user="ann")

    async def found(**filters: str) -> list[str]:
        items = (await api.admin.get("/admin/configs", params=filters)).json()["items"]
        return sorted(item["scope"] for item in items)

    assert await found() == ["base", "group", "user", "version"]
    assert await found(file="system.json") == ["base", "group", "version"]
    assert await found(scope="base") == ["base"]
    assert await found(version="10") == ["version"]
    assert await found(group="Desk") == ["group"]
    assert await found(user="ann") == ["user"]
    assert await found(target="de*") == ["group"]


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", READ)
    made = await keep(api, {})
    address = f"/admin/configs/{made['id']}"

    assert (await nobody.get("/admin/configs")).status_code == 403
    assert (await nobody.get(address)).status_code == 403
    assert (await reader.get(address)).status_code == 200
    body = {"file": "x.json", "contents": {}}
    assert (await reader.post("/admin/configs", json=body)).status_code == 403
    for method, content in (("PUT", body), ("PATCH", {}), ("DELETE", None)):
        assert (await reader.request(method, address, json=content)).status_code == 403


async def test_the_account_of_the_machine_that_desktops_name_is_not_who_calls(api: Api) -> None:
    ann = await api.add_user("ann")
    reader = await api.add_user("reader", READ)
    for user in ("ann", "reader"):
        await keep(api, {"of": user}, user=user)

    for client, user, named in ((ann, "ann", "DOMAIN\\somebody"), (ann, "ann", "reader"), (reader, "reader", "nobody")):
        for _ in range(2):
            answer = await client.post("/systemConfig/get", json={}, headers={"user": named})
            assert answer.json()["system.json"]["contents"] == {"of": user}
    # Those who may read configurations ask for the user whom they name.
    answer = await reader.get("/systemConfig/get", headers={"user": "ann"})
    assert answer.json()["system.json"]["contents"] == {"of": "ann"}


FOR_NOBODY = {"identifier": {"version": "10.1", "user": "*", "group": "*"}}


async def furnish_every_scope(api: Api) -> httpx.AsyncClient:
    for scope in ({}, {"version": "10"}, {"group": "Desk"}, {"user": "ann"}):
        if scope == {"user": "ann"}:
            await api.add_user("ann", "Desk")
        name = next(iter(scope.values()), "base")
        await keep(api, {name: True}, **scope)
        await keep(api, {name: True}, file="browser-platform.json", **scope)
    return api.client(("ann", "ann-password"))


async def test_a_star_as_user_means_no_specific_user(api: Api) -> None:
    ann = await furnish_every_scope(api)

    for client in (ann, api.admin):
        for _ in range(3):
            assert await get(client, FOR_NOBODY) == {"base": True, "10": True}
    assert await get(ann, {"user": "*", "version": "10"}) == {"base": True, "10": True}
    assert await get(ann, {"user": "*", "group": "Desk"}) == {"base": True, "Desk": True}
    assert await get(ann, {"group": "*"}) == {"base": True, "Desk": True, "ann": True}
    got = await ann.get("/systemConfig/get?user=*&version=10")
    assert got.json()["system.json"]["contents"] == {"base": True, "10": True}


async def test_a_star_for_the_user_gives_no_group_that_the_caller_is_not_in(api: Api) -> None:
    await furnish_every_scope(api)
    bob = await api.add_user("bob")

    assert (await bob.post("/systemConfig/get", json={"user": "*", "group": "Desk"})).status_code == 403


async def test_without_credentials_no_file_is_answered_by_default(api: Api) -> None:
    await furnish_every_scope(api)

    for body in (FOR_NOBODY, {}, {**FOR_NOBODY, "configs": "browser-platform.json"}):
        assert (await api.client().post("/systemConfig/get", json=body)).status_code == 401


async def test_without_credentials_only_the_files_of_the_setting_are_answered(
    sqlite: str, clock: SettableClock
) -> None:
    setting = {"anonymous": ["browser-platform.json", "missing.json"]}
    async with running_api(manager_config(sqlite, configs=setting), clock) as api:
        ann = await furnish_every_scope(api)
        nobody = api.client()
        allowed = {"base": True, "10": True}

        answer = await nobody.post("/systemConfig/get", json=FOR_NOBODY)
        assert answer.json() == {
            "browser-platform.json": {"contents": allowed},
            "missing.json": {"contents": {}},
        }
        one = await nobody.post("/systemConfig/get", json={"configs": "browser-platform,system", "version": "10"})
        assert one.json() == {"browser-platform.json": {"contents": allowed}}
        tagged = {"if-none-match": answer.headers["etag"]}
        assert (await nobody.post("/systemConfig/get", json=FOR_NOBODY, headers=tagged)).status_code == 304

        refused = [
            {"configs": "system.json"},
            {"user": "ann"},
            {"identifier": {"user": "ann", "group": "*"}},
            {"group": "Desk"},
        ]
        for body in refused:
            assert (await nobody.post("/systemConfig/get", json=body)).status_code == 401, body
        assert (await nobody.post("/systemConfig/get", headers={"impersonated_user": "ann"})).status_code == 401
        assert (await nobody.get("/systemConfig/get")).status_code == 401
        wrong = await api.client(("ann", "wrong")).post("/systemConfig/get", json=FOR_NOBODY)
        assert wrong.status_code == 401
        # A header that names a user has no effect, as with credentials.
        named = await nobody.post("/systemConfig/get", json=FOR_NOBODY, headers={"user": "ann"})
        assert named.json() == answer.json()
        assert (await get(ann, {}))["ann"] is True


async def test_contents_are_validated_without_being_saved(api: Api) -> None:
    address = "/admin/configs/validate"
    body = {"file": "system.json", "group": "Desk", "contents": {"notificatons": {}}}

    found = await api.admin.post(address, json=body)

    assert found.status_code == 200
    assert found.json()["checked"] is True
    [problem] = found.json()["problems"]
    assert (problem["path"], problem["suggestion"]) == ("notificatons", "notifications")
    assert (await api.admin.get("/admin/configs")).json()["total"] == 0
    assert (await api.admin.get("/admin/groups/Desk")).status_code == 404
    fine = await api.admin.post(address, json={"file": "system.json", "contents": {}})
    assert fine.json() == {"checked": True, "problems": []}
    assert (await api.admin.post(address, json={**body, "contents": []})).status_code == 400
