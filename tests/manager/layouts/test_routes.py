from typing import Any

import httpx
import pytest

from tests.conftest import Api

STORES = ["/layouts", "/layouts/layouts"]
DEFAULTS = ["/layouts/default", "/default", "/layouts/layouts/default"]


def layout(name: str, kind: str = "Global", **members: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "components": [], **members}


async def listed(client: httpx.AsyncClient) -> list[str]:
    return [item["name"] for item in (await client.get("/layouts")).json()["layouts"]]


async def save(client: httpx.AsyncClient, definition: dict[str, Any]) -> None:
    answer = await client.post("/layouts", json={"layout": definition})
    assert answer.status_code == 201, answer.text


async def share(api: Api, definition: dict[str, Any], **members: Any) -> dict[str, Any]:
    answer = await api.admin.post("/admin/layouts", json={"definition": definition, **members})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


@pytest.mark.rule("R-2.5-2")
@pytest.mark.parametrize("store", STORES)
async def test_a_layout_is_saved_replaced_renamed_and_removed(api: Api, store: str) -> None:
    user = await api.add_user("ann")
    window = {"type": "window", "application": "blotter", "state": {"bounds": {"left": 1, "top": 2}}}

    saved = await user.post(store, json={"layout": layout("Morning", token="t", metadata={"n": 1})})
    assert (saved.status_code, saved.content) == (201, b"")
    assert (await user.get(store)).json() == {"layouts": [layout("Morning", token="t", metadata={"n": 1})]}

    replaced = await user.post(store, json={"layout": layout("Morning", token="t", components=[window])})
    assert replaced.status_code == 201
    assert (await user.get(store)).json() == {"layouts": [layout("Morning", token="t", components=[window])]}

    sent = layout("Morning", token="t", metadata={"sent": "with the new name"})
    renamed = await user.put(store, json={"layout": sent, "newName": "Evening"})
    assert (renamed.status_code, renamed.content) == (200, b"")
    assert (await user.get(store)).json() == {"layouts": [{**sent, "name": "Evening"}]}

    removed = await user.request("DELETE", store, json={"name": "Evening", "type": "Global"})
    assert (removed.status_code, removed.content) == (200, b"")
    assert (await user.get(store)).json() == {"layouts": []}


@pytest.mark.parametrize("address", DEFAULTS)
async def test_a_default_is_chosen_and_cleared(api: Api, address: str) -> None:
    user = await api.add_user("ann")
    await save(user, layout("Morning"))
    await save(user, layout("Desk", "Workspace"))
    assert (await user.get(address)).json() == {}

    chosen = await user.post(address, json={"name": "Desk", "type": "Workspace"})

    assert (chosen.status_code, chosen.content) == (201, b"")
    assert (await user.get(address)).json() == {"name": "Desk", "type": "Workspace"}
    await user.post(address, json={"name": "Morning"})
    assert (await user.get(address)).json() == {"name": "Morning", "type": "Global"}
    assert (await user.post(address, json={})).status_code == 201
    assert (await user.get(address)).json() == {}
    assert (await user.post(address, json={"name": "Gone", "type": "Global"})).status_code == 404
    assert (await user.post(address, json={"type": "Global"})).status_code == 400


async def test_the_same_name_with_another_type_is_another_layout(api: Api) -> None:
    user = await api.add_user("ann")
    await save(user, layout("Morning"))
    await save(user, layout("Morning", "Workspace"))

    assert await listed(user) == ["Morning", "Morning"]
    await user.request("DELETE", "/layouts", json={"name": "Morning", "type": "Workspace"})
    assert (await user.get("/layouts")).json()["layouts"] == [layout("Morning")]


async def test_layouts_are_kept_exactly_as_they_were_sent(api: Api) -> None:
    user = await api.add_user("ann")
    group = {"type": "webGroup", "application": "desk", "children": [{"type": "tab"}], "state": [1, None]}
    window = {"type": "window", "application": "blotter", "state": {"bounds": {"left": 1.5}}}
    sent = [layout("Morning"), layout("Noon", components=[group, window, {"type": "workspaces", "state": {"x": {}}}])]

    for one in sent:
        await save(user, one)
    answer = await api.admin.post("/admin/imports/layouts", json={"layouts": sent, "owner": "ann", "overwrite": True})

    assert answer.status_code == 200
    assert (await user.get("/layouts")).json() == {"layouts": sent}


