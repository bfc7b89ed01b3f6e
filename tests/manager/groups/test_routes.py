import pytest

from rostrum.manager.groups.repository import Groups
from tests.conftest import Api


async def test_a_group_is_made_read_changed_replaced_and_deleted(api: Api) -> None:
    made = await api.admin.post("/admin/groups", json={"name": "Fixed Income/EU", "priority": 3})
    assert made.status_code == 201
    assert made.headers["Location"] == "/api/admin/groups/Fixed%20Income%2FEU"
    address = "/admin/groups/Fixed%20Income%2FEU"

    read = await api.admin.get(address)
    assert read.json() == made.json()
    assert (read.json()["priority"], read.json()["expandsTo"], read.json()["members"]) == (3, [], 0)

    changed = await api.admin.patch(address, json={"expandsTo": ["Floor"]})
    assert (changed.json()["priority"], changed.json()["expandsTo"]) == (3, ["Floor"])
    replaced = await api.admin.put(address, json={})
    assert (replaced.json()["priority"], replaced.json()["expandsTo"]) == (0, [])

    assert (await api.admin.delete(address)).status_code == 204
    for method in ("GET", "DELETE"):
        assert (await api.admin.request(method, address)).status_code == 404


async def test_a_group_that_was_read_can_be_changed_and_sent_back(api: Api) -> None:
    await api.add_user("ann", "Desk")
    read = await api.admin.get("/admin/groups/Desk")
    body = {**read.json(), "priority": 9}
    assert body["members"] == 1

    answer = await api.admin.put("/admin/groups/Desk", json=body, headers={"If-Match": read.headers["ETag"]})

    assert answer.status_code == 200
    assert answer.json() == {**body, "revision": answer.json()["revision"]}


async def test_a_group_with_a_new_member_is_not_taken_for_unchanged(api: Api) -> None:
    await api.add_user("ann", "Desk")
    read = await api.admin.get("/admin/groups/Desk")
    await api.add_user("bob", "Desk")

    again = await api.admin.get("/admin/groups/Desk", headers={"If-None-Match": read.headers["ETag"]})

    assert again.status_code == 200
    assert again.json()["members"] == 2
    # The group itself is as it was: writers who read it before are not sent back.
    change = await api.admin.patch("/admin/groups/Desk", json={}, headers={"If-Match": read.headers["ETag"]})
    assert change.status_code == 200


async def test_wrong_groups_are_refused_with_every_problem(api: Api) -> None:
    body = {"name": "a\tb", "priority": 1.5, "expandsTo": "x", "colour": "red"}

    answer = await api.admin.post("/admin/groups", json=body)

    assert answer.status_code == 400
    paths = {detail["path"] for detail in answer.json()["error"]["details"]}
    assert paths == {"name", "priority", "expandsTo", "colour"}
    assert (await api.admin.post("/admin/groups", json={"name": "x", "priority": 10**7})).status_code == 400
    renamed = await api.admin.put("/admin/groups/PLATFORM_SERVER_ADMIN", json={"name": "other"})
    assert renamed.status_code == 400
    assert renamed.json()["error"]["details"][0]["path"] == "name"


async def test_a_second_group_of_the_same_name_is_refused(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk"})

    assert (await api.admin.post("/admin/groups", json={"name": "Desk"})).status_code == 409
    for name in ("desk", "DESK", "Dеsk", "Desk "):
        answer = await api.admin.post("/admin/groups", json={"name": name})
        assert answer.status_code == 400, name
    assert [group["name"] for group in (await api.admin.get("/admin/groups?name=d*")).json()["items"]] == ["Desk"]


async def test_membership_expands_through_every_level_and_circles_are_harmless(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "A", "expandsTo": ["B"]})
    await api.admin.patch("/admin/groups/B", json={"expandsTo": ["C"]})
    await api.admin.patch("/admin/groups/C", json={"expandsTo": ["A", "PLATFORM_MANAGER:APPS:READ"]})
    user = await api.add_user("ann", "A")

    assert (await user.get("/me")).json()["groups"] == ["A", "B", "C", "PLATFORM_MANAGER:APPS:READ"]
    assert (await user.get("/admin/apps")).status_code == 200

    await api.admin.patch("/admin/groups/B", json={"expandsTo": []})

    assert (await user.get("/me")).json()["groups"] == ["A", "B"]
    assert (await user.get("/admin/apps")).status_code == 403