async def test_users_do_not_see_each_others_layouts(api: Api) -> None:
    ann, bob = await api.add_user("ann"), await api.add_user("bob")
    await save(ann, layout("Morning", metadata={"of": "ann"}))
    await save(bob, layout("Morning", metadata={"of": "bob"}))

    assert (await ann.get("/layouts")).json()["layouts"][0]["metadata"] == {"of": "ann"}
    await bob.request("DELETE", "/layouts", json={"name": "Morning", "type": "Global"})
    assert (await listed(ann), await listed(bob)) == (["Morning"], [])


async def test_members_that_desktops_add_to_the_request_do_not_lose_the_layout(api: Api) -> None:
    user = await api.add_user("ann")

    answer = await user.post("/layouts", json={"layout": layout("Morning"), "user": "ann", "extra": 1})

    assert answer.status_code == 201
    assert await listed(user) == ["Morning"]


async def test_every_problem_of_a_layout_is_reported_with_its_path(api: Api) -> None:
    user = await api.add_user("ann")
    wrong = {"name": "", "type": "Globe", "components": [{"type": "window", "stat": {}}], "unknown": 1}

    saved = await user.post("/layouts", json={"layout": wrong})

    assert saved.status_code == 400
    paths = {detail["path"] for detail in saved.json()["error"]["details"]}
    assert paths == {"layout.name", "layout.type", "layout.components[0].stat", "layout.unknown"}
    made = await api.admin.post("/admin/layouts", json={"definition": wrong})
    assert {detail["path"].replace("definition", "layout") for detail in made.json()["error"]["details"]} == paths
    renamed = await user.put("/layouts", json={"layout": wrong, "newName": "x"})
    assert {detail["path"] for detail in renamed.json()["error"]["details"]} == paths
    assert await listed(user) == []


async def test_a_save_without_a_layout_is_refused(api: Api) -> None:
    body: Any
    for body in ({}, {"layout": []}, {"layout": None}, [], "text", 7, None):
        assert (await api.admin.post("/layouts", json=body)).status_code == 400


async def test_renaming_moves_the_choice_of_the_default(api: Api) -> None:
    user = await api.add_user("ann")
    await save(user, layout("Morning"))
    await user.post("/layouts/default", json={"name": "Morning", "type": "Global"})

    await user.put("/layouts", json={"layout": layout("Morning"), "newName": "Evening"})

    assert (await user.get("/layouts/default")).json() == {"name": "Evening", "type": "Global"}


async def test_renaming_needs_a_layout_of_ones_own_and_a_free_name(api: Api) -> None:
    user = await api.add_user("ann")
    await share(api, layout("Shared"), public=True)
    await save(user, layout("Morning"))
    await save(user, layout("Evening"))

    async def rename(name: str, new_name: str) -> int:
        answer = await user.put("/layouts", json={"layout": layout(name), "newName": new_name})
        return answer.status_code

    assert await rename("Nothing", "Something") == 404
    assert await rename("Shared", "Mine") == 404
    assert await rename("Morning", "Evening") == 409
    assert await rename("Morning", "") == 400
    assert await rename("Morning", "next\x85line") == 400
    assert await rename("Morning", "Morning") == 200
    assert await listed(user) == ["Evening", "Morning", "Shared"]


async def test_several_layouts_are_removed_by_ids_even_with_brackets_in_their_names(api: Api) -> None:
    user = await api.add_user("ann")
    names = ["Plain", "With (brackets)", "Odd (Global) (Workspace)", ") (", "Zeile\u2028 (x)"]
    for name in names:
        await save(user, layout(name))
    await save(user, layout("Kept"))

    answer = await user.request("DELETE", "/layouts", json={"ids": [f"{name} (Global)" for name in names]})

    assert answer.status_code == 200
    assert await listed(user) == ["Kept"]


async def test_removing_what_is_gone_already_is_fine(api: Api) -> None:
    user = await api.add_user("ann")

    body: dict[str, Any]
    for body in ({"name": "Gone", "type": "Global"}, {"ids": ["Gone (Global)"]}, {"ids": []}):
        assert (await user.request("DELETE", "/layouts", json=body)).status_code == 200


async def test_a_removal_that_names_nothing_is_refused(api: Api) -> None:
    wrong_ids: list[Any] = [["no type"], ["(Global)"], "x (Global)", [7]]

    for body in ({}, {"name": "x"}, {"type": "Global"}, *({"ids": ids} for ids in wrong_ids)):
        answer = await api.admin.request("DELETE", "/layouts", json=body)

        assert answer.status_code == 400
        assert answer.json()["error"]["details"]


async def test_a_shared_layout_cannot_be_removed_by_a_user_and_then_nothing_is(api: Api) -> None:
    user = await api.add_user("ann")
    await share(api, layout("Shared"), public=True)
    await save(user, layout("Mine"))

    one = await user.request("DELETE", "/layouts", json={"name": "Shared", "type": "Global"})
    many = await user.request("DELETE", "/layouts", json={"ids": ["Mine (Global)", "Shared (Global)"]})

    assert (one.status_code, many.status_code) == (403, 403)
    assert await listed(user) == ["Mine", "Shared"]


async def test_an_own_layout_hides_a_shared_one_of_the_same_type_and_name(api: Api) -> None:
    user = await api.add_user("ann")
    shared = await share(api, layout("Morning", metadata={"from": "all"}), public=True)

    await save(user, layout("Morning", metadata={"from": "ann"}))

    assert [item["metadata"] for item in (await user.get("/layouts")).json()["layouts"]] == [{"from": "ann"}]
    untouched = (await api.admin.get(f"/admin/layouts/{shared['id']}")).json()
    assert untouched["definition"]["metadata"] == {"from": "all"}
    await user.request("DELETE", "/layouts", json={"name": "Morning", "type": "Global"})
    assert [item["metadata"] for item in (await user.get("/layouts")).json()["layouts"]] == [{"from": "all"}]


async def test_every_way_to_see_a_layout_and_no_other(api: Api) -> None:
    await api.admin.post("/admin/groups", json={"name": "Desk", "expandsTo": ["Floor"]})
    given = await share(api, layout("given"))
    withheld = await share(api, layout("given disabled"), disabled=True)
    user = await api.add_user("ann", "Desk", layouts=[given["id"], withheld["id"]])
    await api.add_user("bob")
    await share(api, layout("own"), owner="ann")
    await share(api, layout("own disabled"), owner="ann", disabled=True)
    await share(api, layout("public"), public=True)
    await share(api, layout("public of bob"), owner="bob", public=True)
    await share(api, layout("group"), accessList=["Desk"])
    await share(api, layout("nested group"), accessList=["Floor"])
    await share(api, layout("other group"), accessList=["Other"])
    await share(api, layout("of bob"), owner="bob")
    await share(api, layout("of nobody"))
    await share(api, layout("public disabled"), public=True, disabled=True)

    assert await listed(user) == ["given", "group", "nested group", "own", "public", "public of bob"]


async def test_the_default_flagged_by_an_administrator_serves_those_who_chose_none(api: Api) -> None:
    user = await api.add_user("ann")
    flagged = await share(api, layout("House"), public=True, default=True)
    await save(user, layout("Mine"))
    assert (await user.get("/default")).json() == {"name": "House", "type": "Global"}

    await user.post("/default", json={"name": "Mine", "type": "Global"})
    assert (await user.get("/default")).json() == {"name": "Mine", "type": "Global"}
    await user.request("DELETE", "/layouts", json={"name": "Mine", "type": "Global"})
    assert (await user.get("/default")).json() == {"name": "House", "type": "Global"}
    await user.post("/default", json={"name": "House", "type": "Global"})
    await api.admin.patch(f"/admin/layouts/{flagged['id']}", json={"disabled": True})
    assert (await user.get("/default")).json() == {}


async def test_the_list_of_a_client_is_sent_again_only_when_it_changed(api: Api) -> None:
    user = await api.add_user("ann")
    await save(user, layout("Morning"))
    tag = (await user.get("/layouts")).headers["ETag"]

    assert (await user.get("/layouts", headers={"If-None-Match": tag})).status_code == 304
    assert (await user.get("/layouts", headers={"If-None-Match": f"W/{tag}"})).status_code == 304
    await save(user, layout("Morning", metadata={"n": 2}))
    assert (await user.get("/layouts", headers={"If-None-Match": tag})).status_code == 200


async def test_administrators_make_read_change_and_delete_layouts(api: Api) -> None:
    await api.add_user("ann")
    body = {"definition": layout("Morning", token="t"), "owner": "ann", "accessList": ["Desk"]}

    made = await api.admin.post("/admin/layouts", json=body)

    assert made.status_code == 201
    view = made.json()
    address = f"/admin/layouts/{view['id']}"
    assert made.headers["Location"] == f"/api{address}"
    assert view == {
        **view,
        **body,
        "name": "Morning",
        "type": "Global",
        "public": False,
        "default": False,
        "disabled": False,
        "createdBy": "admin",
    }
    read = await api.admin.get(address)
    assert (read.json(), read.headers["ETag"]) == (view, made.headers["ETag"])
    sent = {**view, "owner": "*", "public": True, "definition": layout("Noon", token="t")}
    replaced = await api.admin.put(address, json=sent, headers={"If-Match": read.headers["ETag"]})
    assert replaced.json() == {**sent, "name": "Noon", "revision": replaced.json()["revision"]}
    changed = (await api.admin.patch(address, json={"default": True})).json()
    assert changed == {**replaced.json(), "default": True, "revision": changed["revision"]}
    stale = await api.admin.delete(address, headers={"If-Match": read.headers["ETag"]})
    assert stale.status_code == 412
    assert (await api.admin.delete(address)).status_code == 204
    for method, content in (("GET", None), ("PUT", sent), ("PATCH", {}), ("DELETE", None)):
        assert (await api.admin.request(method, address, json=content)).status_code == 404