async def test_naming_a_group_that_is_not_there_makes_it(api: Api) -> None:
    app = {"name": "x", "type": "window", "details": {"url": "https://x.example.com"}}
    layout = {"name": "x", "type": "Global", "components": []}
    await api.add_user("ann", "FromUser")
    await api.admin.post("/admin/groups", json={"name": "Root", "expandsTo": ["FromGroup"]})
    await api.admin.post("/admin/apps", json={"definition": app, "accessList": ["FromApp"]})
    await api.admin.post("/admin/layouts", json={"definition": layout, "accessList": ["FromLayout"]})
    await api.admin.post("/admin/configs", json={"file": "a.json", "contents": {}, "group": "FromConfig"})

    groups = (await api.admin.get("/admin/groups", params={"name": "From*"})).json()["items"]

    assert [group["name"] for group in groups] == ["FromApp", "FromConfig", "FromGroup", "FromLayout", "FromUser"]


@pytest.mark.parametrize(
    "name", ["Pre-Desk ", "Pre-De\u200bsk", "Pre\u2010Desk", "Pre\u4e00Desk", "platform_server_admin"]
)
async def test_no_request_makes_a_group_whose_name_people_could_confuse(api: Api, name: str) -> None:
    await api.admin.post("/admin/groups", json={"name": "Pre-Desk"})
    await api.add_user("ann", "Pre-Desk")
    app = {"name": "x", "type": "window", "details": {"url": "https://x.example.com"}}
    layout = {"name": "x", "type": "Global", "components": []}
    await api.admin.post("/admin/apps", json={"definition": {**app, "name": "stored"}})
    csv = f'id,groups\nbob,"{name}"\n'
    attempts = [
        await api.admin.post("/admin/groups", json={"name": name}),
        await api.admin.post("/admin/groups", json={"name": "Other", "expandsTo": [name]}),
        await api.admin.patch("/admin/groups/Pre-Desk", json={"expandsTo": [name]}),
        await api.admin.post("/admin/users", json={"id": "bob", "groups": [name]}),
        await api.admin.patch("/admin/users/ann", json={"groups": [name]}),
        await api.admin.post("/admin/apps", json={"definition": app, "accessList": [name]}),
        await api.admin.patch("/admin/apps/stored", json={"accessList": [name]}),
        await api.admin.post("/admin/imports/apps", json={"applications": [app], "accessList": [name]}),
        await api.admin.post("/admin/layouts", json={"definition": layout, "accessList": [name]}),
        await api.admin.post("/admin/imports/layouts", json={"layouts": [layout], "accessList": [name]}),
        await api.admin.post("/admin/configs", json={"file": "a.json", "contents": {}, "group": name}),
        *[
            await api.admin.post(
                f"/admin/batches/{kind}",
                json={"key": kind, "action": action, "ids": [key], "arguments": {"groups": [name]}},
            )
            for kind, action, key in (("users", "addToGroups", "ann"), ("apps", "grant", "stored"))
        ],
        *[
            await api.admin.post("/admin/batches/users/import", json={"key": "csv", "csv": csv})
            for _ in range(name.strip() == name)  # spaces around the values of a file are ignored
        ],
        await api.admin.post("/admin/previews/users", json={"changes": [
            {"action": "create", "document": {"id": "bob", "groups": [name]}}]}),
    ]  # fmt: skip

    assert [(one.request.method, one.request.url.path, one.text) for one in attempts if one.status_code != 400] == []
    known = {group["name"] for group in (await api.admin.get("/admin/groups")).json()["items"]}
    assert {one for one in known if not one.startswith("PLATFORM_")} == {"Pre-Desk"}


async def test_a_group_with_an_older_name_can_be_used_and_deleted(api: Api) -> None:
    async with api.app._manager.storage.write("system") as work:
        await work.of(Groups).add_missing(["Desk", "Desk ", "Desk-1", "Desk\u22121"], work.stamp(), as_stored=True)
    await api.add_user("ann", "Desk ")

    assert (await api.admin.patch("/admin/users/ann", json={"groups": ["Desk ", "Other"]})).status_code == 200
    assert (await api.admin.patch("/admin/groups/Desk%20", json={"priority": 5})).json()["priority"] == 5
    assert (await api.admin.delete("/admin/groups/Desk%20")).status_code == 204
    assert (await api.admin.get("/admin/users/ann")).json()["groups"] == ["Other"]