async def test_two_layouts_of_one_owner_type_and_name_cannot_be(api: Api) -> None:
    await api.add_user("ann")
    await share(api, layout("Morning"))
    other = await share(api, layout("Morning"), owner="ann")

    assert (await api.admin.post("/admin/layouts", json={"definition": layout("Morning")})).status_code == 409
    assert (await api.admin.patch(f"/admin/layouts/{other['id']}", json={"owner": "*"})).status_code == 409


async def test_a_layout_needs_an_owner_who_exists(api: Api) -> None:
    answer = await api.admin.post("/admin/layouts", json={"definition": layout("Morning"), "owner": "nobody"})

    assert answer.status_code == 400
    assert answer.json()["error"]["details"][0]["path"] == "owner"


async def test_an_import_takes_all_layouts_or_none(api: Api) -> None:
    wrong = [layout("a"), layout("a", "Globe"), layout("b"), layout("a"), {"name": "c"}]
    refused = await api.admin.post("/admin/imports/layouts", json={"layouts": wrong})
    assert refused.status_code == 400
    paths = {detail["path"] for detail in refused.json()["error"]["details"]}
    assert paths == {"layouts[1].type", "layouts[3].name", "layouts[4].type", "layouts[4].components"}
    assert (await api.admin.get("/admin/layouts")).json()["total"] == 0

    taken = await api.admin.post("/admin/imports/layouts", json={"layouts": [layout("a"), layout("b")], "public": True})
    assert taken.json() == {"created": ["a (Global)", "b (Global)"], "replaced": []}

    again = {"layouts": [layout("a", metadata={"n": 2}), layout("c")]}
    assert (await api.admin.post("/admin/imports/layouts", json=again)).status_code == 409
    assert (await api.admin.get("/admin/layouts")).json()["total"] == 2
    overwritten = await api.admin.post("/admin/imports/layouts", json={**again, "overwrite": True})
    assert overwritten.json() == {"created": ["c (Global)"], "replaced": ["a (Global)"]}
    assert await listed(await api.add_user("ann")) == ["a", "b"]
    unknown = await api.admin.post("/admin/imports/layouts", json={"layouts": [layout("d")], "owner": "nobody"})
    assert unknown.status_code == 400


async def test_reading_and_writing_need_their_own_permissions(api: Api) -> None:
    nobody = await api.add_user("nobody")
    reader = await api.add_user("reader", "PLATFORM_MANAGER:LAYOUTS:READ")
    made = await share(api, layout("Morning"))
    address = f"/admin/layouts/{made['id']}"

    assert (await nobody.get("/admin/layouts")).status_code == 403
    assert (await nobody.get(address)).status_code == 403
    assert (await reader.get(address)).status_code == 200
    assert (await reader.post("/admin/layouts", json={"definition": layout("x")})).status_code == 403
    assert (await reader.post("/admin/imports/layouts", json={"layouts": [layout("x")]})).status_code == 403
    assert (await reader.patch(address, json={"public": True})).status_code == 403
    assert (await reader.delete(address)).status_code == 403


async def test_layouts_are_found_by_owner_type_group_and_flags(api: Api) -> None:
    await api.add_user("ann")
    await share(api, layout("a"), owner="ann")
    await share(api, layout("b", "Workspace"), public=True, default=True)
    await share(api, layout("c"), accessList=["Desk"], disabled=True)

    async def found(**filters: str) -> list[str]:
        query = {"sort": "name", **filters}
        return [item["name"] for item in (await api.admin.get("/admin/layouts", params=query)).json()["items"]]

    assert await found() == ["a", "b", "c"]
    assert await found(owner="ann") == ["a"]
    assert await found(owner="*") == ["b", "c"]
    assert await found(owner="a*") == ["a"]
    assert await found(type="Workspace") == ["b"]
    assert await found(public="true") == ["b"]
    assert await found(default="true") == ["b"]
    assert await found(disabled="true") == ["c"]
    assert await found(accessList="Desk") == ["c"]