async def test_deleting_a_group_takes_it_out_of_every_list(api: Api) -> None:
    app = {"name": "x", "type": "window", "details": {"url": "https://x.example.com"}}
    layout = {"name": "x", "type": "Global", "components": []}
    user = await api.add_user("ann", "Desk", "Other")
    await api.admin.post("/admin/groups", json={"name": "Root", "expandsTo": ["Desk", "Other"]})
    await api.admin.post("/admin/apps", json={"definition": app, "accessList": ["Desk"]})
    shared = (await api.admin.post("/admin/layouts", json={"definition": layout, "accessList": ["Desk"]})).json()
    before = await api.admin.get("/admin/users/ann")

    assert (await api.admin.delete("/admin/groups/Desk")).status_code == 204

    assert (await api.admin.get("/admin/groups/Root")).json()["expandsTo"] == ["Other"]
    assert (await api.admin.get("/admin/apps/x")).json()["accessList"] == []
    assert (await api.admin.get(f"/admin/layouts/{shared['id']}")).json()["accessList"] == []
    assert (await user.get("/apps")).json() == {"applications": []}
    assert (await user.get("/layouts")).json() == {"layouts": []}
    after = await api.admin.get("/admin/users/ann", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert after.json()["groups"] == ["Other"]


async def test_a_group_with_configuration_files_stays_until_they_are_gone(api: Api) -> None:
    body = {"file": "system.json", "contents": {}, "group": "Desk"}
    file = (await api.admin.post("/admin/configs", json=body)).json()["id"]

    refused = await api.admin.delete("/admin/groups/Desk")

    assert refused.status_code == 409
    assert "1 configuration file" in refused.json()["error"]["message"]
    await api.admin.delete(f"/admin/configs/{file}")
    assert (await api.admin.delete("/admin/groups/Desk")).status_code == 204


async def test_the_admin_group_cannot_be_deleted(api: Api) -> None:
    assert (await api.admin.delete("/admin/groups/PLATFORM_SERVER_ADMIN")).status_code == 409


async def test_users_cannot_extend_a_group_beyond_their_own_permissions(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Strong", "expandsTo": ["PLATFORM_MANAGER:APPS:WRITE"]})
    reader = await api.add_user("reader", "PLATFORM_MANAGER:GROUPS:READ")
    writer = await api.add_user("writer", "PLATFORM_MANAGER:GROUPS:WRITE")
    admin_group = {"expandsTo": ["PLATFORM_SERVER_ADMIN"]}

    assert (await reader.post("/admin/groups", json={"name": "Mine"})).status_code == 403
    assert (await reader.get("/admin/groups")).status_code == 200
    assert (await writer.post("/admin/groups", json={"name": "Mine"})).status_code == 201
    assert (await writer.patch("/admin/groups/Mine", json={"expandsTo": ["Other"]})).status_code == 200
    refused = [
        await writer.post("/admin/groups", json={"name": "Bad", **admin_group}),
        await writer.patch("/admin/groups/Mine", json=admin_group),
        await writer.patch("/admin/groups/Mine", json={"expandsTo": ["Strong"]}),
        await writer.patch("/admin/groups/Strong", json={"expandsTo": []}),
        await writer.delete("/admin/groups/Strong"),
        await writer.post("/admin/groups", json={"name": "PLATFORM_MANAGER:APPS:READ"}),
        await writer.patch("/admin/groups/PLATFORM_SERVER_ADMIN", json={"priority": 1}),
    ]
    assert [answer.status_code for answer in refused] == [403] * len(refused)


async def test_groups_are_found_by_the_groups_they_inherit_from(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "A", "expandsTo": ["Target"], "priority": -5})
    await api.admin.post("/admin/groups", json={"name": "B", "priority": -5})

    async def found(**filters: str) -> list[str]:
        return [group["name"] for group in (await api.admin.get("/admin/groups", params=filters)).json()["items"]]

    assert await found(expandsTo="Target") == ["A"]
    assert await found(priority="-5") == ["A", "B"]
    assert await found(priority="-5", sort="-name") == ["B", "A"]


async def test_effective_members_are_listed_with_the_way_each_became_one(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Trading", "expandsTo": ["Floor"]})
    await api.admin.post("/admin/groups", json={"name": "Graduates", "expandsTo": ["Trading"]})
    await api.add_user("ann", "Floor", "Graduates")
    await api.add_user("bob", "Trading")
    await api.add_user("cat", "Elsewhere")
    address = "/admin/groups/Floor/members"

    members = (await api.admin.get(address)).json()
    assert members["total"] == 2
    assert {member["id"]: member["ways"] for member in members["items"]} == {
        "ann": [["Floor"], ["Graduates", "Trading", "Floor"]],
        "bob": [["Trading", "Floor"]],
    }
    second = (await api.admin.get(f"{address}?limit=1&offset=1&sort=id")).json()
    assert ([member["id"] for member in second["items"]], second["total"]) == (["bob"], 2)
    assert [member["id"] for member in (await api.admin.get(f"{address}?q=an")).json()["items"]] == ["ann"]
    assert [member["id"] for member in (await api.admin.get(f"{address}?group=Trading")).json()["items"]] == ["bob"]
    assert (await api.admin.get("/admin/groups/Nowhere/members")).status_code == 404
    assert (await api.admin.get(f"{address}?memberOf=Trading")).status_code == 400
